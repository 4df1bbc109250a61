-- What else the one search of staff finds: the numbers that papers, mails and answers show, by their keys or by the indexes
-- here, and words with letters that Unicode takes for letters of their own.

create index orders_by_purchase_order_number on orders (lower(purchase_order_number) collate "C")
  where purchase_order_number is not null;
create index orders_by_project on orders (project_id) where project_id is not null;
create index order_line_by_external_id on order_line (lower(external_id) collate "C") where external_id is not null;
create index shipment_label_by_tracking_number on shipment_label (upper(replace(tracking_number, ' ', '')) collate "C")
  where tracking_number is not null;
create index product_by_template on product (lower(template_id) collate "C") where template_id is not null;
create index refund_by_folded_reference on refund (lower(reference) collate "C");
create index refund_by_outside_reference on refund (lower(outside_reference) collate "C")
  where outside_reference is not null;
create index goods_return_by_folded_reference on goods_return (lower(reference) collate "C");
create index reprint_by_folded_reference on reprint (lower(reference) collate "C");
create index credit_adjustment_by_folded_reference on credit_adjustment (lower(reference) collate "C")
  where reference is not null;

-- Letters with a stroke, ligatures and the like as people write them who lack them on their keyboard.
-- @param given a search_text
create function plain_letters(given text) returns text
language sql immutable parallel safe
return replace(replace(replace(replace(translate(given, 'øłđðħıŧςĸŋ', 'olddhitσkn'),
  'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

create or replace function words_to_find(given text) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(array_remove(string_to_array(plain_letters(search_text(given)), ' '), ''));

reindex index site_user_by_words;
reindex index partner_by_words;
reindex index site_by_words;
reindex index product_by_words;

create or replace function order_words(given text) returns setof text
language sql immutable parallel safe rows 3
begin atomic
  select left(word, 60) from string_to_table(
    case when octet_length(given) = length(given)
      then translate(lower(left(given, 300)), E' \t\n!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', repeat(' ', 35))
      else plain_letters(search_text(left(given, 300)))
    end, ' ') as word
  where word <> '';
end;

insert into order_search_word (word, order_number, found_in)
select left(plain_letters(word), 60), order_number, found_in from order_search_word
where found_in <> 'e' and word <> plain_letters(word)
on conflict do nothing;
delete from order_search_word where found_in <> 'e' and word <> plain_letters(word);
