-- What an order cost, change by change. An order without a row here still costs what it did when it was placed: its first
-- change writes the PLACED row too. Rows are never changed.
create table order_movement (
  movement_id bigint generated always as identity primary key,
  order_number bigint not null references orders,
  -- PLACED and CHANGED add up to the order's totals. REFUNDED is money given back after it was charged. REFUND_COUNTED: a
  -- later fall of the charge contains that much of earlier refunds, so it is not given back again. The tax of a refund
  -- follows that of the order: then only its tax is told, also a negative one.
  kind text not null constraint order_movement_kind_known check (kind in ('PLACED', 'CHANGED', 'REFUNDED', 'REFUND_COUNTED')),
  -- the action of the audit record
  cause text not null,
  -- signed: what the order costs more (positive) or less (negative). A discount is negative.
  items numeric not null,
  discount numeric not null,
  handling numeric not null,
  shipping numeric not null,
  tax numeric not null,
  -- how much of that is credit drawn (positive) or given back (negative); over all rows, what the order still draws
  credit numeric not null,
  actor_kind text,
  actor_id text,
  recorded_on timestamptz(3) not null
);
create index order_movement_by_order on order_movement (order_number, movement_id);

create sequence return_number_sequence as bigint start 4000001;

-- Goods that a customer sends back: announced, received, and closed or cancelled.
create table goods_return (
  return_number bigint primary key default nextval('return_number_sequence'),
  order_number bigint not null references orders,
  status text not null constraint goods_return_status_known check (status in ('ANNOUNCED', 'RECEIVED', 'CLOSED', 'CANCELLED')),
  -- staff's reference for announcing it, so that a repeated request does it only once, and what they asked for
  reference text not null,
  asked jsonb not null,
  -- a code of the list return
  reason text,
  comment text,
  announced_on timestamptz(3) not null,
  received_on timestamptz(3),
  -- closed or cancelled
  ended_on timestamptz(3),
  constraint goods_return_by_reference unique (order_number, reference)
);
create index goods_return_by_status on goods_return (status, return_number);

create table goods_return_line (
  return_number bigint not null references goods_return,
  order_number bigint not null,
  line_number int not null,
  announced int not null constraint goods_return_line_pieces check (announced > 0),
  primary key (return_number, line_number),
  foreign key (order_number, line_number) references order_line (order_number, line_number)
);
create index goods_return_line_by_order on goods_return_line (order_number);

-- What came in which condition.
create table goods_return_receipt (
  return_number bigint not null,
  line_number int not null,
  position int not null,
  condition text not null constraint goods_return_condition_known check
    (condition in ('RESALABLE', 'DAMAGED', 'DEFECTIVE', 'WRONG_ITEM')),
  pieces int not null constraint goods_return_receipt_pieces check (pieces > 0),
  -- whether the pieces are back in stock, and on which shelf
  restocked boolean not null,
  shelf text,
  primary key (return_number, position),
  foreign key (return_number, line_number) references goods_return_line (return_number, line_number)
);

create table refund (
  refund_id bigint generated always as identity primary key,
  order_number bigint not null references orders,
  movement_id bigint not null references order_movement,
  -- staff's reference for making it, so that a repeated request makes it only once
  reference text not null,
  -- what staff asked for; a repeated request asks for the same
  asked jsonb not null,
  items numeric not null,
  handling numeric not null,
  shipping numeric not null,
  tax numeric not null,
  -- how much of the whole went to credit accounts, and how much is noted as paid in another way
  to_credit numeric not null,
  paid_outside numeric not null,
  -- the account that staff named; null = those the order drew on
  credit_account_id int references credit_account,
  outside_reference text,
  -- the return for which it was made
  return_number bigint references goods_return,
  -- a code of the list refund
  reason text,
  comment text,
  refunded_on timestamptz(3) not null,
  constraint refund_by_reference unique (order_number, reference),
  constraint refund_adds_up check (items + handling + shipping + tax = to_credit + paid_outside)
);
create index refund_by_movement on refund (movement_id);

-- Of which charge a refund is, without tax; negative rows belong to REFUND_COUNTED.
create table refund_part (
  order_number bigint not null references orders,
  movement_id bigint not null references order_movement,
  charge text not null constraint refund_part_charge_known check (charge in ('ITEMS', 'HANDLING', 'SHIPPING')),
  -- the line; for SHIPPING, the shipment that was first charged
  number bigint not null,
  amount numeric not null,
  -- pieces of the line that were refunded, if staff named pieces
  quantity int not null default 0,
  -- what the charge was then
  charged numeric not null,
  primary key (order_number, movement_id, charge, number)
);

-- Which line makes pieces of another one anew. A reprint of a reprint names the line that was bought.
create table reprint (
  order_number bigint not null,
  line_number int not null,
  of_line_number int not null,
  -- the line that staff named, which may be another reprint
  named_line_number int not null,
  -- as staff asked; null = all pieces
  quantity_asked int,
  proof text not null constraint reprint_proof_known check (proof in ('NONE', 'OWN')),
  -- staff's, so that a repeated request does it only once
  reference text not null,
  -- a code of the list reprint
  reason text,
  comment text,
  ordered_on timestamptz(3) not null,
  primary key (order_number, line_number),
  foreign key (order_number, line_number) references order_line (order_number, line_number),
  foreign key (order_number, of_line_number) references order_line (order_number, line_number),
  constraint reprint_by_reference unique (order_number, reference)
);
