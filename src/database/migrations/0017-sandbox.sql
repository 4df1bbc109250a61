-- The sandbox's own tables. Every database has them, so that there is one schema; rows are there in a sandbox only.

-- One row where this database is a sandbox's: what must stay for ever elsewhere may be forgotten here.
create table sandbox_database (
  only_one boolean primary key default true constraint sandbox_database_is_single check (only_one)
);

create or replace function proof_log_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (select from sandbox_database) then return old; end if;
  raise exception 'proof log entries are append-only' using errcode = 'insufficient_privilege';
end $$;

-- How far a partner's clock is ahead of the world's; without a row it is not.
create table sandbox_clock (
  partner_id uuid primary key references partner,
  ahead_milliseconds bigint not null constraint sandbox_clock_not_behind check (ahead_milliseconds >= 0)
);

-- The orders the simulator moves, until they are over: its queue.
create table sandbox_order (
  order_number bigint primary key references orders on delete cascade,
  partner_id uuid not null references partner,
  -- by the partner's clock; null = nothing happens until somebody changes the order
  due_on timestamptz(3),
  -- the order's updated_on when the simulator looked last: another one means that somebody changed it. null = not yet
  seen_on timestamptz(3),
  -- while a simulator works on it: when another may take over
  leased_until timestamptz(3),
  -- counts the claims, and fences off a simulator whose lease lapsed
  claims int not null default 0
);
create index sandbox_order_by_partner on sandbox_order (partner_id, due_on);

-- What goes wrong on purpose with the deliveries to a receiver; without a row nothing does.
create table sandbox_misbehaviour (
  endpoint_id uuid primary key references webhook_endpoint on delete cascade,
  misbehaviour text not null
);
