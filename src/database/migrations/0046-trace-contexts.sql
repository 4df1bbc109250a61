-- lives-with: 0037-people.sql
-- Where the trace of a request goes on, as the header `traceparent` of W3C Trace Context; null = there is none
alter table submission
  add column trace_context text constraint submission_trace_context_form check (
    trace_context ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$'
  );
alter table event
  add column trace_context text constraint event_trace_context_form check (
    trace_context ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$'
  ),
  -- the partner whose request it was: no other partner's receiver gets it. Null = it was none of a partner
  add column traced_partner_id uuid;
alter table webhook_delivery
  add column trace_context text constraint webhook_delivery_trace_context_form check (
    trace_context ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$'
  );
