-- A partner's webhook endpoints. Staff maintain these rows; no partner route reaches them.
create table webhook_endpoint (
  endpoint_id uuid primary key,
  partner_id uuid not null references partner,
  url text not null,
  -- staff allow the URL's host an address that is not public
  host_allowed boolean not null default false,
  -- registration writes the types; the default is that of an endpoint without a subscription (EVT-23)
  types text[] not null default '{order.status_changed,shipment.shipped,shipment.cancelled,order_line.cancelled}'
    constraint webhook_endpoint_types_not_empty check (cardinality(types) > 0),
  -- AES-256-GCM under the service's key; null = deliveries are not signed
  secret_sealed bytea,
  disabled_on timestamptz(3),
  created_on timestamptz(3) not null,
  updated_on timestamptz(3) not null
);
create index webhook_endpoint_by_partner on webhook_endpoint (partner_id, created_on desc, endpoint_id desc);
create index webhook_endpoint_newest on webhook_endpoint (created_on desc, endpoint_id desc);

-- One event for one endpoint: the queue of deliveries to send, and the record of their outcomes.
create table webhook_delivery (
  delivery_id bigint generated always as identity primary key,
  endpoint_id uuid not null references webhook_endpoint,
  -- a UUID, or test_… on a test ping
  event_id text not null,
  test_ping boolean not null default false,
  type text not null,
  site_id int not null,
  order_number bigint not null,
  -- the exact text that is sent and signed, so that every attempt sends the same bytes
  body text not null,
  -- while an attempt is under way: when another courier may take over
  leased_until timestamptz(3),
  -- the number of claims: only the holder of the latest may give it back
  claims int not null default 0,
  -- null = still to be attempted
  outcome text constraint webhook_delivery_outcome_known check (outcome in ('DELIVERED', 'FAILED', 'SKIPPED')),
  -- why it was not delivered
  reason text,
  response_status int,
  duration_milliseconds int,
  response_excerpt text,
  created_on timestamptz(3) not null,
  attempted_on timestamptz(3),
  constraint webhook_delivery_once unique (event_id, endpoint_id)
-- Each row is soon updated twice: with its claim, which touches no index if the new version fits on the same page, and
-- with its outcome.
) with (fillfactor = 50);
-- the couriers' queue: small, whatever the history
create index webhook_delivery_open on webhook_delivery (endpoint_id, delivery_id) where outcome is null;
-- what staff look after
create index webhook_delivery_failed on webhook_delivery (attempted_on) where outcome = 'FAILED';
create index webhook_delivery_newest on webhook_delivery (endpoint_id, created_on desc, delivery_id desc);
