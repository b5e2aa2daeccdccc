#!/usr/bin/env bash
# Runs every fuzz target for the time $1, one after the other.
set -euo pipefail
git grep -hE --untracked '^func Fuzz[A-Za-z0-9_]+\(' -- '*_test.go' >/dev/null || exit 0
git grep -oE --untracked '^func Fuzz[A-Za-z0-9_]+' -- '*_test.go' |
	sed -E 's|^([^:]*/)?[^/:]*:func (.*)$|./\1 \2|' | while read -r dir target; do
	echo "fuzz: $dir $target"
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" "$dir" </dev/null
done
