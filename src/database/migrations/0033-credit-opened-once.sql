-- An account that staff open under a name of their choice is opened once, however often it is sent.
alter table credit_account add column reference text;
create unique index credit_account_by_reference on credit_account (site_id, reference) where reference is not null;
