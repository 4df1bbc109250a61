-- what staff asked to charge for it, without tax; order_line.line_total has what it is charged
alter table reprint add column charge numeric not null default 0 constraint reprint_charge_not_negative check (charge >= 0);
