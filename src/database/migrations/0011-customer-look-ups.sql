-- Filters of the lists, in the order of the lists, within one site at a time.
drop index division_by_parent;
create index division_by_parent on division (site_id, parent_id, division_id);
drop index site_user_by_division;
create index site_user_by_division on site_user (site_id, division_id, user_id);

-- Which rules speak of a user is asked whenever the user's e-mail address or division changes.
alter table segment_rule
  add constraint segment_rule_domain_in_lower_case check (email_domain = lower(email_domain));
create index segment_rule_by_domain on segment_rule (site_id, email_domain) where email_domain is not null;
create index segment_rule_by_division on segment_rule (site_id, division_id) where division_id is not null;
