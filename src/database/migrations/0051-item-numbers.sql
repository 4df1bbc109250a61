-- lives-with: 0037-people.sql
-- An item number is unique by itself, and order_line_item_number_unique finds it.
alter table order_line drop constraint order_line_order;
