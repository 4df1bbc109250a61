-- Which orders of a site send which mails: none, those that no partner submitted, or all.
create domain mails_of_orders as text check (value in ('NONE', 'OWN_ORDERS', 'ALL_ORDERS'));
alter table site
  add column mails_order_confirmation mails_of_orders not null default 'OWN_ORDERS',
  add column mails_proof_waiting mails_of_orders not null default 'OWN_ORDERS',
  add column mails_shipment_shipped mails_of_orders not null default 'ALL_ORDERS';

-- Where a partner is told what needs its attention.
alter table partner add column alert_emails text[] not null default '{}';

-- Mails to people: the outbox, and the record of what became of each.
create table mail (
  mail_id uuid primary key,
  kind text not null,
  recipient text not null,
  -- null = of no site
  site_id int,
  partner_id uuid,
  order_number bigint,
  -- what else its text is made from: AboutOf of src/platform/mail/letters/mail-kinds.ts
  about jsonb not null default '{}',
  -- the end of the link that lets a person in, sealed; null once the mail left
  secret_sealed bytea,
  -- of an alert: nobody is told twice of the same occasion
  occasion text constraint mail_once unique,
  status text not null default 'QUEUED' constraint mail_status_known check (status in ('QUEUED', 'SENT', 'KEPT', 'FAILED')),
  -- why it failed, or why the latest attempt did
  reason text,
  -- the words of the mail server: untrusted text
  reason_detail text,
  -- as last composed, without the link that lets a person in; null = not composed yet
  subject text,
  text_body text,
  html_body text,
  headers jsonb not null default '{}',
  attempts int not null default 0,
  -- how often it was put into the queue: each time is a message of its own
  sendings int not null default 1,
  -- only the holder of the latest claim may record what became of it
  claims int not null default 0,
  -- the next attempt; of an attempt under way, the end of its lease
  due_on timestamptz(3) not null default now(),
  gives_up_on timestamptz(3) not null,
  created_on timestamptz(3) not null,
  ended_on timestamptz(3)
-- Each row is soon updated twice, by its claim and by its outcome.
) with (fillfactor = 70);
create index mail_due on mail (due_on) where status = 'QUEUED';
create index mail_newest on mail (created_on desc, mail_id desc);
create index mail_by_kind on mail (kind, created_on desc, mail_id desc);
create index mail_by_status on mail (status, created_on desc, mail_id desc);
create index mail_by_recipient on mail (lower(recipient collate "C"), created_on desc, mail_id desc);
create index mail_by_order on mail (order_number, created_on desc, mail_id desc) where order_number is not null;

-- Addresses that refused mail for good. Nothing is sent to them until staff clear them.
create table bounced_address (
  bounced_address_id int generated always as identity primary key,
  -- in lower case
  address text not null constraint bounced_address_once unique,
  reason text not null,
  noted_on timestamptz(3) not null
);
