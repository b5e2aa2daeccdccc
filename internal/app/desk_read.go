package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"boulier/journal"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// A DrawerView is an open drawer as its cashier sees it.
type DrawerView struct {
	Desk     DeskID
	Drawer   int64
	OpenedAt time.Time
	Float    money.Cents
	Due      Count       // what must be in the drawer now, by means
	Entries  []DeskEntry // newest first
	Undoable int64       // number of the entry that can be taken back, 0 for none
}

// Drawer returns the open drawer of a cashier; ErrNotFound if there is none.
func (d Desk) Drawer(ctx context.Context, cashier player.ID) (DrawerView, error) {
	desk, err := d.held(ctx, cashier)
	if err != nil {
		return DrawerView{}, err
	}
	if desk == 0 {
		return DrawerView{}, ErrNotFound
	}
	s, _, err := deskCell(desk).Read(ctx, d.Store)
	if err != nil {
		return DrawerView{}, err
	}
	v := DrawerView{Desk: desk, Drawer: s.Drawer, OpenedAt: s.OpenedAt, Float: s.Float}
	if s.Last != nil {
		if last, err := s.undoable(s.Last.Number); err == nil {
			v.Undoable = last.Number
		}
	}
	accounts, err := d.Store.Accounts(ctx, "desk:"+desk.String()+":")
	if err != nil {
		return v, err
	}
	for _, a := range accounts {
		v.Due.set(Means(a.Path[strings.LastIndex(string(a.Path), ":")+1:]), money.Cents(-a.Balance))
	}
	v.Entries, err = d.entries(ctx, desk, s.Opening)
	return v, err
}

func (c *Count) set(m Means, n money.Cents) {
	switch m {
	case Cash:
		c.Cash = n
	case Card:
		c.Card = n
	case Cheque:
		c.Cheque = n
	}
}

// Of returns what was counted by one means.
func (c Count) Of(m Means) money.Cents { return c.by(m) }

// entries reads the entries of a desk after an event, newest first.
func (d Desk) entries(ctx context.Context, desk DeskID, after uint64) ([]DeskEntry, error) {
	var out []DeskEntry
	err := d.eachEvent(ctx, string(deskCell(desk)), after, func(l journal.Leaf, payload []byte) error {
		if !strings.HasPrefix(string(l.Kind), "desk_") || payload == nil {
			return nil
		}
		e := DeskEntry{Event: uint64(l.Number)}
		if err := json.Unmarshal(payload, &e); err != nil {
			return err
		}
		out = append(out, e)
		return nil
	})
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out, err
}

// eachEvent calls do with each event of a stream after a number, in order; the payload is
// nil where it was erased.
func (g *Ground) eachEvent(ctx context.Context, stream string, after uint64,
	do func(l journal.Leaf, payload []byte) error) error {
	return g.eachEntry(ctx, stream, after, func(e Entry, l journal.Leaf) error {
		if e.Salt == nil {
			return do(l, nil)
		}
		return do(l, e.Payload)
	})
}

// eachEntry is eachEvent for whoever needs the whole entry.
func (g *Ground) eachEntry(ctx context.Context, stream string, after uint64,
	do func(e Entry, l journal.Leaf) error) error {
	const atOnce = 500
	for {
		list, err := g.Store.Stream(ctx, stream, after, atOnce)
		if err != nil {
			return err
		}
		for _, e := range list {
			l, err := journal.ParseLeaf(e.Leaf)
			if err != nil {
				return err
			}
			if err := do(e, l); err != nil {
				return fmt.Errorf("app: event %d of %s: %w", l.Number, stream, err)
			}
		}
		after += uint64(len(list))
		if len(list) < atOnce {
			return nil
		}
	}
}

// A Receipt is what the paper says of an entry.
type Receipt struct {
	DeskEntry
	PlayerName  string
	CashierName string
	Operator    string
	Checkpoint  journal.Head // of a signed checkpoint that covers the entry
	Fingerprint string       // of the key that signed it
}

// errNoEntry tells that the stream of a desk lacks an entry that its state counts.
var errNoEntry = errors.New("app: the event is not an entry of a desk")

// Receipt returns the receipt of an entry of a desk, for its cashier.
func (d Desk) Receipt(ctx context.Context, cashier player.ID, desk DeskID, number int64) (Receipt, error) {
	s, _, err := deskCell(desk).Read(ctx, d.Store)
	if err != nil {
		return Receipt{}, err
	}
	if number < 1 || number > s.Entries {
		return Receipt{}, ErrNotFound
	}
	entry, index, err := d.entry(ctx, desk, number)
	if err != nil {
		return Receipt{}, err
	}
	if entry.Cashier != cashier {
		return Receipt{}, ErrDrawerHeld.With("person %d made entry %s", entry.Cashier, entry.Ref())
	}
	r := Receipt{DeskEntry: entry, Fingerprint: d.Sealer.Fingerprint()}
	if r.PlayerName, err = d.NameOf(ctx, entry.Player); err != nil {
		return r, err
	}
	if r.CashierName, err = d.NameOf(ctx, entry.Cashier); err != nil {
		return r, err
	}
	settings, _, err := settingsCell.Read(ctx, d.Store)
	if err != nil {
		return r, err
	}
	r.Operator = settings.Operator
	r.Checkpoint, err = d.covering(ctx, index)
	return r, err
}

