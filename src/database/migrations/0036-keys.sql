-- One row for every master key with which something may be sealed or signed; they are replaced one after the other.
alter table service_key
  drop column only_one,
  add primary key (fingerprint),
  -- when an instance last made new seals and signatures with it; null = it only opens so far
  add column in_use_on timestamptz(3) default now();

-- The key from which the credentials of the demo data follow: those stay, whatever becomes of the master key.
create table demo_key (
  only_one boolean primary key default true constraint demo_key_is_single check (only_one),
  key_sealed bytea not null
);

alter table webhook_endpoint
  -- sealed: until then, deliveries are signed with it too
  add column former_secret_sealed bytea,
  add column former_secret_until timestamptz(3),
  add constraint webhook_endpoint_former_secret check (
    (former_secret_sealed is null) = (former_secret_until is null)
    and (former_secret_sealed is null or secret_sealed is not null)
  );
