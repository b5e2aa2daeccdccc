package witness

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"

	"boulier/internal/proof"
)

// A stranger answers a witness as whoever stands in the way may, and keeps what it is sent.
type stranger struct {
	answer []byte
	sent   []string
}

func (s *stranger) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if r.Method == http.MethodGet {
		w.Write(s.answer)
	} else if body, err := io.ReadAll(r.Body); err != nil {
		return nil, err
	} else {
		s.sent = append(s.sent, string(body))
	}
	return w.Result(), nil
}

// FuzzAsk holds that no answer of a server without the operator's key makes a witness open its
// secret or end a round, and that all it may send is what it signed.
func FuzzAsk(f *testing.F) {
	folder, _, _ := made(f)
	before, err := folder.part(7)
	if err != nil {
		f.Fatal(err)
	}
	_, operator, err := note.GenerateKey(zeros{}, "operator.example")
	if err != nil {
		f.Fatal(err)
	}
	for _, work := range []proof.WitnessWork{
		{Key: operator, Witness: folder.Key()},
		{Key: operator, Witness: folder.Key(), Next: 7},
		{Key: operator, Witness: folder.Key(), Next: 8, Round: 7, Checkpoint: "operator.example\n7\n"},
		{Key: folder.Key(), Witness: folder.Key(), Round: 7},
		{Key: operator, Witness: operator, Next: -1, Round: 1 << 62},
	} {
		text, err := json.Marshal(work)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add(text[:len(text)/2])
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		s := &stranger{answer: answer}
		w := Witness{Server: "http://house", Folder: folder, Log: slog.New(slog.DiscardHandler),
			Client: &http.Client{Transport: s}, key: operator}
		var work proof.WitnessWork
		wrong := json.Unmarshal(answer, &work) != nil || work.Witness != folder.Key() || work.Key != operator || work.Round > 0
		if err := w.Ask(t.Context()); wrong != (err != nil) || err != nil && !utf8.ValidString(err.Error()) {
			t.Errorf("%q is answered with %v", answer, err)
		}
		for _, text := range s.sent {
			if id, _, err := proof.OpenWitness(text, folder.Key()); err != nil || id != work.Next {
				t.Errorf("%q makes it send %q", answer, text)
			}
		}
		if p, err := folder.part(7); err != nil || p != before || w.signed != "" {
			t.Errorf("%q changes its part to %+v (%v)", answer, p, err)
		}
	})
}

// zeros is the entropy of a key that is always the same.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
