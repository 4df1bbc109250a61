-- Orders whose artwork must first be fetched wait on strangers' hosts: they have a queue of their own.
alter table submission add column with_artwork boolean not null
  generated always as (jsonb_path_exists(body, '$.lines[*].artworkUrl')) stored;
create index submission_open_plain on submission (created_on)
  where status in ('queued', 'processing') and not with_artwork;
create index submission_open_artwork on submission (partner_id, created_on)
  where status in ('queued', 'processing') and with_artwork;
drop index submission_open;
