#!/usr/bin/env bash
# Installs what the tests need and this machine lacks. On Debian it does so by itself, as
# root or through sudo; elsewhere it says what to install. It never goes on without.
set -euo pipefail

# newest_pg prints the folder of PostgreSQL's server programs that Debian keeps off the PATH.
newest_pg() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1; }

missing=()
need() { command -v "$1" >/dev/null || missing+=("$2"); }
need git git
need openssl openssl
need gcc gcc # the race detector needs a C compiler; the program itself does not
[ -e /usr/include/stdlib.h ] || [ "$(uname)" != Linux ] || missing+=(libc6-dev)
[ -e /etc/ssl/certs/ca-certificates.crt ] || [ "$(uname)" != Linux ] || missing+=(ca-certificates)
command -v initdb >/dev/null || [ -x "$(newest_pg)/initdb" ] || missing+=(postgresql)
command -v pdftoppm >/dev/null || missing+=(poppler-utils)
command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
# The face of the pages until their own has come is measured on this one (static/css/tokens.css).
[ -d /usr/share/fonts/truetype/liberation ] || [ "$(uname)" != Linux ] || missing+=(fonts-liberation)
need node nodejs
need npm npm

if [ "${#missing[@]}" -gt 0 ]; then
	echo "setup: installing ${missing[*]}"
	if ! command -v apt-get >/dev/null; then
		echo "setup: this is not Debian: install ${missing[*]} and run again" >&2
		exit 1
	fi
	as_root=()
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null || {
			echo "setup: needs root for: apt-get install ${missing[*]}" >&2
			exit 1
		}
		as_root=(sudo -n)
	fi
	fast=()
	# Some hundred packages, each synced to disk: for a machine that is thrown away afterwards
	# that is minutes lost.
	[ -z "${CI:-}" ] || fast=(-o Dpkg::Options::=--force-unsafe-io)
	log=$(mktemp)
	trap 'rm -f "$log"' EXIT
	if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y --no-install-recommends "${fast[@]}" "${missing[@]}"; } </dev/null >"$log" 2>&1; then
		tail -20 "$log" >&2
		echo "setup: could not install ${missing[*]}" >&2
		exit 1
	fi
fi

# Debian's own Go may be too old to read go.mod, and no package brings a newer one.
if ! command -v go >/dev/null || ! go list -m >/dev/null 2>&1; then
	echo "setup: needs Go $(sed -n 's/^go //p' go.mod) or newer" >&2
	exit 1
fi
# Otherwise each module is announced where it is first used.
go mod download && go mod download -modfile=tools.mod
