#!/usr/bin/env bash
# Checks the types of the ES modules: `npm run check` in the folder $1, whose package-lock.json
# pins the checker. node_modules is kept from one run to the next.
set -euo pipefail
cd "$1"
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
	out=$(npm ci --no-audit --no-fund --loglevel=error 2>&1) || { echo "$out" >&2; exit 1; }
	touch node_modules/.package-lock.json
fi
npm run --silent check
