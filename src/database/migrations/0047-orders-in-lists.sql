-- lives-with: 0037-people.sql
-- outside-transaction
-- A list that asks for a user, a division or a partner reads each status by itself, so that a second filter by status costs
-- no walk through the others.
drop index concurrently if exists orders_by_user_and_status;

create index concurrently orders_by_user_and_status
  on orders (site_id, user_id, status, placed_on desc, order_number desc) where user_id is not null;

drop index concurrently if exists orders_by_user;

drop index concurrently if exists orders_by_division_and_status;

create index concurrently orders_by_division_and_status
  on orders (site_id, division_id, status, placed_on desc, order_number desc) where division_id is not null;

drop index concurrently if exists orders_by_division;

drop index concurrently if exists orders_by_partner_and_status;

create index concurrently orders_by_partner_and_status
  on orders (partner_id, site_id, status, placed_on desc, order_number desc) where partner_id is not null;

drop index concurrently if exists submission_by_status;

create index concurrently submission_by_status
  on submission (partner_id, status, created_on desc, submission_id desc);
