package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boulier/internal/app"
	"boulier/ledger"
	"boulier/regs"
)

var ledgerTests = []subtest{
	{"Post carries out movements and records what both accounts hold after each", testPost},
	{"a movement below the floor is refused as it is, and may be answered", testShort},
	{"after an error of Post nothing of the call is kept", testSpoiled},
	{"SetFloor moves the floor", testFloor},
	{"no stake drives a balance negative, whoever comes at once", testRace},
	{"Movements are newest first and follow a cursor", testMovements},
	{"Accounts returns those of a prefix; one never moved is empty", testAccounts},
	{"AccountAndState reads both as Account and State do", testAccountAndState},
	{"Sums gives the accounts, movements and balances of each unit", testSums},
	{"Flows sums alike movements from one time on and before another", testFlows},
	{"HeldAt returns what all players had in euros at a time", testHeldAt},
}

func euros(n int64) ledger.Amount { return ledger.Amount{Unit: ledger.EUR, Count: n} }

func testPost(t *testing.T, f *fixture) {
	keys := app.Keys{Accounts: []ledger.Path{"bank", player(1), "instant:1"}}
	var id int64
	f.ok(keys, func(tx app.Tx) (err error) {
		id, err = tx.Post(app.Posting{Kind: "sale", Ref: "1-7", Moves: []ledger.Movement{
			{From: "bank", To: player(1), Amount: euros(500)},
			{From: player(1), To: "instant:1", Amount: euros(200)},
		}})
		if got, _ := tx.Account(player(1)); got.Balance != 300 {
			t.Errorf("inside the call the balance is %d, want 300", got.Balance)
		}
		return err
	})
	at := f.clock.now()
	want := []app.Movement{
		{ID: id, Line: 2, At: at, Kind: "sale", Ref: "1-7", From: player(1), To: "instant:1",
			Amount: euros(200), FromAfter: 300, ToAfter: 200},
		{ID: id, Line: 1, At: at, Kind: "sale", Ref: "1-7", From: "bank", To: player(1),
			Amount: euros(500), FromAfter: -500, ToAfter: 500},
	}
	got, err := f.store.Movements(t.Context(), player(1), app.Cursor{}, 10)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Movements: %v\n%s", err, diff)
	}
	account, err := f.store.Account(t.Context(), player(1))
	wantAccount := ledger.Account{Path: player(1), Unit: ledger.EUR, Balance: 300, Moves: 2}
	if diff := cmp.Diff(wantAccount, account); diff != "" || err != nil {
		t.Errorf("Account: %v\n%s", err, diff)
	}
	f.square()
}

var errPoor = &regs.Violation{Ref: "std:14", Code: "insufficient_funds"}

func testShort(t *testing.T, f *fixture) {
	f.ok(between("bank", player(1)), func(tx app.Tx) error { return pay(tx, "bank", player(1), 99) })
	keys := between(player(1), "instant:1")
	keys.Request = request("person/1", "buy")
	buy := func() error {
		_, err := app.Do(t.Context(), f.store, keys, func(tx app.Tx) (int, error) {
			err := pay(tx, player(1), "instant:1", 100)
			var short *ledger.Short
			if errors.As(err, &short) {
				return 0, errPoor.With("%d short", short.Missing)
			}
			return 1, err
		})
		return err
	}
	first := buy()
	f.ok(between("bank", player(1)), func(tx app.Tx) error { return pay(tx, "bank", player(1), 1) })
	for i, err := range []error{first, buy()} {
		var v *regs.Violation
		if !errors.As(err, &v) || v.Code != errPoor.Code || v.Detail != "1 short" {
			t.Errorf("try %d is answered %v, want a cent short", i+1, err)
		}
	}
	if got := f.balance(player(1)); got != 100 {
		t.Errorf("the balance is %d, want 100", got)
	}
}

func testSpoiled(t *testing.T, f *fixture) {
	err := f.store.Update(t.Context(), app.Keys{Accounts: []ledger.Path{"bank", player(1), "instant:1"}},
		func(tx app.Tx) error {
			tx.Post(app.Posting{Kind: "sale", Moves: []ledger.Movement{ // the error is hidden
				{From: "bank", To: player(1), Amount: euros(50)},
				{From: player(1), To: "instant:1", Amount: euros(51)},
			}})
			return nil
		})
	var short *ledger.Short
	if !errors.As(err, &short) || short.Path != player(1) || short.Missing != 1 {
		t.Errorf("Update returns %v, want what Post returned", err)
	}
	if got := f.balance("bank"); got != 0 {
		t.Errorf("half a posting is kept: the bank is at %d", got)
	}
	f.square()
}

func testFloor(t *testing.T, f *fixture) {
	keys := between("instant:1", player(1))
	win := func(tx app.Tx) error { return pay(tx, "instant:1", player(1), 10) }
	if err := f.store.Update(t.Context(), keys, win); err == nil {
		t.Error("an issue without floor has paid")
	}
	f.ok(keys, func(tx app.Tx) error { return tx.SetFloor("instant:1", -10) })
	f.ok(keys, win)
	if err := f.store.Update(t.Context(), keys, win); err == nil {
		t.Error("an issue has paid more than its floor")
	}
	f.square()
}

