-- A delivery may be sent again as a delivery of its own.
alter table webhook_delivery
  -- the delivery that this one sends again, which may be forgotten by now; null = it is the first of its event
  add column repeats bigint,
  drop constraint webhook_delivery_once;
-- An event goes to an endpoint once by itself, and again as often as it is asked for.
create unique index webhook_delivery_once on webhook_delivery
  (event_id, endpoint_id, (case when repeats is not null then delivery_id end)) nulls not distinct;
