-- lives-with: 0037-people.sql
-- outside-transaction
-- Only records that were sealed in their rows have a number there.
drop index concurrently if exists audit_by_number;

create unique index concurrently audit_by_number on audit_record (chain_number) where chain_number is not null;
