-- The request that brought the submission, which a partner quotes when asking for help; null on those from before. No
-- index: what has ended is found by its audit record, and what is still open is little.
alter table submission add column request_id uuid;
