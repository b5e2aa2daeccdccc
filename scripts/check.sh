#!/usr/bin/env bash
# All checks that do not run the program, each on one line; the first that fails ends it.
# Called by `make test`, which sets GO, TOOL and TIDY.
set -euo pipefail
step() { echo "check: $1"; }

step gofmt
unformatted=$(git ls-files -z --cached --others --exclude-standard --deduplicate '*.go' |
	xargs -0 -r ls -d 2>/dev/null | xargs -r gofmt -l)
[ -z "$unformatted" ] || { printf 'not formatted; run gofmt -w on:\n%s\n' "$unformatted" >&2; exit 1; }

step vet
$GO vet ./...

step staticcheck
$TOOL staticcheck ./...

step "generated files"
scripts/fresh.sh

if [ "$TIDY" = 1 ]; then
	step "go mod tidy"
	$GO mod tidy -diff
fi
$GO mod verify >/dev/null

step govulncheck
# The database is a module like any other, pinned in tools.mod: no network once it is here.
$GO mod download -modfile=tools.mod golang.org/x/vulndb
vulndb=$($GO list -modfile=tools.mod -m -f '{{.Dir}}' golang.org/x/vulndb)
# A fault of a module fails. One of the toolchain only warns: which patch release is at hand is
# not the project's to say (docs/operating/start.md), and the code is the same.
if ! vulns=$($TOOL govulncheck -db "file://$vulndb/data/osv" ./...); then
	found=$(grep 'Found in:' <<<"$vulns" || true)
	if [ -z "$found" ] || grep -qv '@go[0-9]' <<<"$found"; then
		echo "$vulns" >&2
		exit 1
	fi
	echo "check: $($GO env GOVERSION) has $(wc -l <<<"$found") known faults of its own:" \
		"build public servers with the newest patch release"
fi

if [ -e internal/web/check/package.json ]; then
	step "types of the ES modules"
	scripts/types.sh internal/web/check
fi
