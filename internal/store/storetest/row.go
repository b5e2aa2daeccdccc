package storetest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"boulier/internal/app"
	"boulier/internal/proof"
	boulier "boulier/player"
)

var rowTests = []subtest{
	{"Insert, Save and Delete write each kind of row, and readers find it", testKinds},
	{"rows are written in the order in which they are asked for", testOrder},
	{"rows whose keys only join to the same text are different", testJoinedKeys},
	{"Insert of a key or unique value that exists is ErrTaken, for that call alone", testTaken},
	{"Staff returns the people who are no players", testStaff},
	{"Due returns the work due, earliest first", testDue},
	{"Units and BlockUnits follow a cursor", testUnits},
	{"Cards follow a cursor, and CardsAlike and CardsOfRef find them in any series", testCards},
	{"Ranks follow a cursor within their scope, and RankOf finds the line of a player", testRanks},
	{"Names are those of the persons asked for, and unknown ones are left out", testNames},
	{"Insert of a card with the numbers of another is ErrTaken, whatever their lines", testCardTwice},
}

// sameRow compares rows, whose embedded mark is not exported.
var sameRow = cmpopts.IgnoreUnexported(app.PersonRow{}, app.SessionRow{}, app.SecretRow{},
	app.DueRow{}, app.UnitRow{}, app.CardRow{})

func check(t *testing.T, what string, want, got any, err error) {
	t.Helper()
	if diff := cmp.Diff(want, got, sameRow); diff != "" || err != nil {
		t.Errorf("%s: %v\n%s", what, err, diff)
	}
}

func testKinds(t *testing.T, f *fixture) {
	at, ctx := f.clock.now(), t.Context()
	person := app.PersonRow{ID: 9, SignIn: "zoé", Name: "Zoé", Password: "$argon2id$", Born: "1990-01-02",
		Locale: "fr", CreatedAt: at}
	session := app.SessionRow{Token: "t", Data: []byte{0, 1}, ExpiresAt: at}
	secret := app.SecretRow{Use: "u", ID: "1", KeyID: "k", Sealed: []byte{2}}
	due := app.DueRow{Kind: "close", Ref: "1", At: at}
	unit := app.UnitRow{Block: 1, Number: 2, Player: 9, SoldAt: at, Outcome: 3, Prize: 400, Board: 12, Blind: proof.Blind{1, 0, 2}}
	card := app.CardRow{Series: "A", Number: 7, Ref: "x", Face: face(1)}
	f.ok(app.Keys{}, func(tx app.Tx) error { tx.Insert(person, session, secret, due, unit, card); return nil })
	read := func() {
		t.Helper()
		p, err := f.store.Person(ctx, 9)
		check(t, "Person", person, p, err)
		p, err = f.store.PersonBySignIn(ctx, "zoé")
		check(t, "PersonBySignIn", person, p, err)
		s, err := f.store.Session(ctx, "t")
		check(t, "Session", session, s, err)
		x, err := f.store.Secret(ctx, "u", "1")
		check(t, "Secret", secret, x, err)
		u, err := f.store.Unit(ctx, 1, 2)
		check(t, "Unit", unit, u, err)
		c, err := f.store.Card(ctx, card.Serial())
		check(t, "Card", card, c, err)
	}
	read()
	person.Name, session.Data, secret.KeyID, unit.Prize, unit.Blind, card.Face = "Zoë", []byte{3}, "l", 500, proof.Blind{}, face(2)
	f.ok(app.Keys{}, func(tx app.Tx) error { tx.Save(person, session, secret, due, unit, card); return nil })
	read()
	f.ok(app.Keys{}, func(tx app.Tx) error { tx.Delete(person, session, secret, due, unit, card); return nil })
	_, err1 := f.store.Person(ctx, 9)
	_, err2 := f.store.PersonBySignIn(ctx, "zoé")
	_, err3 := f.store.Session(ctx, "t")
	_, err4 := f.store.Secret(ctx, "u", "1")
	_, err5 := f.store.Unit(ctx, 1, 2)
	_, err6 := f.store.Card(ctx, card.Serial())
	for i, err := range []error{err1, err2, err3, err4, err5, err6} {
		if !errors.Is(err, app.ErrNotFound) {
			t.Errorf("deleted row %d is read with %v", i, err)
		}
	}
}

