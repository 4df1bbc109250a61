-- People of a partner who sign in personally. Usernames are unique in the whole environment, because the sign-in form
-- does not ask for the partner.
create table partner_person (
  person_id uuid primary key,
  partner_id uuid not null references partner,
  -- in lower case
  username text not null constraint partner_person_username unique,
  email text,
  -- argon2id, with its parameters and salt; null until the invitation was accepted
  password_hash text,
  -- HMAC of the link's token; null once it was used
  invitation_hash bytea constraint partner_person_invitation unique,
  invitation_expires_on timestamptz(3),
  -- the same for the link by which a person who forgot the password sets another
  reset_hash bytea constraint partner_person_reset unique,
  reset_expires_on timestamptz(3),
  -- secret of the authenticator app, sealed
  second_factor bytea,
  -- the newest time step whose code was accepted: none is accepted twice
  second_factor_step bigint,
  recovery_codes bytea[] not null default '{}',
  -- how often all sign-ins of the person were ended: one that began before is not completed
  sign_ins_ended int not null default 0,
  disabled_on timestamptz(3),
  last_signed_in_on timestamptz(3),
  created_on timestamptz(3) not null,
  updated_on timestamptz(3) not null
);
create index partner_person_by_partner on partner_person (partner_id);

-- Applications with which people may sign in, besides those that publish a document about themselves.
create table sign_in_client (
  client_id text primary key,
  name text not null,
  redirect_uris text[] not null,
  -- a native application may use any port in a loopback redirect
  is_native boolean not null,
  registered_on timestamptz(3) not null
);

-- Records of sign-in: sessions of browsers, steps under way, grants, and the codes and tokens of each grant.
create table sign_in_record (
  -- HMAC of kind and id: the values that browsers and clients present are not stored
  record_id bytea primary key,
  kind text not null,
  -- sealed
  payload bytea not null,
  -- deleting a grant deletes everything under it, and nothing can be added to a deleted grant
  grant_id bytea constraint sign_in_record_grant references sign_in_record on delete cascade,
  -- of sessions only: HMAC of their second identifier
  session_uid bytea constraint sign_in_record_session unique,
  person_id uuid references partner_person on delete cascade,
  client_id text,
  expires_on timestamptz(3) not null,
  consumed_on timestamptz(3)
);
create index sign_in_record_by_grant on sign_in_record (grant_id) where grant_id is not null;
create index sign_in_record_by_person on sign_in_record (person_id) where person_id is not null;
create index sign_in_record_by_client on sign_in_record (client_id) where client_id is not null;
create index sign_in_record_by_expiry on sign_in_record (expires_on);

-- What people last chose for the applications that act for them, until they disconnect them.
create table allowed_application (
  person_id uuid not null references partner_person on delete cascade,
  client_id text not null,
  -- as the application called itself
  name text not null,
  scopes text[] not null,
  -- asked for and not allowed
  declined text[] not null,
  allowed_on timestamptz(3) not null,
  primary key (person_id, client_id)
);

-- Recent attempts for a username, an address or a second factor, whether it exists or not.
create table sign_in_attempts (
  -- HMAC of what is counted
  counted bytea primary key,
  attempts int not null,
  since timestamptz(3) not null
);
create index sign_in_attempts_by_age on sign_in_attempts (since);
