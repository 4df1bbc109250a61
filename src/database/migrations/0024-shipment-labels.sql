-- Labels that a carrier sells for the packages of shipments. A row is written before the carrier is asked, and names what the
-- carrier knows as soon as it answers, so that no lost answer buys a label twice.
create table shipment_label (
  label_id bigint generated always as identity primary key,
  shipment_number bigint not null references shipment,
  package_number int not null constraint shipment_label_package check (package_number > 0),
  -- UNFINISHED: nobody knows whether it was bought. GIVING_BACK: nobody knows whether the carrier took it back
  status text not null constraint shipment_label_status_known
    check (status in ('UNFINISHED', 'BOUGHT', 'REFUSED', 'GIVING_BACK', 'GIVEN_BACK')),
  -- the carrier's service, such as USPS:GroundAdvantage
  carrier_service text not null,
  -- what the carrier is told, a LabelledParcel of src/outside/carriers/carriers.ts
  parcel jsonb not null,
  -- until then a call asks the carrier; only the call with the newest claim writes what came of it
  claim int not null default 1,
  claimed_until timestamptz(3) not null,
  -- null = the carrier was not told of the parcel, or its answer was lost
  carrier_shipment_id text,
  offer_id text,
  tracking_number text,
  tracking_url text,
  price numeric,
  currency char(3),
  -- the carrier's PDF
  object_key text,
  -- why the carrier did not sell it, or did not take it back, in its words
  refusal text,
  requested_on timestamptz(3) not null,
  bought_on timestamptz(3),
  given_back_on timestamptz(3),
  constraint shipment_label_offered check ((carrier_shipment_id is null) = (offer_id is null)),
  constraint shipment_label_whole check (status not in ('BOUGHT', 'GIVING_BACK') or (carrier_shipment_id is not null
    and tracking_number is not null and price is not null and currency is not null and object_key is not null))
);
create index shipment_label_by_shipment on shipment_label (shipment_number, label_id);
create unique index shipment_label_of_package on shipment_label (shipment_number, package_number)
  where status in ('UNFINISHED', 'BOUGHT', 'GIVING_BACK');
create unique index shipment_label_unfinished on shipment_label (shipment_number) where status = 'UNFINISHED';
