-- lives-with: 0037-people.sql
-- A submission is soon updated with its outcome, which makes it half as long again. With room on its page, only what changed
-- goes to the WAL, and the pages are full in the end.
alter table submission set (fillfactor = 70);