func testOrder(t *testing.T, f *fixture) {
	row := func(data byte) app.SessionRow { return app.SessionRow{Token: "t", Data: []byte{data}} }
	insert := func(data byte) func(app.Tx) { return func(tx app.Tx) { tx.Insert(row(data)) } }
	save := func(data byte) func(app.Tx) { return func(tx app.Tx) { tx.Save(row(data)) } }
	remove := func(tx app.Tx) { tx.Delete(row(0)) }
	for _, tc := range []struct {
		name  string
		calls []func(app.Tx)
		want  byte // 0: none
	}{
		{"insert, delete", []func(app.Tx){insert(1), remove}, 0},
		{"save, delete", []func(app.Tx){save(1), remove}, 0},
		{"insert, save, save", []func(app.Tx){insert(1), save(2), save(3)}, 3},
		{"delete, insert", []func(app.Tx){remove, insert(4)}, 4},
		{"save, delete, insert, save", []func(app.Tx){save(1), remove, insert(2), save(5)}, 5},
		{"delete, delete", []func(app.Tx){remove, remove}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var calls []func() error
			for _, c := range tc.calls {
				calls = append(calls, f.update(app.Keys{}, func(tx app.Tx) error { c(tx); return nil }))
			}
			for _, err := range f.together(calls...) {
				if err != nil {
					t.Error(err)
				}
			}
			got, err := f.store.Session(t.Context(), "t")
			if tc.want == 0 && !errors.Is(err, app.ErrNotFound) || tc.want != 0 && (err != nil || got.Data[0] != tc.want) {
				t.Errorf("the row is %v, %v; want %d", got.Data, err, tc.want)
			}
		})
	}
}

func testJoinedKeys(t *testing.T, f *fixture) {
	at := f.clock.now()
	want := []app.DueRow{{Kind: "a", Ref: "bc", At: at}, {Kind: "ab", Ref: "c", At: at}}
	f.ok(app.Keys{}, func(tx app.Tx) error { tx.Save(want[0], want[1]); return nil })
	got, err := f.store.Due(t.Context(), at, 10)
	check(t, "Due", want, got, err)
}

func testTaken(t *testing.T, f *fixture) {
	register := func(id int, name string) func() error {
		return f.update(app.Keys{}, func(tx app.Tx) error {
			tx.Insert(app.PersonRow{ID: boulier.ID(id), SignIn: name, CreatedAt: tx.Now()})
			return nil
		})
	}
	if errs := f.together(register(1, "ada")); errs[0] != nil {
		t.Fatal(errs[0])
	}
	errs := f.together(register(2, "bob"), register(3, "ada"), register(4, "cyd"), register(5, "cyd"),
		register(2, "dan"), register(6, "eve"))
	for i, taken := range []bool{false, true, false, true, true, false} {
		if errors.Is(errs[i], app.ErrTaken) != taken || !taken && errs[i] != nil {
			t.Errorf("registration %d returns %v, want taken: %v", i, errs[i], taken)
		}
	}
	for id, name := range map[int]string{1: "ada", 2: "bob", 4: "cyd", 6: "eve"} {
		if p, err := f.store.PersonBySignIn(t.Context(), name); err != nil || p.ID != boulier.ID(id) {
			t.Errorf("%s is %v, %v", name, p.ID, err)
		}
	}
}

func testStaff(t *testing.T, f *fixture) {
	clerk := app.PersonRow{ID: 2, SignIn: "clerk", CreatedAt: f.clock.now()}
	boss := app.PersonRow{ID: 1, SignIn: "boss", CreatedAt: f.clock.now()}
	f.ok(app.Keys{}, func(tx app.Tx) error {
		tx.Insert(clerk, boss, app.PersonRow{ID: 3, SignIn: "player", Born: "1990-01-02", CreatedAt: f.clock.now()})
		return nil
	})
	got, err := f.store.Staff(t.Context())
	check(t, "Staff", []app.PersonRow{boss, clerk}, got, err)
}

