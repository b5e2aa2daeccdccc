package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"boulier/ledger"
	"boulier/player"
	"boulier/regs"
)

// A ProfileChange corrects a player's personal data (contest:15).
type ProfileChange struct {
	Request RequestID
	Player  player.ID
	Profile Profile
}

// CorrectProfile replaces what the house has of a registered player. The name and address of
// somebody else are refused as at the registration (contest:3.one).
func (c *Contests) CorrectProfile(ctx context.Context, o ProfileChange) error {
	was, _, err := profileCell(o.Player).Read(ctx, c.Store)
	if err != nil {
		return err
	}
	is := o.Profile
	is.Address, is.At = was.Address, was.At // what was seen at the registration stays as it was
	from, _, err := c.digests(ctx, was)
	if err != nil {
		return err
	}
	to, _, err := c.digests(ctx, is)
	if err != nil {
		return err
	}
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.Player.String(), "contest/profile", []any{to, is.NoReminders}),
		States: []string{string(entryCell(o.Player)), string(profileCell(o.Player)), string(whoCell(from)), string(standingOf(o.Player))}}
	if to != from {
		keys.States = append(keys.States, string(whoCell(to)))
	}
	_, err = Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, o.Player, Predict); err != nil {
			return struct{}{}, err
		}
		e, err := entryCell(o.Player).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if e.Status == EntryNone || e.Status == EntryRemoved || e.Who != from {
			return struct{}{}, ErrNotEntered.With("the entry is %q", e.Status)
		}
		if e.Minor {
			is.Parent, is.ParentEmail = was.Parent, was.ParentEmail
		}
		if err := is.check(e.Minor); err != nil {
			return struct{}{}, err
		}
		if to != from {
			same, err := whoCell(to).Get(tx)
			if err != nil {
				return struct{}{}, err
			}
			if len(same) > 0 {
				return struct{}{}, ErrSamePerson.With("%d registered with this name and address", len(same))
			}
			if err := leave(tx, whoCell(from), o.Player); err != nil {
				return struct{}{}, err
			}
			whoCell(to).Put(tx, []player.ID{o.Player})
			e.Who = to
			entryCell(o.Player).Put(tx, e)
		}
		profileCell(o.Player).Put(tx, is)
		return struct{}{}, entryCell(o.Player).Append(tx, "profile_corrected", struct {
			Player player.ID `json:"player"`
		}{o.Player})
	})
	return err
}

// leave takes a player out of a list of players; an empty list is removed.
func leave(tx Tx, cell Cell[[]player.ID], who player.ID) error {
	was, err := cell.Get(tx)
	if err != nil {
		return err
	}
	is := slices.DeleteFunc(slices.Clone(was), func(id player.ID) bool { return id == who })
	if len(is) == 0 {
		cell.Remove(tx)
		return nil
	}
	cell.Put(tx, is)
	return nil
}

// ErrMoneyLeft refuses to remove an account that holds money.
var ErrMoneyLeft = &regs.Violation{Ref: "contest:15", Code: "money_left"}

// A Removal is a player's wish to have all personal data removed (contest:15).
type Removal struct {
	Request RequestID
	Player  player.ID
	// Account says that the account goes too, with its sign-in name, its name shown and its
	// birth date. It goes in any case if the contests were all that it was for.
	Account bool
}

// RemoveData removes what is personal of a player from the contests: profile, addresses of
// orders, texts of disputes. Orders that were not sent are cancelled. Slips stay in and what is
// proclaimed keeps a line without a name, so that ranks and pots can still be proved (Readings
// C14, C23).
func (c *Contests) RemoveData(ctx context.Context, r Removal) error {
	e, _, err := entryCell(r.Player).Read(ctx, c.Store)
	if err != nil {
		return err
	}
	orders, err := c.Orders(ctx, r.Player)
	if err != nil {
		return err
	}
	disputes, err := c.Disputes(ctx, r.Player)
	if err != nil {
		return err
	}
	offers, err := c.Offers(ctx, r.Player)
	if err != nil {
		return err
	}
	row, err := c.Store.Person(ctx, r.Player)
	if err != nil {
		return err
	}
	keys := Keys{Request: NewRequest(r.Request, "person/"+r.Player.String(), "contest/remove", r.Account),
		Accounts: []ledger.Path{freeNuggets(r.Player), houseSpent, playerAccount(r.Player), heldAccount(r.Player)},
		States: []string{string(entryCell(r.Player)), string(profileCell(r.Player)), string(standingOf(r.Player)), string(departuresCell),
			string(whoCell(e.Who)), string(networkCell(e.Network)), string(letterCell(consentLetter(r.Player))), string(signInName(row.SignIn))}}
	for _, o := range orders {
		keys.States = append(keys.States, string(orderCell(o.ID)), string(deliveryCell(o.ID)), string(giftCell(o.Gift)))
	}
	for _, d := range disputes {
		keys.States = append(keys.States, string(disputeCell(d.ID)))
	}
	for _, o := range offers {
		keys.States = append(keys.States, string(winnerCell(o.ID)))
	}
	slices.Sort(keys.States)
	keys.States = slices.Compact(keys.States)
	_, err = Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		return struct{}{}, c.remove(tx, r, e, row, orders, disputes, offers)
	})
	if err != nil {
		return err
	}
	leagues, err := c.Leagues(ctx, r.Player)
	for _, l := range leagues {
		err = errors.Join(err, c.LeaveLeague(ctx, LeagueOrder{By: r.Player, League: l.ID}, r.Player))
	}
	return err
}

