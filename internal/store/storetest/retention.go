package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"boulier/internal/app"
)

var retentionTests = []subtest{
	{"Forget drops the answers before a time, and their requests stay refused", testForget},
	{"ExpireSessions removes the sessions that have expired", testExpire},
}

func testForget(t *testing.T, f *fixture) {
	f.clock.at = time.Now().UTC() // identifiers of requests hold the real time
	limit := f.clock.now().Add(time.Hour)
	old, refused := request("person/1", "ask"), request("person/1", "ask")
	f.asks(old, nil)
	f.asks(refused, errNo)
	f.clock.add(2 * time.Hour)
	late := request("person/1", "ask")
	f.asks(late, nil)
	for i, want := range []int64{2, 0} {
		if n, err := f.store.Forget(t.Context(), limit); n != want || err != nil {
			t.Errorf("Forget %d drops %d answers, %v; want %d", i+1, n, err, want)
		}
	}
	for _, r := range []app.Request{old, refused} {
		if _, err := f.asks(r, nil); !errors.Is(err, app.ErrAlreadyDone) {
			t.Errorf("a forgotten request is answered %v, want %v", err, app.ErrAlreadyDone)
		}
	}
	if got, err := f.asks(late, nil); got != 2 || err != nil {
		t.Errorf("a later request is answered %d, %v; want 2 as before", got, err)
	}
}

func testExpire(t *testing.T, f *fixture) {
	at := f.clock.now()
	f.ok(app.Keys{}, func(tx app.Tx) error {
		for i := range 700 { // more than one transaction of ExpireSessions removes
			tx.Save(app.SessionRow{Token: fmt.Sprint(i), Data: []byte{1},
				ExpiresAt: at.Add(-time.Duration(i) * time.Second)})
		}
		tx.Save(app.SessionRow{Token: "open", Data: []byte{1}, ExpiresAt: at.Add(time.Microsecond)})
		return nil
	})
	if n, err := f.store.ExpireSessions(t.Context(), at); n != 700 || err != nil {
		t.Errorf("ExpireSessions removes %d, %v; want 700", n, err)
	}
	if _, err := f.store.Session(t.Context(), "open"); err != nil {
		t.Errorf("the session that is open: %v", err)
	}
}
