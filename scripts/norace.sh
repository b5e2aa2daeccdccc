#!/usr/bin/env bash
# Runs the tests of the files tagged !race: those too heavy for the race detector, and those
# of a browser, where most of the work is the browser's. Called by `make test`, which sets GO.
set -euo pipefail
mapfile -t files < <(git ls-files --cached --others --exclude-standard --deduplicate '*_test.go' |
	xargs ls -d 2>/dev/null | xargs grep -lx '//go:build !race')
names=$(sed -nE 's/^func (Test[A-Za-z0-9_]+)\(t \*testing\.T\).*/\1/p' "${files[@]}" | sort -u | paste -sd '|')
# The longest first.
mapfile -t packages < <(printf './%s\n' "${files[@]%/*}" | sort -ru)
$GO test -vet=off -count=1 -timeout 40m -run "^($names)\$" "${packages[@]}"
