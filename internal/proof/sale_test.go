package proof

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"testing"

	"boulier/regs/regstest"
)

// zeroA is « 0a » so many times.
func zeroA(bytes int) string { return strings.Repeat("0a", bytes) }

// TestParseSale checks that the payload of a sale has one form.
func TestParseSale(t *testing.T) {
	t.Parallel()
	const open = `{"block":"b","index":7,"outcome":1,"stake":200,"prize":500`
	plain, words := open+`,"buyer":"`+zeroA(32)+`","rules":3}`, open+`,"board":2,"buyer":"`+zeroA(32)+`","rules":3}`
	want := Sale{Block: "b", Index: 7, Outcome: 1, Stake: 200, Prize: 500, Buyer: Hash(bytes.Repeat([]byte{10}, 32)), Rules: 3}
	for _, text := range []string{plain, words} {
		got, err := ParseSale([]byte(text))
		if err != nil || got != want || string(got.Append(nil)) != text {
			t.Errorf("%s: read as %+v, %v; want %+v", text, got, err, want)
		}
		want.Board = 2
	}
	for _, tc := range [][2]string{ // in words, what is put in its place
		{`"index":7`, `"index":07`}, {`"index":7`, `"index":-7`}, {`"index":7`, `"index":7.0`}, {`"index":7`, `"index":null`},
		{`"index":7`, `"index":`}, {`"index":7`, `"index":9007199254740992`}, {`"outcome":1`, `"outcome":65536`},
		{`"prize":500`, `"prize":18446744073709551616`}, {`"board":2`, `"board":0`}, {`"board":2,`, `"board":2,"board":2,`},
		{`"block":"b"`, `"block":""`}, {`"block":"b"`, `"block":"\u0062"`}, {`"block":"b"`, `"block":"a/b"`},
		{`"block":"b"`, `"block":"` + strings.Repeat("b", 65) + `"`}, {`{"block"`, `{ "block"`}, {`"0a`, `"0A`}, {`"0a`, `"a`},
		{`3}`, `3} `}, {`3}`, `3,"player":7}`}, {`3}`, `3`}, {`"rules":3`, `"rules":"3"`}, {words, ``}, {words, `null`},
	} {
		text := strings.Replace(words, tc[0], tc[1], 1)
		if s, err := ParseSale([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", text, s)
		}
	}
	most := strings.Replace(words, `"rules":3`, `"rules":9007199254740991`, 1)
	if s, err := ParseSale([]byte(most)); err != nil || s.Rules != 1<<53-1 {
		t.Errorf("%s: %+v, %v", most, s, err)
	}
}

// TestParseSold checks that a line of a sale has one form.
func TestParseSold(t *testing.T) {
	t.Parallel()
	salt, buyer := `"salt":"`+zeroA(16)+`"`, `"buyer":"`+zeroA(32)+`"`
	for _, tc := range []struct {
		line string
		read bool
	}{
		{`{"at":7,` + salt + `,` + buyer + `,"rules":1}`, true},
		{`{"at":0,` + salt + `,` + buyer + `,"rules":0,"board":64}`, true},
		{`{"at":07,` + salt + `,` + buyer + `,"rules":1}`, false},
		{`{"at":+7,` + salt + `,` + buyer + `,"rules":1}`, false},
		{`{"at":-7,` + salt + `,` + buyer + `,"rules":1}`, false},
		{`{"at":7.0,` + salt + `,` + buyer + `,"rules":1}`, false},
		{`{"at":7,` + strings.ToUpper(salt) + `,` + buyer + `,"rules":1}`, false},
		{`{"at":7,` + strings.Replace(salt, "0a", "0A", 1) + `,` + buyer + `,"rules":1}`, false},
		{`{"at":7,` + strings.Replace(salt, "0a", "a", 1) + `,` + buyer + `,"rules":1}`, false},
		{`{"at":7,` + salt + `,` + strings.Replace(buyer, "0a", "0g", 1) + `,"rules":1}`, false},
		{`{"at":7,` + buyer + `,` + salt + `,"rules":1}`, false},
		{`{"at":7,` + salt + `,` + buyer + `,"rules":1,"board":0}`, false},
		{`{"at":7,` + salt + `,` + buyer + `,"board":1,"rules":1}`, false},
		{`{"at":7,` + salt + `,` + buyer + `,"rules":1} `, false},
		{`{"at":7,` + salt + `,` + buyer + `,"rules":}`, false},
		{`{"at":7,` + salt + `,` + buyer + `}`, false},
		{``, false},
	} {
		s, err := parseSold([]byte(tc.line))
		if again := string(s.append(nil)); (err == nil) != tc.read || tc.read && again != tc.line {
			t.Errorf("%s: %+v, %v", tc.line, s, err)
		}
	}
}

// TestBuyer_Digest holds the bytes of which a buyer's digest is taken, and that two sales to
// one player have nothing in common.
func TestBuyer_Digest(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:37")
	b := Buyer{Player: 0x0102, Blind: Blind{1, 2, 3}}
	text := append([]byte("boulier/buyer/v1\n\x01\x02\x03"), make([]byte, 13)...)
	if got := b.Digest(); got != sha256.Sum256(append(text, 2, 1, 0, 0, 0, 0, 0, 0)) {
		t.Errorf("the digest is %x", got)
	}
	other := b
	if other.Blind[15]++; other.Digest() == b.Digest() {
		t.Error("another blind gives the same digest")
	}
	other = b
	if other.Player++; other.Digest() == b.Digest() {
		t.Error("another player gives the same digest")
	}
}
