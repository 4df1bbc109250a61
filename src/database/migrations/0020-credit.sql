-- What the daily look for accounts whose time is over reads, and what a list of inactive accounts reads.
create index credit_account_by_end on credit_account (stops_on) where stops_on is not null;
create index credit_account_inactive on credit_account (site_id, credit_account_id) where not active;

-- Whoever draws takes no more than there is; whatever else may fail, no account is overdrawn.
alter table credit_account add constraint credit_account_balance_not_negative check (current_balance >= 0);
