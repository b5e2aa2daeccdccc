package app_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
	"boulier/regs/regstest"
)

// A deskBook plays the lines of a table against a house: what cashiers do, and what every
// account holds at the end. An accountant can read it.
type deskBook struct {
	*apptest.House
	people map[string]player.ID
}

func newDeskBook(t *testing.T) *deskBook {
	h := apptest.New(t)
	return &deskBook{h, map[string]player.ID{
		"carla": h.Staff("carla", app.Cashier), "denis": h.Staff("denis", app.Cashier),
		"manon": h.Staff("manon", app.Manager), "anne": h.Player("anne", 0), "bob": h.Player("bob", 0),
	}}
}

func cents(t *testing.T, s string) money.Cents {
	t.Helper()
	if s == "-" {
		return 0
	}
	c, err := money.Parse(s)
	if err != nil {
		t.Fatal(s, err)
	}
	return c
}

// run plays a table. Lines before an empty one are « cashier act with euros result »;
// lines after it are « account euros ». Headings begin with « cashier » or « account ».
func (b *deskBook) run(t *testing.T, table string) {
	t.Helper()
	for n, line := range strings.Split(table, "\n") {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] == "cashier" || f[0] == "account":
		case len(f) == 2:
			path := f[0]
			if id, ok := b.people[path]; ok {
				path = "player:" + id.String()
			}
			if got := b.Balance(ledger.Path(path)); got != cents(t, f[1]) {
				t.Errorf("line %d: %s holds %s, want %s", n, f[0], got, f[1])
			}
		default:
			got := "ok"
			if err := b.act(t, f); err != nil {
				v, ok := errors.AsType[*regs.Violation](err)
				if !ok {
					t.Fatalf("line %d: %v", n, err)
				}
				got = v.Code
			}
			if got != f[4] {
				t.Errorf("line %d: %s: %s, want %s", n, strings.Join(f, " "), got, f[4])
			}
		}
	}
	b.Square()
}

func (b *deskBook) act(t *testing.T, f []string) error {
	t.Helper()
	ctx, cashier := context.Background(), b.people[f[0]]
	order := app.DeskOrder{Request: app.NewRequestID(), Cashier: cashier, Means: app.Cash}
	if f[1] == "load" || f[1] == "payout" {
		who, means, _ := strings.Cut(f[2], "/")
		order.Player, order.Amount = b.people[who], cents(t, f[3])
		for n, part := range strings.Split(means, "+") {
			switch {
			case n == 0 && part != "":
				order.Means = app.Means(part)
			case part == "id":
				order.Document = "identity_card"
			case n > 0:
				order.Reference = part
			}
		}
	}
	var err error
	switch f[1] {
	case "open":
		err = b.Desk.Open(ctx, app.DrawerOpening{Request: order.Request, Cashier: cashier,
			Desk: app.DeskID(f[2][0] - '0'), Float: cents(t, f[3])})
	case "load":
		_, err = b.Desk.Load(ctx, order)
	case "payout":
		_, err = b.Desk.PayOut(ctx, order)
	case "undo":
		_, err = b.Desk.Undo(ctx, app.UndoOrder{Request: order.Request, Cashier: cashier,
			Number: int64(f[2][0] - '0')})
	case "close":
		part := strings.Split(f[3], "/")
		_, err = b.Desk.Close(ctx, app.DrawerClosing{Request: order.Request, Cashier: cashier,
			Counted: app.Count{Cash: cents(t, part[0]), Card: cents(t, part[1]), Cheque: cents(t, part[2])}})
	default:
		t.Fatal(f)
	}
	return err
}

