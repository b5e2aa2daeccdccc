package journal

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// ball is the leaf of the vectors: what docs/verify.md shows.
var ball = Header{
	Stream: "bingo/round/17", Number: 42,
	At: time.UnixMicro(1764460311000001).UTC(), Kind: "ball_drawn",
}

func TestNewLeaf_Vector(t *testing.T) {
	t.Parallel()
	leaf, err := NewLeaf(ball, Salt{0: 1, 15: 255}, []byte(`{"ball":7}`))
	if err != nil {
		t.Fatal(err)
	}
	// Made with openssl, as docs/verify.md shows.
	want := "boulier/leaf/v1 bingo/round/17 42 1764460311000001 ball_drawn " +
		"a8db08ef914620e13bcc0c123a77445b8ec2f55c07fd6496645b83babd41da1b"
	if got := string(leaf); got != want {
		t.Errorf("leaf is %q", got)
	}
	if got := LeafHash(leaf).String(); got != "7BLAuWbgIscKGss70v5FNTopTSqZpcsDMseXqSDoX8w=" {
		t.Errorf("leaf hash is %s", got)
	}
}

func TestNewLeaf_Refusals(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		change func(h *Header)
	}{
		{"no stream", func(h *Header) { h.Stream = "" }},
		{"a space in the stream", func(h *Header) { h.Stream = "bingo/round 17" }},
		{"an empty part", func(h *Header) { h.Stream = "bingo//17" }},
		{"a part that climbs", func(h *Header) { h.Stream = "bingo/.." }},
		{"a stream too long", func(h *Header) { h.Stream = Stream(strings.Repeat("a", 201)) }},
		{"number 0", func(h *Header) { h.Number = 0 }},
		{"before 1970", func(h *Header) { h.At = time.UnixMicro(-1) }},
		{"half a microsecond", func(h *Header) { h.At = h.At.Add(500) }},
		{"no kind", func(h *Header) { h.Kind = "" }},
		{"a capital in the kind", func(h *Header) { h.Kind = "Ball" }},
		{"a digit first", func(h *Header) { h.Kind = "1st" }},
		{"a kind too long", func(h *Header) { h.Kind = Kind(strings.Repeat("a", 65)) }},
	} {
		h := ball
		tc.change(&h)
		if _, err := NewLeaf(h, Salt{}, nil); !errors.Is(err, ErrLeaf) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// headers draws any header that a leaf can hold.
func headers() *rapid.Generator[Header] {
	return rapid.Custom(func(t *rapid.T) Header {
		return Header{
			Stream: Stream(rapid.StringMatching(`[A-Za-z0-9_-]{1,20}(/[A-Za-z0-9_-]{1,20}){0,5}`).Draw(t, "stream")),
			Number: rapid.Int64Min(1).Draw(t, "number"),
			At:     time.UnixMicro(rapid.Int64Range(0, 1<<53).Draw(t, "micros")).UTC(),
			Kind:   Kind(rapid.StringMatching(`[a-z][a-z0-9_]{0,40}`).Draw(t, "kind")),
		}
	})
}

func TestLeaf_RoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := headers().Draw(t, "header")
		salt := Salt(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "salt"))
		payload := rapid.SliceOf(rapid.Byte()).Draw(t, "payload")
		text, err := NewLeaf(h, salt, payload)
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseLeaf(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Leaf{h, PayloadDigest(salt, payload)}, back); diff != "" {
			t.Error(diff)
		}
	})
}

// TestParseLeaf_OneText holds that a leaf has one text: what means the same in other words
// would give the same fact another hash.
func TestParseLeaf_OneText(t *testing.T) {
	t.Parallel()
	leaf, err := NewLeaf(ball, Salt{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, digest, _ := strings.Cut(string(leaf), " ball_drawn ")
	for _, tc := range []struct{ name, old, new string }{
		{"a leading zero", " 42 ", " 042 "},
		{"a sign", " 42 ", " +42 "},
		{"a sign before the time", " 1764", " +1764"},
		{"capitals in the digest", digest, strings.ToUpper(digest)},
	} {
		text := strings.Replace(string(leaf), tc.old, tc.new, 1)
		if _, err := ParseLeaf([]byte(text)); !errors.Is(err, ErrLeaf) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// TestPayloadDigest_FollowsEachByte flips each bit of salt and payload.
func TestPayloadDigest_FollowsEachByte(t *testing.T) {
	t.Parallel()
	salt, payload := Salt{1, 2, 3}, []byte(`{"ball":7}`)
	want := PayloadDigest(salt, payload)
	for bit := range 8 * len(salt) {
		s := salt
		s[bit/8] ^= 1 << (bit % 8)
		if PayloadDigest(s, payload) == want {
			t.Errorf("bit %d of the salt does not count", bit)
		}
	}
	for bit := range 8 * len(payload) {
		p := bytes.Clone(payload)
		p[bit/8] ^= 1 << (bit % 8)
		if PayloadDigest(salt, p) == want {
			t.Errorf("bit %d of the payload does not count", bit)
		}
	}
}

func FuzzParseLeaf(f *testing.F) {
	leaf, _ := NewLeaf(ball, Salt{}, nil)
	f.Add(leaf)
	f.Add([]byte("boulier/leaf/v1 a 01 +5 b ff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := ParseLeaf(text)
		if err != nil {
			if !errors.Is(err, ErrLeaf) || !cmp.Equal(l, Leaf{}) {
				t.Errorf("%v with %v", err, l)
			}
			return
		}
		again, err := l.AppendText(nil)
		if err != nil || !bytes.Equal(again, text) {
			t.Errorf("%q is written again as %q, %v", text, again, err)
		}
	})
}
