-- What was moved by hand under a name of the sender's choice is moved once, however often it is sent.
alter table credit_adjustment add column reference text;
create unique index credit_adjustment_by_reference on credit_adjustment (credit_account_id, reference)
  where reference is not null;

-- Staff look for users by how their name or address begins, over all sites; bytes sort so that a beginning is a range.
create index site_user_by_username on site_user (username_folded collate "C");
create index site_user_by_email on site_user (email_folded collate "C");
