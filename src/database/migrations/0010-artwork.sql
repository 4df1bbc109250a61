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
  -- a reprint shares the stored objects of its line
  object_key text not null,
  -- as the store reported it when the file was copied to its final key
  size_bytes bigint not null,
  md5 text not null constraint print_file_md5_form check (md5 ~ '^[0-9a-f]{32}$'),
  active boolean not null default true,
  -- how it came: uploaded by the partner, fetched from the artworkUrl of the order, uploaded by staff, or filled in from
  -- the product's template
  source text not null constraint print_file_source_known check (source in ('UPLOAD', 'URL', 'STAFF', 'TEMPLATE')),
  -- null = it came without an upload
  reservation_name uuid unique references artwork_reservation,
  attached_on timestamptz(3) not null,
  constraint print_file_line foreign key (order_number, line_number) references order_line (order_number, line_number),
  constraint print_file_once unique (order_number, line_number, object_key)
);
create index print_file_by_line on print_file (order_number, line_number, print_file_id);

-- A file that a partner has looked into without an order; forgotten after a day.
create table artwork_check (
  check_id uuid primary key,
  partner_id uuid not null references partner,
  site_id int not null,
  product_number bigint not null,
  file_name text not null,
  -- where the upload goes
  upload_key text not null,
  -- the copy that is looked into, which a later upload does not change, and its size; null = nothing was uploaded yet
  object_key text unique,
  size_bytes bigint,
  begun_on timestamptz(3) not null,
  constraint artwork_check_product_on_site foreign key (site_id, product_number) references product (site_id, product_number)
);
create index artwork_check_by_partner on artwork_check (partner_id);
create index artwork_check_oldest on artwork_check (begun_on);

-- What is known about a print file or the file of a check: the queue of files to be inspected, and what was found. Each
-- file has one. When it is inspected again, by other rules or by a newer engine, the new result replaces the former.
create table artwork_inspection (
  inspection_id uuid primary key default gen_random_uuid(),
  print_file_id bigint unique references print_file,
  check_id uuid unique references artwork_check,
  site_id int not null,
  -- the partner whose turn it takes in the queue; the nil UUID on orders without a partner
  turn_of uuid not null default '00000000-0000-0000-0000-000000000000',
  -- the rules it is held against, as the product had them when the file came: an ArtworkProfile and media types
  profile jsonb not null,
  artwork_types text[] not null,
  -- the same rules have the same key
  profile_key text not null,
  status text not null default 'queued' constraint artwork_inspection_status_known check (
    status in ('queued', 'inspecting', 'passed', 'passed_with_warnings', 'needs_changes', 'unreadable')),
  -- on the database's clock
  queued_on timestamptz(3) not null default now(),
  -- while a worker inspects it: when another worker may take over
  leased_until timestamptz(3),
  -- the number of claims: fences off a worker whose lease lapsed
  claims int not null default 0,
  -- the number of claims that did not end orderly, and so may be the file's fault
  failures int not null default 0,
  -- what follows is the result. Equal bytes, rules and engine have the same one, so a result is used again
  engine_version text,
  sha256 text,
  size_bytes bigint,
  media_type text,
  -- Finding and PageBoxes of src/vocabulary/artwork.ts
  findings jsonb not null default '[]',
  pages jsonb not null default '[]',
  inspected_on timestamptz(3),
  constraint artwork_inspection_of_one_file check ((print_file_id is null) <> (check_id is null)),
  constraint artwork_inspection_ended check ((inspected_on is null) = (status in ('queued', 'inspecting')))
);
-- the queues of partners: print files before checks, since an order waits for them
create index artwork_inspection_open on artwork_inspection (turn_of, (check_id is not null), queued_on)
  where status in ('queued', 'inspecting');
create index artwork_inspection_by_status on artwork_inspection (status, print_file_id) where print_file_id is not null;
create index artwork_inspection_reusable on artwork_inspection (profile_key, size_bytes, engine_version)
  where sha256 is not null;

-- The pictures of a file's pages, PNG files.
create table artwork_picture (
  inspection_id uuid not null references artwork_inspection,
  page int not null,
  -- PictureKind of src/artwork/engine.ts
  kind text not null,
  object_key text not null unique,
  width int not null,
  height int not null,
  primary key (inspection_id, page, kind)
);

-- Findings of a print file that staff let pass. They hold for later inspections of the file too.
create table artwork_waiver (
  waiver_id bigint generated always as identity primary key,
  print_file_id bigint not null references print_file,
  -- which finding: a file has one at most for each code, page and subject
  code text not null,
  page int,
  subject text,
  reason text not null,
  actor_id text not null,
  waived_on timestamptz(3) not null,
  -- null = it holds; an ended one stays, since it tells who let what pass and why
  ended_on timestamptz(3)
);
create unique index artwork_waiver_once on artwork_waiver (print_file_id, code, page, subject) nulls not distinct
  where ended_on is null;
create index artwork_waiver_by_file on artwork_waiver (print_file_id);

-- Stored objects that no record names. An object is noted here before it is stored, and removed from here by the
-- transaction that gives it a record. Objects that remain here belong to no record and are deleted.
create table stray_object (
  object_key text primary key,
  -- on the database's clock
  noted_on timestamptz(3) not null default now()
);
create index stray_object_oldest on stray_object (noted_on);
