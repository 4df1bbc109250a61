-- Links by which a person who forgot the password sets another. Asking anew makes a further link and ends none: whoever asks
-- for another's name must not end the link in that person's hands. A password that is set ends them all.
create table password_reset_link (
  -- HMAC of the link's token
  reset_hash bytea primary key,
  person_id uuid not null references partner_person on delete cascade,
  expires_on timestamptz(3) not null
);
create index password_reset_link_by_person on password_reset_link (person_id);
insert into password_reset_link (reset_hash, person_id, expires_on)
select reset_hash, person_id, reset_expires_on from partner_person where reset_hash is not null and reset_expires_on is not null;
alter table partner_person drop column reset_hash, drop column reset_expires_on;
