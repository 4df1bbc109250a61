-- A partner's order as submitted; also the queue of submissions to process.
create table submission (
  submission_id uuid primary key,
  partner_id uuid not null references partner,
  partner_order_id text not null,
  site_id int not null references site,
  ordering_user_id int not null,
  -- decides whether two bodies are identical
  body_hash bytea not null,
  body jsonb not null,
  -- An order with artwork to fetch, or to draw from a template, waits for another company's host, so such orders have a
  -- queue of their own.
  with_artwork boolean not null generated always as (
    jsonb_path_exists(body, '$.lines[*] ? (exists (@.artworkUrl) || exists (@.templateVariables.*))')
  ) stored,
  status text not null default 'queued' constraint submission_status_known check (status in ('queued', 'processing', 'completed', 'failed')),
  -- while processing: when another worker may take over
  leased_until timestamptz(3),
  -- the number of claims: only the latest claim may end the submission, which fences off a worker after its lease
  -- lapsed
  claims int not null default 0,
  -- claims that ended in a bug instead of an outcome
  failures int not null default 0,
  -- the request that sent it, which a partner quotes when asking for help. It has no index: for an ended submission the
  -- audit record finds it, and few are open
  request_id uuid,
  order_number bigint,
  -- the published `order` and `errors`, as they were when the submission ended
  outcome jsonb,
  -- of a failed one: why, a word for each of the errors of its outcome
  reasons text[],
  created_on timestamptz(3) not null,
  updated_on timestamptz(3) not null,
  constraint submission_key unique (partner_id, partner_order_id),
  constraint submission_ends_with_outcome check ((status in ('completed', 'failed')) = (outcome is not null))
);
create index submission_newest on submission (partner_id, created_on desc, submission_id desc);
-- staff's list: of each site the newest, or all that failed
create index submission_of_site on submission (site_id, created_on desc, submission_id desc);
create index submission_failed on submission (created_on desc, submission_id desc) where status = 'failed';
-- the workers' two queues: small, whatever the history
create index submission_open_plain on submission (created_on)
  where status in ('queued', 'processing') and not with_artwork;
create index submission_open_artwork on submission (partner_id, created_on)
  where status in ('queued', 'processing') and with_artwork;
