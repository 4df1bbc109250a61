-- The proofs of a line, a file for each revision; at most one is the current one.
create table proof_file (
  order_number bigint not null,
  line_number int not null,
  revision int not null constraint proof_file_revision_positive check (revision >= 1),
  site_id int not null,
  name text not null,
  -- where the object store keeps the file and the preview rendered from it
  object_key text not null,
  rendition_key text not null,
  active boolean not null,
  consumer_visible boolean not null default true,
  -- the findings that it lists: ProvedFinding of src/platform/proofs/files-to-prove.ts. Its approval accepts them
  findings jsonb not null default '[]',
  -- set while the file is archived and cannot be downloaded
  archived_on timestamptz(3),
  created_on timestamptz(3) not null,
  primary key (order_number, line_number, revision),
  constraint proof_file_line foreign key (order_number, line_number) references order_line (order_number, line_number)
);
create unique index proof_file_one_active on proof_file (order_number, line_number) where active;

-- Decisions about a line's proofs and their reasons, as text for people (PRF-28). Entries are never changed, and
-- deleted only in a sandbox.
create table proof_log_entry (
  proof_log_entry_id bigint generated always as identity primary key,
  order_number bigint not null,
  line_number int not null,
  site_id int not null,
  recorded_on timestamptz(3) not null,
  actor_kind text not null,
  actor_id text not null,
  entry text not null,
  constraint proof_log_entry_line foreign key (order_number, line_number) references order_line (order_number, line_number)
);
create index proof_log_entry_by_line on proof_log_entry (order_number, line_number, proof_log_entry_id);

create function proof_log_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (select from sandbox_database) then return old; end if;
  raise exception 'proof log entries are append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger proof_log_append_only before update or delete on proof_log_entry
  for each row execute function proof_log_is_append_only();
create trigger proof_log_no_truncate before truncate on proof_log_entry
  for each statement execute function proof_log_is_append_only();

-- The denial reasons a site does not offer, of the list `decline`.
create table denial_reason_switched_off (
  site_id int not null references site,
  code text not null,
  primary key (site_id, code)
);