// TestDesk_ADrawerThatAddsUp is a morning at a desk, and what an accountant finds.
func TestDesk_ADrawerThatAddsUp(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:11", "house:1")
	b := newDeskBook(t)
	b.run(t, `
		cashier  act     with             euros             result
		carla    load    anne              10.00            drawer_closed
		carla    open    1                 50.00            ok
		carla    load    anne              20.00            ok
		carla    load    anne/card         30.00            ok
		carla    load    bob/cheque        40.00            document_missing
		carla    load    bob/cheque+id     40.00            ok
		carla    payout  anne              15.50            ok
		carla    payout  anne              34.51            balance_short
		carla    payout  bob               40.00            ok
		carla    payout  anne              34.50            drawer_short

		account            euros
		anne               34.50
		bob                 0
		desk:1:cash       -14.50
		desk:1:card       -30.00
		desk:1:cheque     -40.00
		bank               50.00
	`)
	b.run(t, `
		cashier  act     with             euros             result
		carla    close   1                14.00/30.00/45.00  ok
		carla    close   1                14.00/30.00/45.00  drawer_closed
		carla    load    anne              1.00             drawer_closed
		carla    undo    5                    -             drawer_closed

		account            euros
		desk:1:cash         0
		desk:1:card         0
		desk:1:cheque       0
		house:differences   4.50
		bank              -39.00
	`)
	r, err := b.Desk.LastDrawer(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []app.DrawerLine{{app.Cash, 1450, 1400, -50}, {app.Card, 3000, 3000, 0}, {app.Cheque, 4000, 4500, 500}}
	for n, line := range r.Lines {
		if line != want[n] {
			t.Errorf("line %d of the report: %+v, want %+v", n, line, want[n])
		}
	}
	if r.Entries != 5 || r.Float != 5000 || len(r.Lines) != 3 {
		t.Errorf("the report: %+v", r)
	}
}

// TestArt93_14_PaidByTheBank: a cheque or a transfer pays whoever shows an identity document;
// the bank is out of the money, and the drawer of nothing.
func TestArt93_14_PaidByTheBank(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.14", "house:1")
	b := newDeskBook(t)
	b.run(t, `
		cashier  act     with                   euros       result
		carla    open    1                       10.00      ok
		carla    load    anne                   500.00      ok
		carla    load    anne/transfer+id       500.00      means_unknown
		carla    payout  anne/card+id+X1        400.00      means_unknown
		carla    payout  anne/cheque+7001       400.00      document_missing
		carla    payout  anne/transfer+V-1      400.00      document_missing
		carla    payout  anne/transfer+id       400.00      reference_missing
		carla    payout  anne/cheque+id         400.00      reference_missing
		carla    payout  anne/transfer+id+FR7630006000011234567890189  400.00  reference_missing
		carla    payout  anne/cheque+id+7001    500.01      balance_short
		carla    payout  anne/cheque+id+7001    120.00      ok
		carla    payout  anne/transfer+id+V-1   300.00      ok
		carla    payout  anne/transfer+id+V-2    50.00      ok
		carla    undo    4                           -      ok

		account            euros
		anne               80.00
		desk:1:cash      -510.00
		desk:1:cheque       0
		desk:1:transfer     0
		bank              430.00
	`)
	b.Clock.Move(time.Minute)
	r, err := b.DayReport(context.Background(), b.Now())
	if err != nil {
		t.Fatal(err)
	}
	want := []app.DeskDay{{Desk: "1", Means: app.Cash, Loads: 500_00}, {Desk: "1", Means: app.Cheque, PayOuts: 120_00},
		{Desk: "1", Means: app.Transfer, PayOuts: 300_00, Undone: 1}}
	if !slices.Equal(r.Desks, want) || r.Other != 0 {
		t.Errorf("the day: %+v, other %s, want %+v", r.Desks, r.Other, want)
	}
	d, err := b.Desk.Drawer(context.Background(), b.people["carla"])
	if err != nil || d.Due != (app.Count{Cash: 510_00}) || d.Entries[1].Reference != "V-2" || d.Entries[1].Document == "" {
		t.Errorf("the drawer: %+v, %v", d, err)
	}
}

// TestStd51_WhoMayUseADrawer: one cashier, one drawer, and nobody else.
func TestStd51_WhoMayUseADrawer(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:51")
	newDeskBook(t).run(t, `
		cashier  act     with     euros      result
		manon    open    1        50.00      forbidden
		carla    open    9        50.00      desk_unknown
		carla    open    1            -      ok
		carla    open    2        50.00      drawer_held
		denis    open    1        50.00      desk_taken
		denis    load    anne      5.00      drawer_closed
		denis    undo    1            -      drawer_closed
		denis    close   1        0/0/0      drawer_closed
		denis    open    2            -      ok
		carla    load    anne      5.00      ok
		denis    undo    1            -      nothing_to_undo
		manon    load    anne      5.00      forbidden
		carla    load    denis     5.00      player_unknown
		carla    load    anne/tin  5.00      means_unknown
		carla    load    anne  100000.01     desk_amount
		denis    payout  anne      5.00      drawer_short
		carla    close   1        5.00/0/0   ok
		denis    close   1        0/0/0      ok
		denis    open    1            -      ok

		account            euros
		anne                5.00
		desk:1:cash         0
		bank               -5.00
	`)
}

// TestStd50_UndoTakesBackTheLastEntry holds what an undo may take back, and when.
func TestStd50_UndoTakesBackTheLastEntry(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:50", "std:14")
	b := newDeskBook(t)
	b.run(t, `
		cashier  act     with    euros    result
		carla    open    1       20.00    ok
		carla    undo    1           -    nothing_to_undo
		carla    load    anne    10.00    ok
		carla    load    bob     10.00    ok
		carla    undo    1           -    not_the_last
		carla    undo    2           -    ok
		carla    undo    2           -    not_the_last
		carla    undo    3           -    undo_undone
		carla    payout  anne     4.00    ok
		carla    undo    4           -    ok
		carla    load    bob      3.00    ok
		carla    payout  bob      2.00    ok

		account          euros
		anne             10.00
		bob               1.00
		desk:1:cash     -31.00
	`)
	list, err := b.Store.Movements(context.Background(), "player:"+ledger.Path(b.people["anne"].String()),
		app.Cursor{}, 1)
	if err != nil || list[0].Kind != "undo" || list[0].Ref != "1-5 undoes 1-4" {
		t.Errorf("the compensating movement does not name what it undoes: %+v, %v", list, err)
	}
}

// TestStd14_UndoAfterTheMoneyIsSpent: refused, and nothing is half done.
func TestStd14_UndoAfterTheMoneyIsSpent(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:14", "house:1")
	b := newDeskBook(t)
	issue := b.OnSale(b.people["manon"], poor)
	b.run(t, `
		cashier  act     with    euros    result
		carla    open    1           -    ok
		carla    load    anne     2.00    ok
	`)
	_, err := buy(b.House, b.people["anne"], issue)
	if err != nil {
		t.Fatal(err)
	}
	order := []string{"carla", "undo", "1", "-"}
	prize := b.Balance("player:" + ledger.Path(b.people["anne"].String()))
	err = b.act(t, order)
	if !errors.Is(err, app.ErrSpent) {
		t.Errorf("undo of a spent load: %v", err)
	}
	b.run(t, `
		account          euros
		desk:1:cash      -2.00
	`)
	if got := b.Balance("player:" + ledger.Path(b.people["anne"].String())); got != prize {
		t.Errorf("anne has %s after the refusal, %s before", got, prize)
	}
	d, err := b.Desk.Drawer(context.Background(), b.people["carla"])
	if err != nil || len(d.Entries) != 1 || d.Undoable != 1 || d.Due.Cash != 200 {
		t.Errorf("after the refusal: %+v, %v", d, err)
	}
}

// TestDesk_ADoubleClickIsOneEntry sends each request twice.
func TestDesk_ADoubleClickIsOneEntry(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:43")
	ctx := context.Background()
	b := newDeskBook(t)
	b.run(t, "carla open 1 10.00 ok")
	carla, anne := b.people["carla"], b.people["anne"]
	load := app.DeskOrder{Request: app.NewRequestID(), Cashier: carla, Player: anne, Means: app.Cash, Amount: 500}
	first, err := b.Desk.Load(ctx, load)
	if err != nil {
		t.Fatal(err)
	}
	first.Event = 0 // not part of a stored answer
	if second, err := b.Desk.Load(ctx, load); err != nil || second != first {
		t.Errorf("the second click got %+v, %v; the first %+v", second, err, first)
	}
	load.Amount++
	if _, err := b.Desk.Load(ctx, load); !errors.Is(err, app.ErrRequestReused) {
		t.Errorf("the same form with another amount: %v", err)
	}
	undo := app.UndoOrder{Request: app.NewRequestID(), Cashier: carla, Number: 1}
	for range 2 {
		if _, err := b.Desk.Undo(ctx, undo); err != nil {
			t.Error(err)
		}
	}
	closing := app.DrawerClosing{Request: app.NewRequestID(), Cashier: carla, Counted: app.Count{Cash: 1000}}
	for range 2 {
		if _, err := b.Desk.Close(ctx, closing); err != nil {
			t.Error(err)
		}
	}
	if got := b.Balance("player:" + ledger.Path(anne.String())); got != 0 {
		t.Errorf("anne has %s", got)
	}
	b.Square()
}

// TestReadingI6_APayOutUncoversFirst: the receipt of a load does not give a covered prize
// away; a pay-out, even a refused one, uncovers the unit in play.
func TestReadingI6_APayOutUncoversFirst(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.interrupted")
	ctx := context.Background()
	b := newDeskBook(t)
	issue := b.OnSale(b.people["manon"], winning)
	anne, carla := b.people["anne"], b.people["carla"]
	b.run(t, `
		carla open 1 50.00 ok
		carla load anne 2.00 ok
	`)
	if _, err := buy(b.House, anne, issue); err != nil {
		t.Fatal(err)
	}
	e, err := b.Desk.Load(ctx, app.DeskOrder{Request: app.NewRequestID(), Cashier: carla, Player: anne,
		Means: app.Cash, Amount: 100})
	if err != nil || e.Balance != 100 {
		t.Errorf("the receipt says %s (%v); 1.00 is shown, the rest is covered", e.Balance, err)
	}
	b.run(t, "carla payout anne 99.00 balance_short")
	before := b.Shown(anne)
	if before < 300 {
		t.Errorf("%s is shown after a pay-out was asked for: the unit is still covered", before)
	}
	e, err = b.Desk.PayOut(ctx, app.DeskOrder{Request: app.NewRequestID(), Cashier: carla, Player: anne, Amount: before})
	if err != nil || e.Balance != 0 {
		t.Errorf("paying all out leaves %s, %v", e.Balance, err)
	}
	b.Square()
}

// poor is a game none of whose prizes pays a unit back.
const poor = `title = "Peu"
kind = "three-alike"
block = 7
price = 2.00

[[prizes]]
count = 1
amount = 1.50

[[prizes]]
count = 1
amount = 1.00

[[prizes]]
count = 1
amount = 0.50
`

// winning is a game each of whose units but one wins.
const winning = `title = "Tout gagne"
kind = "three-alike"
block = 7
price = 2.00

[[prizes]]
count = 2
amount = 4.00

[[prizes]]
count = 2
amount = 3.00

[[prizes]]
count = 3
amount = 2.00
`

// TestDesk_AReceiptIsProved holds a receipt: what was done, and a checkpoint that covers it.
func TestDesk_AReceiptIsProved(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	b := newDeskBook(t)
	b.run(t, `
		carla open 1 10.00 ok
		carla load anne 5.00 ok
		carla load bob/cheque+id 7.00 ok
	`)
	r, err := b.Desk.Receipt(ctx, b.people["carla"], 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Ref() != "1-2" || r.PlayerName != "bob" || r.CashierName != "carla" || r.Amount != 700 ||
		r.Balance != 700 || r.Document != "identity_card" || r.Fingerprint != b.Vault.Fingerprint() {
		t.Errorf("the receipt says %+v", r)
	}
	list, err := b.Store.Stream(ctx, "desk/1", r.Event-1, 1)
	if err != nil || list[0].Index < 0 || list[0].Index >= r.Checkpoint.Size {
		t.Errorf("the checkpoint of %d leaves does not cover the entry: %+v, %v", r.Checkpoint.Size, list, err)
	}
	if _, err := b.Desk.Receipt(ctx, b.people["denis"], 1, 2); !errors.Is(err, app.ErrDrawerHeld) {
		t.Errorf("somebody else's receipt: %v", err)
	}
	if _, err := b.Desk.Receipt(ctx, b.people["carla"], 1, 3); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("a receipt of nothing: %v", err)
	}
}
