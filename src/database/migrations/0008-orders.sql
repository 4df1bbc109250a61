create sequence order_number_sequence as bigint start 1000001;
create sequence item_number_sequence as bigint start 5000001;
create sequence project_id_sequence as bigint start 700001;
create sequence shipment_number_sequence as bigint start 3000001;

create table orders (
  order_number bigint primary key default nextval('order_number_sequence'),
  site_id int not null references site,
  project_id bigint,
  user_id int,
  division_id int,
  -- set on orders a partner submitted; null on storefront orders
  partner_id uuid references partner,
  partner_order_id text,
  submission_id uuid,
  status text not null,
  purchase_order_number text,
  placed_on timestamptz(3) not null,
  updated_on timestamptz(3) not null,
  -- set while the whole order is on hold
  held_on timestamptz(3),
  cancelled_on timestamptz(3),
  completed_on timestamptz(3),
  currency char(3) not null,
  item_total numeric,
  discount_total numeric,
  handling_total numeric,
  shipping_total numeric,
  tax_total numeric,
  credit_applied numeric,
  total_price numeric,
  -- counted from the visible lines, in the transaction of every change to a line
  item_count int not null default 0,
  shipped_item_count int not null default 0,
  cancelled_item_count int not null default 0,
  awaiting_proof boolean not null default false,
  ship_to jsonb,
  bill_to jsonb,
  shipping_service_id int references shipping_service,
  shipping_provider text,
  shipping_method text,
  ship_notification_email text,
  constraint orders_on_site unique (site_id, order_number),
  constraint orders_of_partner unique (partner_id, partner_order_id),
  constraint orders_of_submission unique (submission_id)
);
create index orders_by_site_newest on orders (site_id, placed_on desc, order_number desc);
-- the list's filters, in the list's order
create index orders_by_status on orders (site_id, status, placed_on desc, order_number desc);
create index orders_by_user on orders (user_id, placed_on desc, order_number desc);
create index orders_by_division on orders (site_id, division_id, placed_on desc, order_number desc)
  where division_id is not null;
-- a partner's orders at work
create index orders_at_work_by_partner on orders (partner_id, order_number)
  where status in ('PENDING_APPROVAL', 'ON_HOLD', 'IN_PROCESS', 'IN_PRODUCTION', 'PARTIALLY_SHIPPED');
create index orders_awaiting_proof on orders (site_id, placed_on desc, order_number desc) where awaiting_proof;

