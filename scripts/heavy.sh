#!/usr/bin/env bash
# Prints the packages that have tests too heavy for the race detector, one a line.
set -euo pipefail
git ls-files --cached --others --exclude-standard --deduplicate '*_heavy_test.go' |
	sed -E 's|^|./|; s|/[^/]*$||' | sort -u
