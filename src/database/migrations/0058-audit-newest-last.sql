-- lives-with: 0037-people.sql
-- outside-transaction
-- New records come at the end of an ascending index, whose pages are left full. At the beginning of a descending one each page is
-- left half empty. Either is read in both directions.
drop index concurrently if exists audit_newest_last;

create index concurrently audit_newest_last on audit_record (recorded_on, audit_id) where audit_id > 0;

drop index concurrently if exists audit_newest;

alter index audit_newest_last rename to audit_newest;
