-- Finds the products of a site that bear a code: staff cannot give one to a second product.
create index product_by_code on product (site_id, code);
