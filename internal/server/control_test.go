package server

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"boulier/internal/app"
	"boulier/money"
	"boulier/regs"
)

// A listener keeps the orders that reach a house.
type listener struct{ heard []any }

func (l *listener) Doctor(_ context.Context, version string) []Finding {
	l.heard = append(l.heard, version)
	return []Finding{{What: version, OK: true}}
}

func (l *listener) Backup(_ context.Context, folder, name string) ([]app.CopiedFile, error) {
	l.heard = append(l.heard, backupOrder{folder, name})
	return []app.CopiedFile{{Name: name}}, nil
}

func (l *listener) Import(_ context.Context, f app.SeriesFile) (s app.SeriesState, _ []app.SeriesFault, err error) {
	l.heard = append(l.heard, f)
	return s, nil, &regs.Violation{Code: "heard"}
}

// RoundTrip hands a request of a command over without a socket.
func (l *listener) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	orders(l, l, "v1").ServeHTTP(w, r)
	return w.Result(), nil
}

// FuzzOrders holds that a body on the control socket is one order, or is refused with words
// and reaches nobody; and that the orders which commands send arrive letter by letter.
func FuzzOrders(f *testing.F) {
	f.Add("/backup", []byte(`{"folder":"/stick","name":"evening"}`), "/stick", "evening", int64(500))
	f.Add("/backup", []byte(`{"folder":7}`), "C:\\stick", "..", int64(-1))
	f.Add("/backup", []byte(`{"folder":"/stick"} {}`), "", "\x00", int64(0))
	f.Add("/backup", bytes.Repeat([]byte("["), 1<<16), "<&>", "\u2028", int64(1<<62))
	f.Add("/series", []byte(`{"Name":"A","Body":"QQ=="}`), "a", "b", int64(1))
	f.Add("/series", []byte(`{"Request":[1,2],"By":"x"}`), "a", "b", int64(1))
	f.Add("/doctor", []byte(nil), "a", "b", int64(1))
	f.Add("/restore", []byte(`{}`), "a", "b", int64(1))
	f.Fuzz(func(t *testing.T, path string, body []byte, folder, name string, value int64) {
		var l listener
		r := httptest.NewRequest("POST", "http://house/", bytes.NewReader(body))
		r.URL.Path = path
		answer, _ := l.RoundTrip(r)
		said, _ := io.ReadAll(answer.Body)
		done := answer.StatusCode == http.StatusOK
		if done != (len(l.heard) == 1) || answer.StatusCode >= 500 || len(said) == 0 && answer.StatusCode/100 != 3 {
			t.Errorf("%s %q is answered %d %s, and %v is heard", path, body, answer.StatusCode, said, l.heard)
		}
		if !utf8.ValidString(folder) || !utf8.ValidString(name) {
			return
		}
		l.heard = nil
		remote := Remote{http.Client{Transport: &l}}
		series := app.SeriesFile{Request: app.NewRequestID(), Title: folder, File: name, Value: money.Cents(value), Body: body}
		files, err := remote.Backup(t.Context(), folder, name)
		if err != nil || len(files) != 1 || files[0].Name != name {
			t.Errorf("the backup %q is answered %v, %v", name, files, err)
		}
		if found, err := remote.Doctor(t.Context()); err != nil || len(found) != 1 || found[0].What != "v1" {
			t.Errorf("the doctor says %v, %v", found, err)
		}
		if out, err := remote.ImportSeries(t.Context(), series); err != nil || out.Refused == nil || out.Refused.Code != "heard" {
			t.Errorf("the series is answered %+v, %v", out, err)
		}
		if diff := cmp.Diff([]any{backupOrder{folder, name}, "v1", series}, l.heard); diff != "" {
			t.Errorf("ordered and heard (-want +got):\n%s", diff)
		}
	})
}
