-- lives-with: 0037-people.sql
-- outside-transaction
-- What few rows of a list have: movements of a type, deliveries that did not succeed.
drop index concurrently if exists credit_adjustment_by_type;

create index concurrently credit_adjustment_by_type
  on credit_adjustment (credit_account_id, type, created_on desc, adjustment_id desc);

drop index concurrently if exists webhook_delivery_undone;

create index concurrently webhook_delivery_undone
  on webhook_delivery (endpoint_id, outcome, created_on desc, delivery_id desc) where outcome in ('FAILED', 'SKIPPED');
