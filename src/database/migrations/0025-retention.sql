-- Stored objects that no record names: noted before they are stored, and forgotten by the transaction that gives them a
-- record. What stays behind belongs to nothing and is removed.
create table stray_object (
  object_key text primary key,
  -- on the database's clock
  noted_on timestamptz(3) not null default now()
);
create index stray_object_oldest on stray_object (noted_on);

-- What is kept for a time only is found by its age.
create index event_fanned_out on event (fanned_out_on) where fanned_out_on is not null;
create index artwork_reservation_unused on artwork_reservation (reserved_on) where attached_on is null;
