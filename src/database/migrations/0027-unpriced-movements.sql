-- Of an order that was placed without a price; its first price is a CHANGED row.
alter table order_movement
  alter column items drop not null,
  alter column discount drop not null,
  alter column handling drop not null,
  alter column shipping drop not null,
  alter column tax drop not null,
  alter column credit drop not null,
  add constraint order_movement_priced check (
    kind = 'PLACED' or num_nulls(items, discount, handling, shipping, tax, credit) = 0);