// entry finds an entry of a desk. Its event stands at most two events a drawer after its
// number, so few are read.
func (d Desk) entry(ctx context.Context, desk DeskID, number int64) (DeskEntry, int64, error) {
	after := uint64(number) - 1
	for {
		list, err := d.Store.Stream(ctx, string(deskCell(desk)), after, 200)
		if err != nil {
			return DeskEntry{}, 0, err
		}
		for _, e := range list {
			after++
			var entry DeskEntry
			if len(e.Payload) == 0 || json.Unmarshal(e.Payload, &entry) != nil || entry.Number != number {
				continue
			}
			entry.Event = after
			return entry, e.Index, nil
		}
		if len(list) == 0 {
			return DeskEntry{}, 0, fmt.Errorf("%w: %d of desk %d", errNoEntry, number, desk)
		}
	}
}

// covering returns the head of a signed checkpoint that covers a place in the journal, −1
// for one that has no place yet: the latest, or one signed now.
func (g *Ground) covering(ctx context.Context, index int64) (journal.Head, error) {
	c, err := g.Store.Checkpoint(ctx)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return journal.Head{}, err
	}
	if index < 0 || err != nil || c.Size <= index {
		if c, err = g.CheckpointNow(ctx); err != nil {
			return journal.Head{}, err
		}
	}
	key, err := journal.ParseKey(g.Sealer.VerifierKey())
	if err != nil {
		return journal.Head{}, err
	}
	signed, err := journal.Open([]byte(c.Note), key)
	return signed.Head, err
}

// NameOf is the name that a person shows to others, empty once it is erased.
func (g *Ground) NameOf(ctx context.Context, id player.ID) (string, error) {
	row, err := g.Store.Person(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	return row.Name, err
}

// LastDrawer returns the report of the drawer that was closed last at a desk.
func (d Desk) LastDrawer(ctx context.Context, desk DeskID) (DrawerReport, error) {
	s, _, err := deskCell(desk).Read(ctx, d.Store)
	if err != nil {
		return DrawerReport{}, err
	}
	if s.Closing == 0 {
		return DrawerReport{}, ErrNotFound
	}
	list, err := d.Store.Stream(ctx, string(deskCell(desk)), s.Closing-1, 1)
	if err != nil {
		return DrawerReport{}, err
	}
	if len(list) == 0 {
		return DrawerReport{}, ErrNotFound
	}
	var r DrawerReport
	err = json.Unmarshal(list[0].Payload, &r)
	return r, err
}

// A Client is a player as a desk sees one.
type Client struct {
	ID      player.ID
	SignIn  string
	Name    string
	Status  Status
	Balance money.Cents // what the player is shown
	Covered bool        // a unit is in play: a pay-out uncovers it
}

// Find returns the player of a sign-in name; ErrPlayerUnknown for anybody else.
func (d Desk) Find(ctx context.Context, name string) (Client, error) {
	row, err := d.Store.PersonBySignIn(ctx, Fold(name))
	if errors.Is(err, ErrNotFound) {
		return Client{}, ErrPlayerUnknown.With("no sign-in name %q", Fold(name))
	}
	if err != nil {
		return Client{}, err
	}
	return d.Client(ctx, row.ID)
}

// Client returns a player by identifier, without names where nothing personal is known;
// ErrPlayerUnknown for anybody else.
func (d Desk) Client(ctx context.Context, id player.ID) (Client, error) {
	row, err := d.Store.Person(ctx, id)
	if err != nil && !errors.Is(err, ErrNotFound) { // nothing personal is known of an anonymous account
		return Client{}, err
	}
	s, _, err := standingOf(id).Read(ctx, d.Store)
	if err != nil {
		return Client{}, err
	}
	if !s.Is(Player) {
		return Client{}, ErrPlayerUnknown.With("person %d has %v", id, s.Roles)
	}
	purse, err := d.Purse(ctx, id)
	return Client{id, row.SignIn, row.Name, s.Status, purse.Shown, purse.Covered != (UnitRef{})}, err
}

// Desks returns the state of each desk that was ever used, by number.
func (g *Ground) Desks(ctx context.Context) ([]DeskState, error) {
	return readCells[DeskState](ctx, g.Store, "desk/")
}

// deskOf splits the path of a desk's account into the desk and the means.
func deskOf(p ledger.Path) (desk string, m Means, ok bool) {
	rest, ok := strings.CutPrefix(string(p), "desk:")
	desk, means, cut := strings.Cut(rest, ":")
	return desk, Means(means), ok && cut
}
