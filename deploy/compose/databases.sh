#!/bin/sh
# Run once by the database, when it is empty: the two roles and the two databases of docs/operations.md.
set -eu
psql --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" \
  --set owner="$(cat /run/secrets/database-owner)" --set service="$(cat /run/secrets/database-service)" <<'SQL'
create role commerce_owner login password :'owner';
create role commerce_service login password :'service';
create database production owner commerce_owner;
create database sandbox owner commerce_owner;
revoke temporary on database production, sandbox from public;
SQL
