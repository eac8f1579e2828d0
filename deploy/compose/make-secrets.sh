#!/bin/sh
# Makes the secrets of compose.yaml in ./secrets, once. It replaces none: a lost signing-key makes the keys in the database useless.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
	echo 'secrets/ exists already; nothing was changed.' >&2
	exit 1
fi
# Only this user gets into the folder. Containers get single files, which their users must be able to read.
mkdir -m 700 secrets
umask 022
new_password() { openssl rand -hex 24; }
new_password >secrets/superuser-password
for role in owner server; do
	password=$(new_password)
	name=watchword
	[ "$role" = owner ] && name=watchword_owner
	echo "$password" >"secrets/$role-password"
	echo "postgres://$name:$password@database/watchword" >"secrets/$role-url"
done
openssl rand -base64 32 >secrets/signing-key
echo 'Made secrets/. Keep a copy of secrets/signing-key in another place than the backups of the database.'
