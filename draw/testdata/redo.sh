#!/bin/sh
# redo.sh makes commitments, keystreams and unit leaves again with openssl 3 alone.
#
#   redo.sh commit USE ID SECRET            the commitment, in hexadecimal
#   redo.sh stream USE ID SECRET SALT LEN   the first LEN bytes of the keystream
#   redo.sh leaf   BLOCK INDEX OUTCOME SEED the leaf of a unit
#
# SECRET, SALT and SEED are hexadecimal; SALT may be empty.
set -eu

# bytes writes the bytes that hexadecimal digits say, through octal: all that printf must know.
bytes() { printf "$(printf '\\%03o' $(printf %s "$1" | sed 's/../0x& /g'))"; }

# hex reads bytes and writes hexadecimal digits.
hex() { od -An -v -tx1 | tr -d ' \n'; }

# little writes a number little-endian in so many bytes.
little() {
	n=$1 i=0
	while [ $i -lt "$2" ]; do
		bytes "$(printf %02x $((n % 256)))"
		n=$((n / 256)) i=$((i + 1))
	done
}

case $1 in
commit)
	{ printf 'boulier/commit/v1\n%s\n%s\n' "$2" "$3"; bytes "$4"; } |
		openssl dgst -sha256 -binary | hex
	;;
stream)
	salt=$5
	[ -n "$salt" ] || salt=00 # HMAC fills a short key with zeros: 00 is the empty salt
	key=$(openssl kdf -binary -keylen 32 -kdfopt digest:SHA2-256 -kdfopt hexkey:"$4" \
		-kdfopt hexsalt:"$salt" -kdfopt info:"boulier/v1/$2/$3" HKDF | hex)
	head -c "$6" /dev/zero |
		openssl enc -aes-256-ctr -K "$key" -iv 00000000000000000000000000000000 | hex
	;;
leaf)
	{
		printf '\000boulier/unit/v1\n'
		little ${#2} 4
		printf %s "$2"
		little "$3" 8
		little "$4" 2
		bytes "$5"
	} | openssl dgst -sha256 -binary | hex
	;;
esac
echo