func testDue(t *testing.T, f *fixture) {
	at := f.clock.now()
	late := app.DueRow{Kind: "b", Ref: "1", At: at.Add(-time.Minute)}
	now := app.DueRow{Kind: "a", Ref: "1", At: at}
	soon := app.DueRow{Kind: "a", Ref: "2", At: at.Add(time.Microsecond)}
	f.ok(app.Keys{}, func(tx app.Tx) error { tx.Save(now, soon, late); return nil })
	got, err := f.store.Due(t.Context(), at, 10)
	check(t, "Due", []app.DueRow{late, now}, got, err)
	got, err = f.store.Due(t.Context(), at, 1)
	check(t, "Due of one", []app.DueRow{late}, got, err)
}

func testUnits(t *testing.T, f *fixture) {
	var units []app.UnitRow
	for n := range int64(5) {
		units = append(units, app.UnitRow{Block: 1 + n/4, Number: n%4 + 1, Player: 9,
			SoldAt: f.clock.now().Add(time.Duration(n/2) * time.Second)})
	}
	f.ok(app.Keys{}, func(tx app.Tx) error {
		for _, u := range units {
			tx.Insert(u)
		}
		tx.Insert(app.UnitRow{Block: 1, Number: 9, Player: 8, SoldAt: f.clock.now()})
		return nil
	})
	page, err := f.store.Units(t.Context(), 9, app.Cursor{}, 3)
	check(t, "Units", []app.UnitRow{units[4], units[3], units[2]}, page, err)
	last := page[len(page)-1]
	page, err = f.store.Units(t.Context(), 9, app.Cursor{At: last.SoldAt.UnixMicro(), Line: last.Number}, 3)
	check(t, "the next Units", []app.UnitRow{units[1], units[0]}, page, err)
	block, err := f.store.BlockUnits(t.Context(), 1, 1, 2)
	check(t, "BlockUnits", units[1:3], block, err)
}

// face is a face of fifteen numbers, others for each n from 1 to 70.
func face(n int) []byte {
	out := make([]byte, 15)
	for i := range out {
		out[i] = byte(n + i)
	}
	return out
}

func testCards(t *testing.T, f *fixture) {
	cards := []app.CardRow{
		{Series: "A", Number: 1, Face: face(1)},
		{Series: "A", Number: 2, Ref: "00-7", Face: face(2)},
		{Series: "A", Number: 10, Face: face(3)},
		{Series: "B", Number: 1, Ref: "00-7", Face: face(4)},
	}
	f.ok(app.Keys{}, func(tx app.Tx) error {
		for _, c := range cards {
			tx.Insert(c)
		}
		return nil
	})
	ctx := t.Context()
	got, err := f.store.Cards(ctx, "A", 0, 2)
	check(t, "Cards", cards[:2], got, err)
	got, err = f.store.Cards(ctx, "A", 2, 2)
	check(t, "the next Cards", cards[2:3], got, err)
	got, err = f.store.CardsOfRef(ctx, "00-7", 5)
	check(t, "CardsOfRef", []app.CardRow{cards[1], cards[3]}, got, err)
	got, err = f.store.CardsOfRef(ctx, "00-7", 1)
	check(t, "CardsOfRef of one", cards[1:2], got, err)
	got, err = f.store.CardsOfRef(ctx, "", 5)
	check(t, "CardsOfRef of none", []app.CardRow(nil), got, err)
	other := face(4)
	slices.Reverse(other)
	got, err = f.store.CardsAlike(ctx, [][]byte{other, face(5), face(1)})
	check(t, "CardsAlike", []app.CardRow{cards[0], cards[3]}, got, err)
}

func testCardTwice(t *testing.T, f *fixture) {
	register := func(c app.CardRow) func() error {
		return f.update(app.Keys{}, func(tx app.Tx) error { tx.Insert(c); return nil })
	}
	swapped := face(1)
	slices.Reverse(swapped)
	errs := f.together(register(app.CardRow{Series: "A", Number: 1, Face: face(1)}),
		register(app.CardRow{Series: "B", Number: 1, Face: swapped}),
		register(app.CardRow{Series: "A", Number: 1, Face: face(2)}),
		register(app.CardRow{Series: "B", Number: 1, Face: face(3)}))
	for i, taken := range []bool{false, true, true, false} {
		if errors.Is(errs[i], app.ErrTaken) != taken || !taken && errs[i] != nil {
			t.Errorf("card %d returns %v, want taken: %v", i, errs[i], taken)
		}
	}
}
