-- Lists as people of the staff keep them: a page of the console with its filters, under a name. In the production database.
create table staff_view (
  view_id uuid primary key,
  staff_id uuid not null references staff_account,
  -- the page's name in the console
  page text not null,
  name text not null,
  -- the query of its URL, as the console wrote it
  query text not null,
  -- colleagues see it too
  shared boolean not null,
  created_on timestamptz(3) not null,
  updated_on timestamptz(3) not null
);
create unique index staff_view_name_unique on staff_view (staff_id, page, lower(name));
create index staff_view_shared on staff_view (page, lower(name), view_id) where shared;
