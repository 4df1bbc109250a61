-- The calls of partners in the last days, for support. Rows are written in batches after the answers: a crash of the
-- service loses what it had gathered, and one of the server the last commits, since they do not wait for the disk.
create sequence request_log_entry cache 100;

-- One partition for each day in UTC; without the right one, nothing is written.
create table request_log (
  recorded_on timestamptz(3) not null,
  entry_id bigint not null default nextval('request_log_entry'),
  -- holds the time of recorded_on, so that a request is found by its id without an index of its own
  request_id uuid not null,
  -- null = no operation has this method and path
  operation text,
  -- a call of a tool, in a request to the MCP endpoint
  tool_call boolean not null,
  method text not null,
  -- without the query; anything that may be personal or secret is left out
  path text not null,
  status smallint not null,
  -- of the problem; null = none
  code text,
  milliseconds real not null,
  auth_method text,
  -- the client id, or the serial number of the certificate
  credential text,
  -- the log outlives what it names, so nothing refers to it
  partner_id uuid,
  site_id int,
  source_address text not null
) partition by range (recorded_on);
create index request_log_newest on request_log (recorded_on, entry_id);
create index request_log_by_partner on request_log (partner_id, recorded_on, entry_id) where partner_id is not null;

-- Makes the partition of a day, if there is none. The service has no right to make tables, so this runs as their owner.
-- No day far from the database's own can be made, whatever clock the service has.
create function make_request_log_day(day date) returns void language plpgsql
  security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  name text := 'request_log_' || to_char(day, 'YYYYMMDD');
begin
  if abs(day - (now() at time zone 'UTC')::date) > 30 then
    raise exception 'the request log has no partition for %', day using errcode = 'check_violation';
  end if;
  -- Two instances may meet here.
  perform pg_advisory_xact_lock(7305008);
  if to_regclass(name) is not null then return; end if;
  -- Attaching lets others go on writing, unlike a table that is made as a partition.
  execute format('create table %I (like request_log including all)', name);
  execute format('alter table request_log attach partition %I for values from (%L) to (%L)', name,
    day || ' 00:00+00', day + 1 || ' 00:00+00');
end $$;

-- Drops the partitions whose days ended before an instant, and returns their number. The last fourteen days by the
-- database's clock stay, whatever clock the service has.
create function drop_request_log_days(before timestamptz) returns int language plpgsql
  security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  name text;
  dropped int := 0;
begin
  perform pg_advisory_xact_lock(7305008);
  for name in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'request_log'::regclass
      and (to_date(right(relname, 8), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC'
        <= least(before, now() - interval '14 days')
  loop
    execute format('drop table %I', name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

revoke all on function make_request_log_day(date), drop_request_log_days(timestamptz) from public;
