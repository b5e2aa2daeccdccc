package server_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"boulier/internal/app"
	"boulier/internal/server"
	"boulier/regs/regstest"
)

// TestStd51_TheFirstAdministratorIsOne presses the form of the one-time link four times at
// once with four names, then one of them twice: one administrator is made.
func TestStd51_TheFirstAdministratorIsOne(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:51", "std:43")
	s, err := server.Open(t.Context(), server.Config{Data: t.TempDir(), Listen: "127.0.0.1:0", Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { served <- s.Serve(ctx) }()
	link := s.SetupLink()
	press := func(name string, id app.RequestID) int {
		form := url.Values{"request": {id.String()}, "name": {name}, "display": {name}, "password": {"a long password"}}
		r, err := http.NewRequest("POST", link, strings.NewReader(form.Encode()))
		if err != nil {
			t.Error(err)
			return 0
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		c := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		res, err := c.Do(r)
		if err != nil {
			t.Error(err)
			return 0
		}
		res.Body.Close()
		return res.StatusCode
	}
	names := []string{"ada", "bea", "cleo", "dora"}
	ids := make([]app.RequestID, len(names))
	codes := make([]int, len(names))
	var presses sync.WaitGroup
	for i, name := range names {
		ids[i] = app.NewRequestID()
		presses.Go(func() { codes[i] = press(name, ids[i]) })
	}
	presses.Wait()
	made := 0
	for i, code := range codes {
		if code == http.StatusSeeOther {
			made++
			if again := press(names[i], ids[i]); again != http.StatusSeeOther {
				t.Errorf("pressed again: %d", again)
			}
		} else if code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", names[i], code)
		}
	}
	admins, err := s.People.Administrators(t.Context())
	if err != nil || made != 1 || admins != 1 || s.SetupLink() != "" {
		t.Errorf("%v: %d made, %d administrators, %v; the link is %q", codes, made, admins, err, s.SetupLink())
	}
	if res, err := http.Get(link); err != nil || res.StatusCode != http.StatusNotFound {
		t.Errorf("the link afterwards: %v, %v", res.Status, err)
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
