-- lives-with: 0037-people.sql
-- outside-transaction
-- Lists of audit records are in the order of their time, so each index that one walks has the time behind what it finds.
-- Only who names the condition of audit_newest walks all records: one plan for all values would do it for a rare value too.
drop index concurrently if exists audit_newest;

create index concurrently audit_newest on audit_record (recorded_on desc, audit_id desc) where audit_id > 0;

drop index concurrently if exists audit_by_subject_and_time;

create index concurrently audit_by_subject_and_time
  on audit_record (subject_kind, subject_id, recorded_on desc, audit_id desc);

drop index concurrently if exists audit_by_subject;

drop index concurrently if exists audit_by_actor_and_time;

create index concurrently audit_by_actor_and_time
  on audit_record (actor_kind, actor_id, recorded_on desc, audit_id desc);

drop index concurrently if exists audit_by_actor;

drop index concurrently if exists audit_by_action;

create index concurrently audit_by_action on audit_record (subject_kind, action, recorded_on desc, audit_id desc);

drop index concurrently if exists audit_by_site;

create index concurrently audit_by_site
  on audit_record (site_id, recorded_on desc, audit_id desc) where site_id is not null;
