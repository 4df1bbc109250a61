-- The one search of staff. Exact numbers are found by the keys of their tables; here stands what finds texts.
-- A beginning of a text is a range of its bytes, so these indexes are in byte order.

create index orders_by_partner_order_id on orders (lower(partner_order_id) collate "C")
  where partner_order_id is not null;
-- The order of a rejected submission does not exist, so the partner's id is found here.
create index submission_failed_by_partner_order_id on submission (lower(partner_order_id) collate "C")
  where status = 'failed';
create index shipment_package_by_tracking_number on shipment_package
  (upper(replace(tracking_number, ' ', '')) collate "C")
  where tracking_number is not null;
create index variant_by_folded_sku on variant (lower(sku) collate "C") where sku is not null;
create index product_by_folded_code on product (lower(code) collate "C");
create index webhook_delivery_by_event on webhook_delivery (event_id collate "C");

-- The words of a text, folded as search_text does, each as a lexeme.
create function words_to_find(given text) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(array_remove(string_to_array(search_text(given), ' '), ''));

create index site_user_by_words on site_user using gin (
  words_to_find(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(company, ''))
);
create index partner_by_words on partner using gin (words_to_find(name));
create index site_by_words on site using gin (words_to_find(name));
create index product_by_words on product using gin (words_to_find(name));

-- The words by which staff find an order: of its recipient, of the names of its jobs, and the recipient's e-mail address as a
-- whole. A word that many orders share gives the newest of them first from the key alone, however many there are. Only
-- triggers write this table; it has no foreign key, because it would be checked for every word of every new order.
create table order_search_word (
  word text collate "C" not null,
  order_number bigint not null,
  -- where it stands: n = the recipient's name, c = company, e = e-mail address, j = a job's name
  found_in "char" not null,
  primary key (word, order_number, found_in)
);

-- Longer words are cut: nobody types them to the end. Most texts are plain ASCII, which search_text would fold at ten times
-- the cost.
create function order_words(given text) returns setof text
language sql immutable parallel safe rows 3
begin atomic
  select left(word, 60) from string_to_table(
    case when octet_length(given) = length(given)
      then translate(lower(left(given, 300)), E' \t\n!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', repeat(' ', 35))
      else search_text(left(given, 300))
    end, ' ') as word
  where word <> '';
end;

create function order_search_follows_new_orders() returns trigger language plpgsql as $$
begin
  insert into order_search_word (word, order_number, found_in)
  select distinct word, order_number, found_in
  from new_row
  cross join lateral (
    values ('n'::"char", ship_to ->> 'name'), ('c', ship_to ->> 'company')
  ) as said(found_in, says)
  cross join lateral order_words(says) as word
  union all
  select left(lower(ship_notification_email), 60), order_number, 'e' from new_row
  where ship_notification_email is not null;
  return null;
end
$$;

create function order_search_follows_new_lines() returns trigger language plpgsql as $$
begin
  insert into order_search_word (word, order_number, found_in)
  select word, order_number, 'j'::"char" from new_row cross join lateral order_words(job_name) as word
  -- A line that comes later may bear a word of an earlier one.
  on conflict do nothing;
  return null;
end
$$;

-- An order whose lines go to several addresses has none of its own.
create function order_search_follows_new_shipments() returns trigger language plpgsql as $$
begin
  insert into order_search_word (word, order_number, found_in)
  select word, order_number, found_in
  from new_row
  join orders using (order_number)
  cross join lateral (
    values ('n'::"char", new_row.ship_to ->> 'name'), ('c', new_row.ship_to ->> 'company')
  ) as said(found_in, says)
  cross join lateral order_words(says) as word
  where orders.ship_to is null
  on conflict do nothing;
  return null;
end
$$;

-- A word of the changed text may stand elsewhere in the order, so all of the order's words are written again.
create function refresh_order_search(changed_order bigint, former text) returns void language plpgsql as $$
begin
  delete from order_search_word
  where order_number = changed_order and (word in (select order_words(former)) or word = left(lower(former), 60));
  insert into order_search_word (word, order_number, found_in)
  select word, changed_order, found_in
  from (
    select 'n'::"char" as found_in, ship_to ->> 'name' as says from orders where order_number = changed_order
    union all
    select 'c', ship_to ->> 'company' from orders where order_number = changed_order
    union all
    select 'n', shipment.ship_to ->> 'name' from shipment join orders using (order_number)
    where order_number = changed_order and orders.ship_to is null
    union all
    select 'c', shipment.ship_to ->> 'company' from shipment join orders using (order_number)
    where order_number = changed_order and orders.ship_to is null
    union all
    select 'j', job_name from order_line where order_number = changed_order
  ) as said
  cross join lateral order_words(says) as word
  union all
  select left(lower(ship_notification_email), 60), changed_order, 'e' from orders
  where order_number = changed_order and ship_notification_email is not null
  on conflict do nothing;
end
$$;

create function order_search_follows_order() returns trigger language plpgsql as $$
begin
  perform refresh_order_search(old.order_number, said) from (
    values (concat_ws(' ', old.ship_to ->> 'name', old.ship_to ->> 'company')), (old.ship_notification_email)
  ) as former(said)
  where said is not null;
  return null;
end
$$;

create function order_search_follows_shipment() returns trigger language plpgsql as $$
begin
  perform refresh_order_search(old.order_number, concat_ws(' ', old.ship_to ->> 'name', old.ship_to ->> 'company'));
  return null;
end
$$;

create function order_search_follows_line() returns trigger language plpgsql as $$
begin
  perform refresh_order_search(old.order_number, coalesce(old.job_name, ''));
  return null;
end
$$;

create trigger order_search_on_insert after insert on orders
  referencing new table as new_row
  for each statement execute function order_search_follows_new_orders();
create trigger order_search_on_line_insert after insert on order_line
  referencing new table as new_row
  for each statement execute function order_search_follows_new_lines();
create trigger order_search_on_shipment_insert after insert on shipment
  referencing new table as new_row
  for each statement execute function order_search_follows_new_shipments();
-- A trigger with a column list does not fire unless a statement sets one of these columns.
create trigger order_search_on_update after update of ship_to, ship_notification_email on orders
  for each row when ((old.ship_to, old.ship_notification_email)
    is distinct from (new.ship_to, new.ship_notification_email))
  execute function order_search_follows_order();
create trigger order_search_on_shipment_update after update of ship_to on shipment
  for each row when (old.ship_to is distinct from new.ship_to)
  execute function order_search_follows_shipment();
create trigger order_search_on_line_update after update of job_name on order_line
  for each row when (old.job_name is distinct from new.job_name)
  execute function order_search_follows_line();
-- Orders are deleted by resets of a sandbox only.
create trigger order_search_on_delete after delete on orders
  for each row execute function order_search_follows_order();
create trigger order_search_on_shipment_delete after delete on shipment
  for each row execute function order_search_follows_shipment();
create trigger order_search_on_line_delete after delete on order_line
  for each row execute function order_search_follows_line();
