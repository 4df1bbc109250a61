-- The sandbox's own tables. Every database has them, so that there is one schema; only a sandbox has rows.

-- How far a partner's clock is ahead of real time; without a row it is not ahead.
create table sandbox_clock (
  partner_id uuid primary key references partner,
  ahead_milliseconds bigint not null constraint sandbox_clock_not_behind check (ahead_milliseconds >= 0)
);

-- The orders that the simulator moves, until they are finished: its queue.
create table sandbox_order (
  order_number bigint primary key references orders on delete cascade,
  partner_id uuid not null references partner,
  -- by the partner's clock; null = nothing happens until someone changes the order
  due_on timestamptz(3),
  -- the order's updated_on when the simulator last looked: a different value means that someone changed the order. null
  -- = not yet seen
  seen_on timestamptz(3),
  -- while a simulator works on it: when another simulator may take over
  leased_until timestamptz(3),
  -- the number of claims: fences off a simulator whose lease lapsed
  claims int not null default 0,
  -- how many inspections of its files have ended since it was placed
  artwork_ended int not null default 0,
  -- that number when the simulator last found a step waiting for an inspection; null = none waits
  artwork_seen int
);
create index sandbox_order_by_partner on sandbox_order (partner_id, due_on);

-- Simulated faults of deliveries to a receiver; without a row there are none.
create table sandbox_misbehaviour (
  endpoint_id uuid primary key references webhook_endpoint on delete cascade,
  misbehaviour text not null
);
