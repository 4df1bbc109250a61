-- lives-with: 0037-people.sql
-- Seals as many records with one statement. The comparison that keeps a record as it is compares rows, not documents.
create or replace function audit_record_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.chain_number is null and new.chain_number is not null then
    old.chain_number := new.chain_number;
    old.chain_hash := new.chain_hash;
    if new *= old then return new; end if;
  end if;
  raise exception 'audit records are append-only' using errcode = 'insufficient_privilege';
end $$;

create or replace function seal_audit_records(at_most int) returns int language plpgsql as $$
declare
  record audit_record;
  previous bytea;
  number bigint;
  ids bigint[] := '{}';
  numbers bigint[] := '{}';
  hashes bytea[] := '{}';
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
    ids := ids || record.audit_id;
    numbers := numbers || number;
    hashes := hashes || previous;
  end loop;
  update audit_record set chain_number = link.number, chain_hash = link.hash
    from unnest(ids, numbers, hashes) as link (id, number, hash) where audit_id = link.id;
  return cardinality(ids);
end $$;
