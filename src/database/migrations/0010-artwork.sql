-- An object key reserved for one upload. The signed URL itself is a credential and is not stored (ART-07).
create table artwork_reservation (
  reservation_name uuid primary key,
  site_id int not null,
  order_number bigint not null,
  line_number int not null,
  -- who may attach it; null = staff
  partner_id uuid references partner,
  file_name text not null,
  -- where the upload goes
  object_key text not null,
  reserved_on timestamptz(3) not null,
  -- set once: a reservation attaches one file (ART-04)
  attached_on timestamptz(3),
  constraint artwork_reservation_line foreign key (order_number, line_number) references order_line (order_number, line_number)
);
create index artwork_reservation_by_line on artwork_reservation (order_number, line_number);
-- the unattached reservations, oldest first, for their removal
create index artwork_reservation_unused on artwork_reservation (reserved_on) where attached_on is null;

-- The files a line is printed from. They accumulate and never replace each other (ART-19).
create table print_file (
  print_file_id bigint generated always as identity primary key,
  site_id int not null,
  order_number bigint not null,
  line_number int not null,
  file_name text not null,
  -- as the store reported it when the file was copied to its final key
  object_key text not null unique,
  size_bytes bigint not null,
  md5 text not null constraint print_file_md5_form check (md5 ~ '^[0-9a-f]{32}$'),
  active boolean not null default true,
  -- null = fetched from the artworkUrl of the order
  reservation_name uuid unique references artwork_reservation,
  attached_on timestamptz(3) not null,
  constraint print_file_line foreign key (order_number, line_number) references order_line (order_number, line_number)
);
create index print_file_by_line on print_file (order_number, line_number, print_file_id);

-- Stored objects that no record names. An object is noted here before it is stored, and removed from here by the
-- transaction that gives it a record. Objects that remain here belong to no record and are deleted.
create table stray_object (
  object_key text primary key,
  -- on the database's clock
  noted_on timestamptz(3) not null default now()
);
create index stray_object_oldest on stray_object (noted_on);
