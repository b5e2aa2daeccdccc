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
vulns=$($TOOL govulncheck -db "file://$vulndb/data/osv" ./...) || { echo "$vulns" >&2; exit 1; }

if [ -e internal/web/check/package.json ]; then
	step "types of the ES modules"
	scripts/types.sh internal/web/check
fi
