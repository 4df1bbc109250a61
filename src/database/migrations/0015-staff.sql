-- Staff. They and their sessions are in the production database; they work in both environments.
create table staff_account (
  staff_id uuid primary key,
  username text not null,
  -- folded as on site_user
  username_folded text not null constraint staff_username_unique unique,
  -- argon2id with its parameters and salt, in the PHC string format
  password_hash text not null,
  roles text[] not null default '{}',
  disabled_on timestamptz(3),
  password_set_on timestamptz(3) not null,
  created_on timestamptz(3) not null,
  updated_on timestamptz(3) not null
);

create table staff_session (
  -- SHA-256 of the session's secret, which has 256 random bits
  session_hash bytea primary key,
  staff_id uuid not null references staff_account,
  transport text not null constraint staff_session_transport_known check (transport in ('COOKIE', 'BEARER')),
  started_on timestamptz(3) not null,
  last_used_on timestamptz(3) not null
);
create index staff_session_by_staff on staff_session (staff_id);

-- Failed sign-ins and those under way, counted since the first of a series.
create table staff_sign_in_failure (
  -- SHA-256 of what is counted: a username at an address, or an address
  counted bytea primary key,
  failures int not null,
  began_on timestamptz(3) not null
);
create index staff_sign_in_failure_by_age on staff_sign_in_failure (began_on);
