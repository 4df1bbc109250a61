-- A share is of its master's service type, so the catalog may be filtered by the row itself, without its master.
alter table product
  add constraint product_of_service_type unique (product_number, service_type),
  add constraint product_share_of_service_type foreign key (master_number, service_type)
    references product (product_number, service_type);

-- The catalog's list, site by site and type by type.
create index product_by_service_type on product (site_id, service_type, product_number);
