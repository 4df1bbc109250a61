-- Finds the zones a destination may lie in, from its postal prefixes to its country, in one scan.
create index shipping_zone_by_place on shipping_zone
  (fulfilment_center_id, country_code, coalesce(state_code, ''), coalesce(postal_prefix, ''));
