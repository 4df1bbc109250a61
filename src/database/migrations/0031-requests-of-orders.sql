-- The calls of partners that name an order in their path.
create index request_log_by_order on request_log (
  substring(path from '^/v1/orders/([0-9]+)(?:/|$)'), recorded_on, entry_id
) where substring(path from '^/v1/orders/([0-9]+)(?:/|$)') is not null;
