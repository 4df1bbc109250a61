-- A stock file names the newest import that its figures contain, so that it is not counted twice.
create index stock_movement_imported on stock_movement (variant_id, stock_movement_id) where kind = 'IMPORTED';
