-- lives-with: 0037-people.sql
-- The seals of audit records have a table of their own, so that sealing inserts and leaves no dead row behind for each record.
-- What is sealed already keeps its seal in its row.

-- The seals of records with consecutive ids, which stand in the chain one after the other.
create table audit_seal (
  -- the place of its first record in the chain
  first_number bigint primary key,
  first_id bigint not null constraint audit_seal_first_id_unique unique,
  records int not null,
  -- the hash of each, of 32 bytes
  hashes bytea not null,
  constraint audit_seal_whole check (records > 0 and octet_length(hashes) = 32 * records)
);
-- Hashes cannot be compressed, and a part of them is read without the rest.
alter table audit_seal alter column hashes set storage external;

create function audit_seal_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'seals of audit records are append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_seal_append_only before update or delete on audit_seal
  for each row execute function audit_seal_is_append_only();
create trigger audit_seal_no_truncate before truncate on audit_seal
  for each statement execute function audit_seal_is_append_only();

-- The ids whose records are not sealed: those to come, and those that were passed over, since a record may be committed after
-- one with a later id.
create table audit_unsealed (
  first_id bigint primary key,
  -- null = all that come
  last_id bigint,
  -- Whoever has drawn one of these ids and is not done has an earlier transaction, or had none yet at this moment.
  before xid8 not null default pg_snapshot_xmax(pg_current_snapshot()),
  since timestamptz(3) not null default now()
);

-- A record's hash in the chain covers the previous hash, its place, and all fields of the record.
create function audit_link_hash(previous bytea, number bigint, record audit_record) returns bytea
  language sql immutable as $$
  select sha256(previous || convert_to(jsonb_build_array(
    number, record.audit_id, extract(epoch from record.recorded_on), record.actor_kind, record.actor_id,
    record.action, record.subject_kind, record.subject_id, record.site_id, record.request_id, record.detail)::text, 'UTF8'))
$$;

create or replace function audit_record_hash(previous bytea, record audit_record) returns bytea
  language sql immutable as $$
  select audit_link_hash(previous, record.chain_number, record)
$$;

-- The links of the chain after a number, up to another one.
create function audit_links(after bigint, up_to bigint)
  returns table (chain_number bigint, audit_id bigint, chain_hash bytea) language sql stable as $$
  select first_number + at, first_id + at, substring(hashes from (32 * at + 1)::int for 32)
  from audit_seal
  cross join lateral generate_series(
    greatest(after + 1 - first_number, 0), least(up_to - first_number, records - 1)) as at
  where first_number <= up_to
    and first_number >= coalesce((select max(earlier.first_number) from audit_seal earlier where earlier.first_number <= after + 1), 0)
  union all
  select sealed.chain_number, sealed.audit_id, sealed.chain_hash from audit_record sealed
  where sealed.chain_number > after and sealed.chain_number <= up_to
    and sealed.chain_number < coalesce((select min(first_number) from audit_seal), 9223372036854775807)
$$;

-- The number of the last link, 0 = there is none.
create function last_audit_link() returns bigint language sql stable as $$
  select coalesce(
    (select first_number + records - 1 from audit_seal order by first_number desc limit 1),
    (select max(chain_number) from audit_record where chain_number is not null), 0)
$$;

-- Adds at most so many committed records to the end of the chain, and returns how many it added. One sealer works at a
-- time: a second one does not get the lock and adds none.
create function seal_audit(at_most int) returns int language plpgsql as $$
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
  -- Whoever drew these ids has been rolled back.
  delete from audit_unsealed where last_id is not null and before <= done and since < now() - interval '1 minute';
  return added;
end $$;

-- The release before seals by this name, and reads the seals in the records: it writes them there too. Only while such a
-- program runs is a record changed.
create or replace function seal_audit_records(at_most int) returns int language plpgsql as $$
declare
  written bigint;
  linked int;
begin
  if not pg_try_advisory_xact_lock(7305004) then return 0; end if;
  perform seal_audit(at_most);
  select coalesce(max(chain_number), 0) into written from audit_record where chain_number is not null;
  update audit_record set chain_number = link.chain_number, chain_hash = link.chain_hash
    from audit_links(written, written + at_most) as link where audit_record.audit_id = link.audit_id;
  get diagnostics linked = row_count;
  return linked;
end $$;

-- From here on no sealer works and nothing is recorded until the end of this migration, so all ids up to the last are known.
select pg_advisory_xact_lock(7305004);
lock table audit_record in share mode;
insert into audit_unsealed (first_id, last_id)
select min(audit_id), max(audit_id) from (
  select audit_id, audit_id - row_number() over (order by audit_id) as run from audit_record where chain_number is null
) as each group by run;
insert into audit_unsealed (first_id) select coalesce(max(audit_id), 0) + 1 from audit_record;
