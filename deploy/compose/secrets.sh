#!/bin/sh
# Makes the secrets of deploy/compose.yaml in `secrets/` of this folder, or of the one that is named, once. Only whoever runs
# it may look into the folder. The files in it are read by containers, each as a user of its own.
set -eu
folder="${1:-secrets}"
mkdir -m 700 "$folder"
umask 022
random() { openssl rand -hex 24; }
keep() { printf %s "$2" > "$folder/$1"; }
owner=$(random) service=$(random) redis=$(random)
keep secret-keys "$(openssl rand -hex 32)"
keep database-superuser "$(random)"
keep database-owner "$owner"
keep database-service "$service"
for database in production sandbox; do
  prefix=$(if [ $database = sandbox ]; then echo sandbox-; fi)
  keep "${prefix}database-url" "postgres://commerce_service:$service@database/$database"
  keep "${prefix}migration-database-url" "postgres://commerce_owner:$owner@database/$database"
done
keep redis-url "redis://default:$redis@redis:6379"
keep redis-users "user default on >$redis ~* &* +@all"
keep s3-access-key "$(random)"
keep s3-secret-key "$(random)"
