-- What a database is, in one row each.

-- Proves that this service holds the key the stored secrets were made with.
create table service_key (
  only_one boolean primary key default true constraint service_key_is_single check (only_one),
  fingerprint bytea not null
);

-- Has its row where this database is a sandbox's: what must stay for ever elsewhere may be forgotten here.
create table sandbox_database (
  only_one boolean primary key default true constraint sandbox_database_is_single check (only_one)
);
