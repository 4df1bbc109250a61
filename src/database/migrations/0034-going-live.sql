-- What partners have shown of their integrations, for going live: each thing once, with what was seen. It outlasts the
-- orders, deliveries and calls in which it was seen.
create table sandbox_earned (
  partner_id uuid not null references partner,
  item text not null,
  -- Evidence of src/sandbox/go-live/items.ts
  evidence jsonb not null,
  primary key (partner_id, item)
);

alter table webhook_delivery
  -- in a sandbox: what went wrong with the attempt on purpose; null = nothing
  add column misbehaviour text,
  -- in a sandbox: the answer to the same delivery when it was sent twice on purpose
  add column again_status int;

alter table request_log
  -- the seconds of Retry-After, if the answer had it
  add column retry_after int,
  -- a page behind the first one of a list
  add column continued boolean not null default false;
