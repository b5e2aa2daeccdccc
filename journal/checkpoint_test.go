package journal

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"pgregory.net/rapid"
)

// key returns a signer and its verifier made from fixed bytes, and the verifier's text.
func key(t fatal, name string, seed byte) (note.Signer, note.Verifier, string) {
	t.Helper()
	skey, vkey, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)), name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := note.NewSigner(skey)
	if err != nil {
		t.Fatal(err)
	}
	v, err := note.NewVerifier(vkey)
	if err != nil {
		t.Fatal(err)
	}
	return s, v, vkey
}

func TestSign_Text(t *testing.T) {
	t.Parallel()
	s, _, _ := key(t, "hall.example", 1)
	_, head := grow(t, 3, by(3))
	signed, err := Sign(head, s)
	if err != nil {
		t.Fatal(err)
	}
	want := "hall.example\n3\n" + base64.StdEncoding.EncodeToString(head.Root[:]) +
		"\n\n— hall.example "
	if !strings.HasPrefix(string(signed), want) {
		t.Errorf("checkpoint is %q, want %q…", signed, want)
	}
}

func TestCheckpoint_RoundTrip(t *testing.T) {
	t.Parallel()
	s, v, _ := key(t, "hall.example", 1)
	rapid.Check(t, func(t *rapid.T) {
		head := Head{
			rapid.Int64Range(0, maxSize).Draw(t, "size"),
			Hash(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "root")),
		}
		signed, err := Sign(head, s)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Open(signed, v)
		if err != nil || c.Head != head || c.Origin != "hall.example" {
			t.Errorf("opened as %v, %v", c, err)
		}
	})
}

// TestOpen_RefusesEveryFlippedBit changes each bit of a checkpoint; what is left of the
// signature's name, key and text must all hold.
func TestOpen_RefusesEveryFlippedBit(t *testing.T) {
	t.Parallel()
	s, v, _ := key(t, "hall.example", 1)
	_, head := grow(t, 3, by(3))
	signed, err := Sign(head, s)
	if err != nil {
		t.Fatal(err)
	}
	for bit := range 8 * len(signed) {
		changed := bytes.Clone(signed)
		changed[bit/8] ^= 1 << (bit % 8)
		if _, err := Open(changed, v); err == nil {
			t.Errorf("bit %d flipped and accepted: %q", bit, changed)
		}
	}
	for n := range signed {
		if _, err := Open(signed[:n], v); err == nil {
			t.Errorf("the first %d bytes were accepted", n)
		}
	}
}

func TestOpen_OtherKeys(t *testing.T) {
	t.Parallel()
	ours, v, _ := key(t, "hall.example", 1)
	theirs, _, _ := key(t, "other.example", 2)
	imposter, _, _ := key(t, "hall.example", 3)
	cosigner, witness, _ := key(t, "regulator.example", 4)
	_, head := grow(t, 3, by(3))
	sign := func(text string, signers ...note.Signer) []byte {
		signed, err := note.Sign(&note.Note{Text: text}, signers...)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	body := "hall.example\n3\n" + head.Root.String() + "\n"
	good := sign(body, ours)
	cosigned, err := Cosign(good, v, cosigner)
	if err != nil {
		t.Fatal(err)
	}
	// One letter in the middle of the last line, which is the cosignature.
	forged := bytes.Clone(cosigned)
	forged[len(forged)-40] = 'A' + (forged[len(forged)-40]-'A'+1)%26
	for _, tc := range []struct {
		name      string
		signed    []byte
		cosigners []note.Verifier
		want      error
	}{
		{"the operator's", good, nil, nil},
		{"another operator's", sign("other.example\n3\n"+head.Root.String()+"\n", theirs), nil, ErrOtherKey},
		{"the same name with another key", sign(body, imposter), nil, ErrOtherKey},
		{"the journal of another, signed by the operator", sign("x\n3\n"+head.Root.String()+"\n", ours), nil, ErrOtherKey},
		{"only a cosigner's", sign(body, cosigner), []note.Verifier{witness}, ErrOtherKey},
		{"cosigned by one we do not know", cosigned, nil, nil},
		{"cosigned by one we know", cosigned, []note.Verifier{witness}, nil},
		{"a cosignature that does not hold", forged, []note.Verifier{witness}, ErrSignature},
		{"lines of others after ours", sign(body+"more\n", ours), nil, nil},
		{"two lines", sign("hall.example\n3\n", ours), nil, ErrCheckpoint},
		{"a size with a zero before it", sign(strings.Replace(body, "3", "03", 1), ours), nil, ErrCheckpoint},
		{"a negative size", sign(strings.Replace(body, "3", "-3", 1), ours), nil, ErrCheckpoint},
		{"a size beyond reason", sign(strings.Replace(body, "3", "9000000000000000000", 1), ours), nil, ErrCheckpoint},
		{"a root that is none", sign("hall.example\n3\nabcd\n", ours), nil, ErrCheckpoint},
		{"no signature", []byte(body), nil, ErrCheckpoint},
		{"too long", bytes.Repeat([]byte("x"), maxCheckpoint+1), nil, ErrCheckpoint},
	} {
		if _, err := Open(tc.signed, v, tc.cosigners...); !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.name, err, tc.want)
		}
	}
	c, err := Open(cosigned, v, witness)
	if err != nil || !slices.Equal(c.Cosigners, []string{"regulator.example"}) {
		t.Errorf("cosigners are %v, %v", c.Cosigners, err)
	}
}

// TestOpen_BadSignatures says which signature does not hold.
func TestOpen_BadSignatures(t *testing.T) {
	t.Parallel()
	ours, v, _ := key(t, "hall.example", 1)
	_, head := grow(t, 3, by(3))
	signed, err := Sign(head, ours)
	if err != nil {
		t.Fatal(err)
	}
	lie := bytes.Replace(signed, []byte("\n3\n"), []byte("\n4\n"), 1)
	if _, err := Open(lie, v); !errors.Is(err, ErrSignature) {
		t.Errorf("another size: %v", err)
	}
	if _, err := Cosign(lie, v, ours); !errors.Is(err, ErrSignature) {
		t.Errorf("cosigning a lie: %v", err)
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	_, _, one := key(t, "hall.example", 1)
	_, _, two := key(t, "hall.example", 2)
	if got := Fingerprint(one); len(got) != 39 || strings.Count(got, "-") != 7 {
		t.Errorf("fingerprint is %q", got)
	}
	if Fingerprint(one) == Fingerprint(two) {
		t.Error("two keys have one fingerprint")
	}
}

func FuzzOpen(f *testing.F) {
	s, v, _ := key(f, "hall.example", 1)
	_, head := grow(f, 3, by(3))
	signed, _ := Sign(head, s)
	f.Add(signed)
	f.Add([]byte("hall.example\n3\nAAAA\n\n— hall.example AAAA\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Open(text, v)
		if err == nil && c.Head != head {
			t.Errorf("a checkpoint that nobody signed was accepted: %q", text)
		}
		if err != nil && c.Size != 0 {
			t.Errorf("%v with %v", err, c)
		}
	})
}
