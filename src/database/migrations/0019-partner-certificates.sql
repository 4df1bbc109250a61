-- Certificates that partners prove themselves with on the mutual-TLS host. Revoked ones stay, for the record.
create table partner_certificate (
  certificate_id uuid primary key,
  partner_id uuid not null references partner,
  -- subject and serial number as their DER, so that two spellings of one name stay two names
  subject bytea not null,
  serial bytea not null,
  -- of the whole certificate: subject and serial alone can be written into a forgery
  sha256 bytea not null,
  subject_dn text not null,
  serial_number text not null,
  pem text not null,
  -- PEM of the certificates above it, the issuer first, the root last
  chain text[] not null,
  not_before timestamptz(3) not null,
  not_after timestamptz(3) not null,
  registered_on timestamptz(3) not null,
  revoked_on timestamptz(3)
);
create unique index partner_certificate_identity on partner_certificate (subject, serial) where revoked_on is null;
create index partner_certificate_by_partner on partner_certificate (partner_id) where revoked_on is null;

-- Whatever changes which certificates are trusted is told to every instance's truststore, by whichever way it happens.
create function tell_truststores() returns trigger language plpgsql as $$
begin
  notify truststore;
  return null;
end $$;

create trigger partner_certificate_trusted after insert or update or delete on partner_certificate
  for each statement execute function tell_truststores();
create trigger partner_trusted after update of disabled_on on partner
  for each statement execute function tell_truststores();
