-- What a record's place in the chain is made of: the hash before it and everything it says.
create function audit_record_hash(previous bytea, record audit_record) returns bytea
  language sql immutable as $$
  select sha256(previous || convert_to(jsonb_build_array(
    record.chain_number, record.audit_id, extract(epoch from record.recorded_on), record.actor_kind, record.actor_id,
    record.action, record.subject_kind, record.subject_id, record.site_id, record.request_id, record.detail)::text, 'UTF8'))
$$;

-- Links committed records to the end of the chain, at most so many, and answers how many it linked. One sealer at a time:
-- another one finds the lock taken and links none.
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
