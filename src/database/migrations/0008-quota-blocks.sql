-- How much of the quota the last taking got: the statement that takes cannot otherwise tell near the quota's end.
alter table partner_quota add column last_block int not null default 0;
