-- lives-with: 0037-people.sql
-- audit_by_number finds the records that audit_chain_unique found.
alter table audit_record drop constraint audit_chain_unique;
