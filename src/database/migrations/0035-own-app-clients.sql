alter table app_client
  -- the partner made it itself, which it can in a sandbox
  add column made_by_partner boolean not null default false;
