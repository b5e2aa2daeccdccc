#!/usr/bin/env bash
# Fails when a generated page is not what its source gives now. It works on a copy, so that
# a check never changes the tree. (The register's evidence has a test of its own, in
# internal/evidence.)
set -euo pipefail
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard --deduplicate '*.templ' go.mod |
	xargs -0 tar -cf - | tar -xf - -C "$copy"
$TOOL templ generate -path "$copy" >/dev/null 2>"$copy/log" || { cat "$copy/log" >&2; exit 1; }
stale=$( (cd "$copy" && find . -name '*_templ.go') | while read -r f; do
	cmp -s "$copy/$f" "$f" || echo "${f#./}"
done)
orphans=$(git ls-files --cached --others --exclude-standard --deduplicate '*_templ.go' |
	while read -r f; do [ -e "$copy/$f" ] || [ ! -e "$f" ] || echo "$f"; done)
if [ -n "$stale$orphans" ]; then
	printf 'stale; run make generate and commit (or remove what has no source):\n%s\n' \
		"$stale$orphans" >&2
	exit 1
fi
