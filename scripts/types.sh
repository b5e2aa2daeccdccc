#!/usr/bin/env bash
# Checks the types of the ES modules with the checker that package-lock.json of the folder $1
# pins, by each tsconfig*.json of it. node_modules is kept from one run to the next; browser tests read
# axe-core there.
set -euo pipefail
cd "$1"
if [ ! -e node_modules/.package-lock.json ] ||
	[ package-lock.json -nt node_modules/.package-lock.json ]; then
	out=$(npm ci --no-audit --no-fund --loglevel=error 2>&1) || { echo "$out" >&2; exit 1; }
	touch node_modules/.package-lock.json
fi
for project in tsconfig*.json; do
	node_modules/.bin/tsc --project "$project"
done
