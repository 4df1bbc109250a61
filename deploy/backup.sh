#!/bin/sh
# Backs the databases up with pgBackRest, if this machine has the primary, and notes in the database when that began: the
# service tells it as a metric, and an alert says when backups no longer come.
set -eu
cd /
socket=${PGHOST:-/var/run/postgresql}
ask() { runuser -u postgres -- psql --host="$socket" --dbname=production --quiet --no-align --tuples-only --command="$1"; }

standby=$(ask 'select pg_is_in_recovery()')
if [ "$standby" = t ]; then exit 0; fi
began=$(date +%s)
runuser -u postgres -- pgbackrest --stanza=commerce --type=full backup
ask "alter database production set partner_commerce.backup_start_timestamp_seconds = $began"
