-- lives-with: 0037-people.sql
-- A round that had sealed as many records as it may did not look at all ranges, yet forgot those that were waited for long enough:
-- of a transaction with more records than a round seals, the rest was never sealed.

-- Adds at most so many committed records to the end of the chain, and returns how many it added. One sealer works at a
-- time: a second one does not get the lock and adds none.
create or replace function seal_audit(at_most int) returns int language plpgsql as $$
declare
  unsealed audit_unsealed;
  record audit_record;
  number bigint;
  previous bytea;
  next_id bigint;
  run bytea := '';
  added int := 0;
  done xid8;
begin
  if not pg_try_advisory_xact_lock(7305004) then return 0; end if;
  -- What these transactions have committed is seen by every statement from here on.
  done := pg_snapshot_xmin(pg_current_snapshot());
  number := last_audit_link();
  select chain_hash into previous from audit_links(number - 1, number);
  previous := coalesce(previous, '\x'::bytea);
  for unsealed in select * from audit_unsealed order by first_id loop
    exit when added = at_most;
    next_id := unsealed.first_id;
    for record in
      select * from audit_record
      where audit_id >= unsealed.first_id and audit_id <= coalesce(unsealed.last_id, 9223372036854775807)
      order by audit_id limit at_most - added
    loop
      if next_id = unsealed.first_id then delete from audit_unsealed where first_id = next_id; end if;
      if record.audit_id > next_id then
        if run <> '' then
          insert into audit_seal values (number - length(run) / 32 + 1, next_id - length(run) / 32, length(run) / 32, run);
          run := '';
        end if;
        insert into audit_unsealed values (next_id, record.audit_id - 1);
      end if;
      number := number + 1;
      previous := audit_link_hash(previous, number, record);
      run := run || previous;
      next_id := record.audit_id + 1;
      added := added + 1;
    end loop;
    if run <> '' then
      insert into audit_seal values (number - length(run) / 32 + 1, next_id - length(run) / 32, length(run) / 32, run);
      run := '';
      if unsealed.last_id is null or next_id <= unsealed.last_id then
        insert into audit_unsealed values (next_id, unsealed.last_id, unsealed.before, unsealed.since);
      end if;
    end if;
  end loop;
  -- All ranges were looked through. Whoever drew ids that are left in these has been rolled back.
  if added < at_most then
    delete from audit_unsealed where last_id is not null and before <= done and since < now() - interval '1 minute';
  end if;
  return added;
end $$;
