-- Events that webhook receivers may want. The transaction of the change writes them; the fan-out reads them.
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
-- the events whose fan-out is over, oldest first, for their removal
create index event_fanned_out on event (fanned_out_on) where fanned_out_on is not null;

-- Who changed what, written in the transaction of the change. Rows are never changed or deleted. The sealer links committed
-- rows into a chain of hashes soon after the commit, so that commits need not wait for each other.
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
-- Staff look up requests by the id that partners quote.
create index audit_by_request on audit_record (request_id, audit_id) where request_id is not null;
create index audit_by_actor on audit_record (actor_kind, actor_id, audit_id);

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

-- A record's hash in the chain covers the previous hash and all fields of the record.
create function audit_record_hash(previous bytea, record audit_record) returns bytea
  language sql immutable as $$
  select sha256(previous || convert_to(jsonb_build_array(
    record.chain_number, record.audit_id, extract(epoch from record.recorded_on), record.actor_kind, record.actor_id,
    record.action, record.subject_kind, record.subject_id, record.site_id, record.request_id, record.detail)::text, 'UTF8'))
$$;

-- Adds at most so many committed records to the end of the chain, and returns how many it added. One sealer works at a
-- time: a second one does not get the lock and adds none.
create function seal_audit_records(at_most int) returns int language plpgsql as $$
declare
  record audit_record;
  previous bytea;
  number bigint;
  linked int := 0;
begin
  if not pg_try_advisory_xact_lock(7305004) then return 0; end if;
  select chain_number, chain_hash into number, previous
    from audit_record where chain_number is not null order by chain_number desc limit 1;
  number := coalesce(number, 0);
  previous := coalesce(previous, '\x'::bytea);
  for record in select * from audit_record where chain_number is null order by audit_id limit at_most loop
    number := number + 1;
    record.chain_number := number;
    previous := audit_record_hash(previous, record);
    update audit_record set chain_number = number, chain_hash = previous where audit_id = record.audit_id;
    linked := linked + 1;
  end loop;
  return linked;
end $$;