func (c *Contests) remove(tx Tx, r Removal, seen contestEntry, row PersonRow, orders []GiftOrder, disputes []Dispute, offers []Offer) error {
	s, err := standingOf(r.Player).Get(tx)
	if err == nil {
		err = require(s, Predict)
	}
	if err != nil {
		return err
	}
	e, err := entryCell(r.Player).Get(tx)
	if err != nil {
		return err
	}
	if e.Status == EntryNone || e.Status == EntryRemoved || e.Who != seen.Who {
		return ErrNotEntered.With("the entry is %q", e.Status)
	}
	for _, o := range orders {
		if o.Status == OrderPlaced || o.Status == OrderProved {
			if err := step(tx, OrderStep{By: r.Player, Order: o.ID, Status: OrderCancelled}); err != nil {
				return err
			}
		}
		deliveryCell(o.ID).Remove(tx)
	}
	for _, d := range disputes {
		now, err := disputeCell(d.ID).Get(tx)
		if err != nil {
			return err
		}
		now.Text = ""
		disputeCell(d.ID).Put(tx, now)
	}
	for _, o := range offers {
		winnerCell(o.ID).Remove(tx)
	}
	for _, cell := range []Cell[[]player.ID]{whoCell(e.Who), networkCell(e.Network)} {
		if err := leave(tx, cell, r.Player); err != nil {
			return err
		}
	}
	if e.Status != EntryClosed && e.Status != EntryExcluded { // those stay away: their slips do not count
		if err := depart(tx, r.Player, EntryRemoved); err != nil {
			return err
		}
	}
	profileCell(r.Player).Remove(tx)
	letterCell(consentLetter(r.Player)).Remove(tx)
	entryCell(r.Player).Put(tx, contestEntry{Status: EntryRemoved, Since: tx.Now(), Rules: e.Rules, Link: e.Link, Case: e.Case})
	if err := entryCell(r.Player).Append(tx, "data_removed", struct {
		Player  player.ID `json:"player"`
		Account bool      `json:"account"`
	}{r.Player, r.Account || s.Is(Junior)}); err != nil || !r.Account && !s.Is(Junior) {
		return err
	}
	return closePerson(tx, r.Player, s, row)
}

// closePerson removes the account of a person that holds no money. The keys name its accounts
// in euros, its standing and its sign-in name.
func closePerson(tx Tx, who player.ID, s Standing, row PersonRow) error {
	for _, path := range []ledger.Path{playerAccount(who), heldAccount(who)} {
		a, err := tx.Account(path)
		if err != nil {
			return err
		}
		if a.Balance != 0 {
			return ErrMoneyLeft.With("%s holds %d", path, a.Balance)
		}
	}
	s.Status = Closed
	s.Epoch++
	standingOf(who).Put(tx, s)
	signInName(row.SignIn).Remove(tx)
	tx.Delete(PersonRow{ID: who})
	return standingOf(who).Append(tx, "person_removed", struct {
		Person player.ID `json:"person"`
	}{who})
}

// hideRemoved takes out of names those who had their data removed: they show as a number.
func (c *Contests) hideRemoved(ctx context.Context, names map[player.ID]string) error {
	gone, _, err := departuresCell.Read(ctx, c.Store)
	for id := range names {
		if d, ok := gone[id]; ok && d.Kind == departure(EntryRemoved) {
			delete(names, id)
		}
	}
	return err
}

// Names returns the names shown of players, without those who had theirs removed.
func (c *Contests) Names(ctx context.Context, ids []player.ID) (map[player.ID]string, error) {
	names, err := c.Store.Names(ctx, ids)
	if err != nil {
		return nil, err
	}
	return names, c.hideRemoved(ctx, names)
}

// A RulesLetter asks for the rules by e-mail (contest:18).
type RulesLetter struct {
	Request RequestID
	Email   string
	Locale  string
}

// rulesAgain is how long one address waits for a second letter with the rules: nobody can
// have the house write to somebody again and again.
const rulesAgain = 24 * time.Hour

// MailRules sends the rules to an address, free, as a file (contest:18).
func (c *Contests) MailRules(ctx context.Context, r RulesLetter) error {
	if err := CheckEmail(r.Email); err != nil {
		return err
	}
	key, _, err := c.digests(ctx, Profile{Given: r.Email})
	if err != nil {
		return err
	}
	name, asked := "rules/"+key, Cell[time.Time]("contest/asked/"+key)
	keys := Keys{Request: NewRequest(r.Request, "email/"+key, "contest/rules", r.Locale),
		States: []string{string(letterCell(name)), string(asked)}}
	_, err = Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		last, err := asked.Get(tx)
		if err != nil || !last.IsZero() && tx.Now().Before(last.Add(rulesAgain)) {
			return struct{}{}, err
		}
		asked.Put(tx, tx.Now())
		letterCell(name).Put(tx, Letter{To: r.Email, Locale: r.Locale, Kind: "rules", Path: "/contests/rules", Rules: true})
		return struct{}{}, nil
	})
	return err
}