func testRace(t *testing.T, f *fixture) {
	f.ok(between("bank", player(1)), func(tx app.Tx) error { return pay(tx, "bank", player(1), 1000) })
	paid := make(chan error, 40)
	for range cap(paid) {
		go func() {
			paid <- f.store.Update(t.Context(), between(player(1), "instant:1"), func(tx app.Tx) error {
				return pay(tx, player(1), "instant:1", 100)
			})
		}()
	}
	done := 0
	for range cap(paid) {
		if <-paid == nil {
			done++
		}
	}
	if done != 10 || f.balance(player(1)) != 0 || f.balance("instant:1") != 1000 {
		t.Errorf("%d stakes of 100 were paid from 1000; %d are left", done, f.balance(player(1)))
	}
	f.square()
}

func testMovements(t *testing.T, f *fixture) {
	for i := range 5 {
		f.clock.add(time.Second)
		from, to := ledger.Path("bank"), player(1)
		if i == 3 {
			from, to = to, from
		}
		f.ok(between(from, to), func(tx app.Tx) error { return pay(tx, from, to, int64(i+1)) })
	}
	var got []int64
	for before := (app.Cursor{}); ; {
		page, err := f.store.Movements(t.Context(), player(1), before, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, m := range page {
			got = append(got, m.Amount.Count)
			before = app.Cursor{At: m.ID, Line: m.Line}
		}
	}
	if diff := cmp.Diff([]int64{5, 4, 3, 2, 1}, got); diff != "" {
		t.Errorf("the movements in pages of two:\n%s", diff)
	}
}

func testAccounts(t *testing.T, f *fixture) {
	for _, to := range []ledger.Path{player(1), player(10), player(2), "instant:1"} {
		f.ok(between("bank", to), func(tx app.Tx) error { return pay(tx, "bank", to, 1) })
	}
	list, err := f.store.Accounts(t.Context(), "player:1")
	if err != nil || len(list) != 2 || list[0].Path != player(1) || list[1].Path != player(10) {
		t.Errorf("Accounts returns %v, %v", list, err)
	}
	got, err := f.store.Account(t.Context(), "contest:1")
	if got != ledger.Open("contest:1") || err != nil {
		t.Errorf("an account never moved reads %+v, %v", got, err)
	}
}

func testAccountAndState(t *testing.T, f *fixture) {
	read := func(want ledger.Account, wantBody string) {
		t.Helper()
		got, body, err := f.store.AccountAndState(t.Context(), player(1), "a")
		if got != want || string(body) != wantBody || err != nil {
			t.Errorf("AccountAndState returns %+v, %q, %v; want %+v, %q", got, body, err, want, wantBody)
		}
	}
	read(ledger.Open(player(1)), "")
	f.asks(app.Request{}, nil)
	read(ledger.Open(player(1)), `{"N":1}`)
	f.ok(between("bank", player(1)), func(tx app.Tx) error { return pay(tx, "bank", player(1), 5) })
	read(ledger.Account{Path: player(1), Unit: ledger.EUR, Balance: 5, Moves: 1}, `{"N":1}`)
}

func testSums(t *testing.T, f *fixture) {
	f.ok(between("bank", player(1)), func(tx app.Tx) error { return pay(tx, "bank", player(1), 7) })
	want := []app.Sum{{Unit: ledger.EUR, Accounts: 2, Movements: 1}}
	got, err := f.store.Sums(t.Context())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Sums: %v\n%s", err, diff)
	}
}

func testFlows(t *testing.T, f *fixture) {
	f.ok(between("bank", player(1)), func(tx app.Tx) error { return pay(tx, "bank", player(1), 900) })
	f.clock.add(time.Hour)
	from := f.clock.now()
	for n := range 2 {
		f.ok(between("bank", player(n+1)), func(tx app.Tx) error { return pay(tx, "bank", player(n+1), 50) })
	}
	f.ok(between(player(1), "instant:1"), func(tx app.Tx) error { return pay(tx, player(1), "instant:1", 200) })
	f.clock.add(time.Hour)
	to := f.clock.now()
	f.ok(between(player(1), "instant:1"), func(tx app.Tx) error { return pay(tx, player(1), "instant:1", 7) })
	got, err := f.store.Flows(t.Context(), from, to)
	want := []app.Flow{
		{Kind: "pay", From: "bank", To: "player", Amount: euros(100), Count: 2},
		{Kind: "pay", From: "player", To: "instant:1", Amount: euros(200), Count: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Flows: %v\n%s", err, diff)
	}
	if got, err := f.store.Flows(t.Context(), to.Add(time.Hour), to.Add(2*time.Hour)); err != nil || len(got) != 0 {
		t.Errorf("Flows of a quiet hour: %v, %v", got, err)
	}
}

func testHeldAt(t *testing.T, f *fixture) {
	begin := f.clock.now()
	f.ok(between("bank", player(1)), func(tx app.Tx) error { return pay(tx, "bank", player(1), 900) })
	f.clock.add(time.Hour)
	middle := f.clock.now()
	f.ok(between(player(1), "instant:1"), func(tx app.Tx) error { return pay(tx, player(1), "instant:1", 200) })
	f.ok(between("bank", player(2)), func(tx app.Tx) error { return pay(tx, "bank", player(2), 30) })
	f.clock.add(time.Hour)
	for _, tc := range []struct {
		at   time.Time
		want int64
	}{{begin, 0}, {middle, 900}, {f.clock.now(), 730}, {f.clock.now().Add(time.Hour), 730}} {
		if got, err := f.store.HeldAt(t.Context(), tc.at); err != nil || got != tc.want {
			t.Errorf("HeldAt(%s) = %d, %v, want %d", tc.at, got, err, tc.want)
		}
	}
}
