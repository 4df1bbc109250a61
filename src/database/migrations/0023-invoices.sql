-- Invoices and credit notes, numbered without gaps in a series for each site. A row is never changed: what an order costs
-- later is the matter of a further one.
create table invoice (
  site_id int not null references site,
  invoice_number int not null,
  order_number bigint not null references orders,
  kind text not null constraint invoice_kind_known check (kind in ('INVOICE', 'CREDIT_NOTE')),
  currency char(3) not null,
  -- what the customer is charged, or given back by a credit note; never negative
  total numeric not null constraint invoice_total_not_negative check (total >= 0),
  -- what it shows, a Statement of src/platform/paperwork/drawing/sheet-facts.ts without the logo
  statement jsonb not null,
  -- the newest movement of the order that it and those before it contain; 0 = none. Its first invoice contains the charges
  -- up to then, and no refund
  charges_to bigint not null,
  refunds_to bigint not null,
  issued_on timestamptz(3) not null,
  primary key (site_id, invoice_number)
);
create index invoice_by_order on invoice (order_number, invoice_number);
