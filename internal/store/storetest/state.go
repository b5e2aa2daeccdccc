package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boulier/internal/app"
)

var stateTests = []subtest{
	{"Get returns nil if there is no state, and what was put before", testGet},
	{"Get decodes a state the first time only", testDecodedOnce},
	{"Put of nil removes a state, which may come back", testRemove},
	{"a state that cannot be decoded or encoded fails its call alone", testDamaged},
	{"Append numbers the events of a stream densely from 1", testDense},
	{"a stream keeps its number when its state is gone", testNumberStays},
	{"State returns ErrNotFound if there is none", testNoState},
	{"States returns those of a prefix in the order of their bytes", testStates},
	{"Streams returns those of a prefix that have events, without their bodies", testStreams},
}

var a = app.Keys{States: []string{"a"}}

func testGet(t *testing.T, f *fixture) {
	f.ok(a, func(tx app.Tx) error {
		v, err := tx.Get("a", decodeCount)
		if v != nil || err != nil {
			t.Errorf("Get of no state returns %v, %v", v, err)
		}
		tx.Put("a", count{7}, encodeCount)
		v, err = tx.Get("a", decodeCount)
		if v != (count{7}) || err != nil {
			t.Errorf("Get after Put returns %v, %v", v, err)
		}
		return nil
	})
	f.ok(a, func(tx app.Tx) error {
		v, err := tx.Get("a", decodeCount)
		if v != (count{7}) || err != nil {
			t.Errorf("Get after the commit returns %v, %v", v, err)
		}
		return nil
	})
}

func testDecodedOnce(t *testing.T, f *fixture) {
	f.asks(app.Request{}, nil)
	decoded := 0
	get := f.update(a, func(tx app.Tx) error {
		_, err := tx.Get("a", func(b []byte) (any, error) { decoded++; return decodeCount(b) })
		return err
	})
	f.together(get, get, get)
	if decoded > 1 { // none where the store knows the state from an earlier group
		t.Errorf("the calls of one group decoded the state %d times", decoded)
	}
}

func testRemove(t *testing.T, f *fixture) {
	remove := func(tx app.Tx) error { tx.Put("a", nil, encodeCount); return nil }
	f.ok(a, remove) // there is none
	f.asks(app.Request{}, nil)
	f.ok(a, func(tx app.Tx) error {
		tx.Put("a", nil, encodeCount)
		if v, err := tx.Get("a", decodeCount); v != nil || err != nil {
			t.Errorf("Get of a removed state returns %v, %v", v, err)
		}
		return nil
	})
	if _, err := f.store.State(t.Context(), "a"); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("a removed state is read with %v", err)
	}
	f.asks(app.Request{}, nil)
	errs := f.together(f.update(a, remove), func() error { _, err := f.asks(app.Request{}, nil); return err })
	if errs[0] != nil || errs[1] != nil || f.stored("a") != 1 {
		t.Errorf("removed and made again: %v, count %d", errs, f.stored("a"))
	}
}

func testDamaged(t *testing.T, f *fixture) {
	f.ok(a, func(tx app.Tx) error { tx.Put("a", "not a count", encodeCount); return nil })
	broken := func(any) ([]byte, error) { return nil, errFault }
	panics := func(any) ([]byte, error) { panic("at the disco") }
	put := func(name string, encode func(any) ([]byte, error)) func() error {
		return f.update(app.Keys{States: []string{name}}, func(tx app.Tx) error {
			tx.Put(name, count{1}, encode)
			return nil
		})
	}
	errs := f.together(put("b", encodeCount), f.update(a, func(tx app.Tx) error {
		tx.Get("a", decodeCount) // the error is hidden
		return nil
	}), put("c", broken), put("d", panics), put("e", encodeCount))
	if errs[0] != nil || errs[1] == nil || !errors.Is(errs[2], errFault) || errs[3] == nil || errs[4] != nil {
		t.Errorf("the calls return %v", errs)
	}
	if f.stored("b") != 1 || f.stored("c") != 0 || f.stored("d") != 0 || f.stored("e") != 1 {
		t.Error("the neighbours of a call that fails have not committed, or it has")
	}
}

