-- What a database is, in one row each.

-- Proves that this service has the key under which the stored secrets were sealed.
create table service_key (
  only_one boolean primary key default true constraint service_key_is_single check (only_one),
  fingerprint bytea not null
);

-- Has a row only in a sandbox's database, where records that otherwise stay for ever may be deleted.
create table sandbox_database (
  only_one boolean primary key default true constraint sandbox_database_is_single check (only_one)
);
