-- Finds the zones a destination may lie in, from its postal prefixes to its country, in one scan.
create index shipping_zone_by_place on shipping_zone
  (fulfilment_center_id, country_code, coalesce(state_code, ''), coalesce(postal_prefix, ''));

-- Finds the first rate that holds a weight, of a zone or (0) of all zones.
create index shipping_rate_by_weight on shipping_rate (shipping_service_id, coalesce(zone, 0), up_to_ounces);
