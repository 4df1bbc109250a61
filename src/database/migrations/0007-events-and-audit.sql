-- What happened that receivers may want to know, written in the transaction of the change; the fan-out takes it from here.
create table event (
  event_id uuid primary key,
  type text not null,
  site_id int not null,
  order_number bigint not null,
  shipment_number bigint,
  recorded_on timestamptz(3) not null,
  -- set when its deliveries have been written
  fanned_out_on timestamptz(3)
);
create index event_to_fan_out on event (recorded_on) where fanned_out_on is null;
create index event_by_order on event (order_number);

-- Who changed what, written in the transaction of the change. Rows are never changed nor deleted; the sealer links
-- committed rows into a chain of hashes right after, so that commits need not wait for each other.
create table audit_record (
  audit_id bigint generated always as identity primary key,
  recorded_on timestamptz(3) not null,
  actor_kind text not null,
  actor_id text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  site_id int,
  request_id text,
  detail jsonb not null default '{}',
  chain_number bigint,
  chain_hash bytea,
  constraint audit_chain_unique unique (chain_number)
);
create index audit_to_seal on audit_record (audit_id) where chain_number is null;
create index audit_by_subject on audit_record (subject_kind, subject_id, audit_id);

create function audit_record_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.chain_number is null and new.chain_number is not null
    and to_jsonb(new) - 'chain_number' - 'chain_hash' = to_jsonb(old) - 'chain_number' - 'chain_hash' then
    return new;
  end if;
  raise exception 'audit records are append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_record_append_only before update or delete on audit_record
  for each row execute function audit_record_is_append_only();
create trigger audit_record_no_truncate before truncate on audit_record
  for each statement execute function audit_record_is_append_only();