// appends returns a call that appends an event to a stream and ends with err.
func (f *fixture) appends(stream string, err error) func() error {
	return f.update(app.Keys{States: []string{stream}}, func(tx app.Tx) error {
		n, failed := tx.Append(stream, "kind", []byte("x"))
		if failed == nil && err == nil {
			tx.Put(stream, count{int(n)}, encodeCount)
		}
		return errors.Join(err, failed)
	})
}

func testDense(t *testing.T, f *fixture) {
	f.together(f.appends("a", nil), f.appends("a", errNo), f.appends("b", nil), f.appends("a", nil),
		f.appends("a", errFault), f.appends("a", nil))
	f.restart()
	f.together(f.appends("a", nil))
	r, err := f.store.State(t.Context(), "a")
	if err != nil || r.Number != 4 || f.stored("a") != 4 {
		t.Errorf("the state says %d, its last event is %d (%v); want 4", f.stored("a"), r.Number, err)
	}
	events, err := f.store.Stream(t.Context(), "a", 1, 2)
	if err != nil || len(events) != 2 {
		t.Fatalf("Stream returns %d events, %v", len(events), err)
	}
	for i, e := range events {
		if got := parse(t, e).Number; got != int64(i)+2 {
			t.Errorf("after event 1, event %d has number %d", i, got)
		}
	}
}

func testNumberStays(t *testing.T, f *fixture) {
	f.together(f.appends("a", nil))
	f.ok(a, func(tx app.Tx) error { tx.Put("a", nil, encodeCount); return nil })
	r, err := f.store.State(t.Context(), "a")
	if err != nil || r.Number != 1 || r.Body != nil {
		t.Errorf("the state that is gone reads %+v, %v; want number 1 and no body", r, err)
	}
	f.ok(a, func(tx app.Tx) error {
		if v, err := tx.Get("a", decodeCount); v != nil || err != nil {
			t.Errorf("the state that is gone is %v, %v", v, err)
		}
		if n, err := tx.Append("a", "kind", nil); n != 2 || err != nil {
			t.Errorf("the next event has number %d, %v", n, err)
		}
		return nil
	})
}

func testNoState(t *testing.T, f *fixture) {
	if _, err := f.store.State(t.Context(), "a"); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("State returns %v", err)
	}
}

func testStates(t *testing.T, f *fixture) {
	names := []string{"a", "a/1", "a/10", "a/2", "a/B", "a/b", "a0", "b"}
	keys := app.Keys{States: names}
	f.ok(keys, func(tx app.Tx) error {
		for i, name := range names {
			tx.Put(name, count{i}, func(v any) ([]byte, error) { return json.Marshal(v) })
		}
		return nil
	})
	for _, tc := range []struct {
		prefix, after string
		limit         int
		want          []string
	}{
		{"a/", "", 10, names[1:6]},
		{"a/", "", 2, names[1:3]},
		{"a/", "a/10", 10, names[3:6]},
		{"a", "", 10, names[:7]},
		{"", "", 10, names},
		{"c", "", 10, nil},
	} {
		var got []string
		list, err := f.store.States(t.Context(), tc.prefix, tc.after, tc.limit)
		for _, r := range list {
			got = append(got, r.Name)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", fmt.Sprint(tc), err, diff)
		}
	}
}

func testStreams(t *testing.T, f *fixture) {
	f.ok(app.Keys{States: []string{"s/a", "s/b", "s/c", "t/a"}}, func(tx app.Tx) error {
		tx.Put("s/b", 1, func(any) ([]byte, error) { return []byte("1"), nil })
		for _, stream := range []string{"s/a", "s/c", "s/c", "t/a"} {
			if _, err := tx.Append(stream, "said", []byte("{}")); err != nil {
				return err
			}
		}
		return nil
	})
	got, err := f.store.Streams(t.Context(), "s/", "", 10)
	want := []app.StateRecord{{Name: "s/a", Number: 1}, {Name: "s/c", Number: 2}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Streams: %v\n%s", err, diff)
	}
	if got, err := f.store.Streams(t.Context(), "s/", "s/a", 10); err != nil || len(got) != 1 || got[0].Name != "s/c" {
		t.Errorf("Streams after s/a: %v, %v", got, err)
	}
}
