-- The newest results of print files, which the staff console is told of.
create index artwork_inspection_ended_newest on artwork_inspection (inspected_on) where print_file_id is not null;
