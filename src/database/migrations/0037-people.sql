-- What is known of people can be erased, and what is kept for ever names nobody.

-- The key under which papers that are never changed hold the people whom an order names. Erasure destroys the row.
create table person_key (
  order_number bigint primary key references orders on delete cascade,
  -- the data key, sealed under the service's key
  key_sealed bytea not null,
  made_on timestamptz(3) not null default now()
);

-- The names and addresses of the paper, sealed under the person_key of its order. null = it was issued before there were
-- keys: its statement holds them as plain text.
alter table invoice
  add column people_sealed bytea;

-- Empties the statements that hold people as plain text. Nobody may change an invoice, so this runs as its owner.
create function erase_unsealed_invoices(numbers bigint[]) returns int language sql
  security definer set search_path = public, pg_temp as $$
  with emptied as (
    update invoice set statement = statement || jsonb_build_object('billTo', '[]'::jsonb, 'shipTo', '[]'::jsonb, 'lines', (
      select coalesce(jsonb_agg(line || jsonb_build_object('jobName', null)), '[]') from jsonb_array_elements(statement -> 'lines') as line
    ))
    where order_number = any(numbers) and people_sealed is null and statement ? 'lines'
    returning 1
  )
  select count(*)::int from emptied
$$;
revoke all on function erase_unsealed_invoices(bigint[]) from public;

-- What a person said of a proof. The entry in the log of proofs stays for ever; this goes when the person is erased.
create table proof_comment (
  proof_log_entry_id bigint primary key references proof_log_entry on delete cascade,
  order_number bigint not null,
  comment text not null
);
create index proof_comment_by_order on proof_comment (order_number);

-- Orders that came to nothing name people too, and have no order by which these are found.
create index submission_failed_by_email on submission (lower(body #>> '{shipTo,email}') collate "C")
  where status = 'failed' and body #>> '{shipTo,email}' is not null;

-- Who was erased and when, by ids and fingerprints only: nothing here names anybody. The same is kept outside the database, for
-- whoever restores a backup that is older.
create table erasure (
  erasure_id uuid primary key,
  -- its place in the ledger outside: 1, 2, 3 …; a repeated erasure takes a new place
  ledger_number int not null constraint erasure_ledger_number_unique unique,
  kind text not null constraint erasure_kind_known check (kind in ('CUSTOMER', 'RECIPIENT', 'ORDER', 'PERSON', 'STAFF')),
  -- the id; of a recipient, the fingerprint of the e-mail address
  subject text not null,
  -- HMAC of the e-mail addresses under the service's key, in hexadecimal
  address_fingerprints text[] not null,
  order_numbers bigint[] not null,
  reason text not null,
  -- what is still to be removed outside the database; empty once it is done
  object_keys text[] not null,
  mail_ids uuid[] not null,
  erased_on timestamptz(3) not null,
  -- null = files, or the ledger outside, still wait
  finished_on timestamptz(3),
  constraint erasure_once unique (kind, subject)
);
create index erasure_unfinished on erasure (ledger_number) where finished_on is null;
create index erasure_newest on erasure (erased_on desc, erasure_id desc);