create table order_line (
  order_number bigint not null references orders,
  -- position within the order, 1…; internal
  line_number int not null,
  -- differs from the order's site only if data was damaged; the line is then hidden from everyone
  site_id int not null,
  item_number bigint,
  -- SALE lines are the customer's; REWORK and PROOF lines are records of production
  record_kind text not null default 'SALE' constraint order_line_kind_known check (record_kind in ('SALE', 'REWORK', 'PROOF')),
  hidden boolean not null default false,
  sku text,
  product_number bigint not null references product,
  product_id text not null,
  product_name text not null,
  product_code text not null,
  variant_id int references variant,
  -- the variant from which stock was taken: variant_id, or the master of that one, which is not deleted before it; a
  -- cancellation returns it
  stock_variant_id int,
  stock_taken int not null default 0,
  job_name text,
  external_id text,
  note text,
  quantity int not null,
  line_list_total numeric,
  line_total_before_adjustments numeric,
  line_total numeric,
  -- the quantity and line total from which adjustments are charged in proportion: as ordered, or as last priced by hand
  -- (null = the line's own, because nobody has adjusted it)
  base_quantity int,
  base_total numeric,
  handling_total numeric,
  product_discount jsonb,
  user_discount jsonb,
  attributes jsonb not null default '[]',
  -- percent at the destination when the line was placed, so that later changes are taxed the same; 0 = untaxed
  tax_percent numeric not null default 0,
  handling_tax_percent numeric not null default 0,
  unit_weight_ounces numeric,
  turnaround_business_days int,
  estimated_ship_by timestamptz(3),
  ship_by timestamptz(3),
  shippable boolean not null,
  digital_delivery boolean not null,
  artwork_source text not null,
  template_variables jsonb,
  production_status text constraint order_line_production_status_known check (production_status in
    ('PREPRESS', 'QUEUED', 'PRINTING', 'FINISHING', 'PACKING', 'COMPLETE', 'ON_HOLD', 'UNKNOWN')),
  -- for a line on hold, which shows ON_HOLD: its former production status, to which it returns (null = not in
  -- production)
  held_production_status text,
  proof_status text constraint order_line_proof_status_known check (proof_status in
    ('NOT_CREATED', 'PENDING_REVIEW', 'APPROVED', 'DECLINED', 'UNKNOWN')),
  problem text,
  reorder boolean not null default false,
  backorder_quantity int,
  shipped_on timestamptz(3),
  cancelled_on timestamptz(3),
  -- where it is made: its product's fulfilment center when it was placed; null = none
  fulfilment_center_id int references fulfilment_center,
  -- what is worked on first among lines that are due at the same time
  priority text not null default 'NORMAL' constraint order_line_priority_known check (priority in
    ('RUSH', 'HIGH', 'NORMAL', 'LOW')),
  -- the member of staff who sees to it; accounts are in the production database
  assignee_id uuid,
  updated_on timestamptz(3) not null,
  primary key (order_number, line_number),
  constraint order_line_item_number_unique unique (item_number),
  constraint order_line_order unique (order_number, item_number),
  constraint order_line_base_whole check ((base_quantity is null) = (base_total is null)),
  constraint order_line_held_from check (held_production_status is null or production_status = 'ON_HOLD')
);

-- what tells that a product or a variant was ordered
create index order_line_by_product on order_line (product_number);
create index order_line_by_variant on order_line (variant_id) where variant_id is not null;

-- the lines that wait for a proof to be published, and those that get another one when a newer file comes
create index order_line_to_proof on order_line (order_number, line_number)
  where cancelled_on is null and proof_status in ('NOT_CREATED', 'PENDING_REVIEW', 'APPROVED', 'DECLINED')
    and (proof_status in ('NOT_CREATED', 'DECLINED') or (production_status = 'PREPRESS' or held_production_status = 'PREPRESS'));

-- The work queues: lines that are still to be made or to ship, in the words of src/platform/lines/open-lines.ts. The
-- indexes stay as small as the work at hand, whatever the history. What follows the order of a list in them narrows it
-- without a look at the line.
create index order_line_open_by_due on order_line (
  coalesce(production_status, 'NOT_STARTED'),
  coalesce(ship_by, estimated_ship_by, 'infinity'::timestamptz),
  (case priority when 'RUSH' then 0 when 'HIGH' then 1 when 'NORMAL' then 2 else 3 end),
  order_number, line_number, site_id, fulfilment_center_id, product_number, proof_status
) where cancelled_on is null and shipped_on is null and (shippable or production_status is distinct from 'COMPLETE');
create index order_line_open_newest on order_line (
  order_number, line_number, site_id, fulfilment_center_id, product_number
) where cancelled_on is null and shipped_on is null and (shippable or production_status is distinct from 'COMPLETE');
-- what shipped in the last days, and whether it was late: all that is asked stands in the index
create index order_line_shipped on order_line (shipped_on, ship_by, estimated_ship_by, site_id, fulfilment_center_id)
  where shipped_on is not null;
-- few lines are in these, and a new line is in neither
create index order_line_open_by_assignee on order_line (assignee_id)
  where cancelled_on is null and shipped_on is null and (shippable or production_status is distinct from 'COMPLETE')
    and assignee_id is not null;
create index order_line_open_with_problem on order_line (order_number, line_number)
  where cancelled_on is null and shipped_on is null and (shippable or production_status is distinct from 'COMPLETE')
    and problem is not null;

-- The one definition of which lines of an order a customer may see (ORD-26, ORD-27, ORD-28).
create view visible_order_line as
  select order_line.*
  from order_line
  join orders using (order_number)
  where order_line.record_kind = 'SALE'
    and not order_line.hidden
    and order_line.site_id = orders.site_id;

create table shipment (
  shipment_number bigint primary key default nextval('shipment_number_sequence'),
  order_number bigint not null references orders,
  site_id int not null,
  status text not null default 'OPEN',
  shipping_service_id int references shipping_service,
  provider text,
  service_name text,
  fulfilment_center_id int references fulfilment_center,
  ship_to jsonb,
  -- the partner's shippingNotes, for packers; never published
  internal_notes text,
  shipping_total numeric,
  -- the shipment whose charge this one took over when that was cancelled; null = its own
  charged_as bigint,
  -- carries reprints, which partners are not shown
  rework boolean not null default false,
  -- what it costs beyond the rate of its destination and service, noted when these are first changed
  shipping_offset numeric,
  -- percent on delivery to the destination; 0 = delivery is not taxed
  tax_percent numeric not null default 0,
  estimated_ship_by timestamptz(3),
  estimated_delivery_from timestamptz(3),
  estimated_delivery_to timestamptz(3),
  shipped_on timestamptz(3),
  cancelled_on timestamptz(3),
  created_on timestamptz(3) not null,
  updated_on timestamptz(3) not null,
  constraint shipment_on_site foreign key (site_id, order_number) references orders (site_id, order_number)
);
create index shipment_by_order on shipment (order_number, shipment_number);

create table shipment_line (
  shipment_number bigint not null references shipment,
  order_number bigint not null,
  line_number int not null,
  quantity int not null,
  primary key (shipment_number, line_number),
  foreign key (order_number, line_number) references order_line (order_number, line_number)
);
create index shipment_line_by_order on shipment_line (order_number);

create table shipment_package (
  shipment_number bigint not null references shipment,
  package_number int not null,
  tracking_number text,
  tracking_url text,
  weight_ounces numeric,
  primary key (shipment_number, package_number)
);
