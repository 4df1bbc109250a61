-- The reasons that staff choose from, a list for each kind of decision. Staff keep the lists; a reason that was ever used
-- stays, and is switched off instead.
create table reason (
  kind text not null constraint reason_kind_known check
    (kind in ('hold', 'cancel', 'decline', 'problem', 'refund', 'return', 'reprint', 'override')),
  code text not null,
  label text not null,
  description text,
  -- of declines: offered only on lines with artwork from there; null = on all
  artwork_source text,
  active boolean not null,
  sequence int not null,
  -- whether a decision ever named it
  used boolean not null default false,
  primary key (kind, code)
);

-- The specification names the reasons for a decline, so they count as used.
insert into reason (kind, code, label, description, artwork_source, active, sequence, used) values
  ('decline', 'COLOR', 'Color', 'Colors are not as expected.', null, true, 1, true),
  ('decline', 'CONTENT', 'Content', 'Something is missing, or should not be there.', null, true, 2, true),
  ('decline', 'IMAGE_QUALITY', 'Image quality', 'An image is blurred, pixelated or damaged.', null, true, 3, true),
  ('decline', 'LAYOUT', 'Layout', 'Something stands in the wrong place.', null, true, 4, true),
  ('decline', 'SIZE', 'Size', 'The format or a dimension is wrong.', null, true, 5, true),
  ('decline', 'SPELLING', 'Spelling', 'A text has a typing error.', null, true, 6, true),
  ('decline', 'TEMPLATE_DATA', 'Template data', 'What was filled into the template is wrong.', 'TEMPLATE', true, 7, true),
  ('decline', 'BLEED_OR_TRIM', 'Bleed or trim', 'The uploaded artwork lacks bleed, or is cut in the wrong place.',
    'UPLOAD', true, 8, true),
  ('decline', 'WRONG_FILE', 'Wrong file', 'The proof shows another artwork than the one meant.', null, true, 9, true),
  ('decline', 'OTHER', 'Other', null, null, true, 10, true);

insert into reason (kind, code, label, active, sequence) values
  ('hold', 'CUSTOMER_REQUEST', 'The customer asked for it', true, 1),
  ('hold', 'ADDRESS_UNCLEAR', 'The address is unclear', true, 2),
  ('hold', 'PAYMENT', 'Payment is open', true, 3),
  ('hold', 'ARTWORK', 'The artwork is unclear', true, 4),
  ('hold', 'MATERIAL_MISSING', 'Material is missing', true, 5),
  ('hold', 'MACHINE_DOWN', 'A machine is down', true, 6),
  ('hold', 'OTHER', 'Other', true, 7),
  ('cancel', 'CUSTOMER_REQUEST', 'The customer asked for it', true, 1),
  ('cancel', 'DUPLICATE', 'Ordered twice', true, 2),
  ('cancel', 'NOT_PAID', 'Not paid', true, 3),
  ('cancel', 'NOT_IN_STOCK', 'Not in stock', true, 4),
  ('cancel', 'CANNOT_BE_MADE', 'Cannot be made as ordered', true, 5),
  ('cancel', 'FRAUD', 'Suspected fraud', true, 6),
  ('cancel', 'OTHER', 'Other', true, 7),
  ('problem', 'ARTWORK', 'Artwork', true, 1),
  ('problem', 'DATA', 'Data of the order', true, 2),
  ('problem', 'MATERIAL', 'Material', true, 3),
  ('problem', 'PRINT_QUALITY', 'Print quality', true, 4),
  ('problem', 'FINISHING', 'Finishing', true, 5),
  ('problem', 'DAMAGED', 'Damaged', true, 6),
  ('problem', 'OTHER', 'Other', true, 7),
  ('refund', 'DAMAGED', 'Arrived damaged', true, 1),
  ('refund', 'QUALITY', 'Print quality', true, 2),
  ('refund', 'LATE', 'Arrived late', true, 3),
  ('refund', 'LOST', 'Lost on the way', true, 4),
  ('refund', 'WRONG_ITEM', 'Wrong item', true, 5),
  ('refund', 'PRICE', 'Wrong price', true, 6),
  ('refund', 'GOODWILL', 'Goodwill', true, 7),
  ('refund', 'OTHER', 'Other', true, 8),
  ('return', 'DAMAGED', 'Arrived damaged', true, 1),
  ('return', 'WRONG_ITEM', 'Wrong item', true, 2),
  ('return', 'NOT_AS_ORDERED', 'Not as ordered', true, 3),
  ('return', 'UNDELIVERABLE', 'Could not be delivered', true, 4),
  ('return', 'NOT_WANTED', 'No longer wanted', true, 5),
  ('return', 'OTHER', 'Other', true, 6),
  ('reprint', 'DAMAGED', 'Arrived damaged', true, 1),
  ('reprint', 'QUALITY', 'Print quality', true, 2),
  ('reprint', 'LOST', 'Lost on the way', true, 3),
  ('reprint', 'OUR_MISTAKE', 'Our mistake', true, 4),
  ('reprint', 'CUSTOMER_MISTAKE', 'A mistake of the customer', true, 5),
  ('reprint', 'OTHER', 'Other', true, 6),
  ('override', 'APPROVED_ELSEWHERE', 'Approved by telephone or mail', true, 1),
  ('override', 'ARTWORK_AT_THE_WORKS', 'The artwork is at the works', true, 2),
  ('override', 'REPEAT_JOB', 'Repeats an earlier job', true, 3),
  ('override', 'RUSH', 'Must not wait', true, 4),
  ('override', 'OTHER', 'Other', true, 5);

-- What people decided about an order or a line, and why: holds, cancellations, problems, declines and overrides.
create table order_decision (
  decision_id bigint generated always as identity primary key,
  order_number bigint not null references orders,
  -- null = about the whole order
  line_number int,
  kind text not null,
  reason text,
  comment text,
  -- of overrides: the guards that were passed over
  overridden text[],
  decided_on timestamptz(3) not null,
  actor_kind text not null,
  actor_id text not null,
  constraint order_decision_line foreign key (order_number, line_number) references order_line (order_number, line_number),
  constraint order_decision_reason foreign key (kind, reason) references reason (kind, code),
  constraint order_decision_overrides check ((kind = 'override') = (overridden is not null))
);
create index order_decision_by_order on order_decision (order_number, line_number, decision_id);

-- Notes of staff on an order or a line. A note is never edited; one that was withdrawn stays for staff to see.
create table order_note (
  note_id bigint generated always as identity primary key,
  order_number bigint not null references orders,
  -- null = about the whole order
  line_number int,
  audience text not null constraint order_note_audience_known check (audience in ('STAFF', 'PARTNER')),
  text text not null,
  written_on timestamptz(3) not null,
  actor_kind text not null,
  actor_id text not null,
  withdrawn_on timestamptz(3),
  withdrawn_by text,
  constraint order_note_line foreign key (order_number, line_number) references order_line (order_number, line_number),
  constraint order_note_withdrawn_whole check ((withdrawn_on is null) = (withdrawn_by is null))
);
create index order_note_by_order on order_note (order_number, note_id);
-- the notes that a partner reads
create index order_note_to_partner on order_note (order_number, note_id) where audience = 'PARTNER' and withdrawn_on is null;
