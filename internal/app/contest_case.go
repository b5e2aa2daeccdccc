package app

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"boulier/player"
	"boulier/regs"
)

// A CaseID identifies a case file.
type CaseID int64

// The kinds of case files.
const (
	CaseNamesake = "namesake" // same name and address, said to be another person (Reading C21)
	CaseNetwork  = "network"  // registered from the network of another (Reading C21)
	CaseMultiple = "multiple" // a manager suspects one person behind several accounts
	CaseConduct  = "conduct"  // contest:4.conduct
)

// Evidence is one dated piece of a case file. It may be personal.
type Evidence struct {
	At   time.Time `json:"at"`
	Kind string    `json:"kind"` // same_identity, same_network, or noted by a person
	Text string    `json:"text"`
	By   player.ID `json:"by,omitempty"`
}

// A Case is a case file: what was seen and when, and what a person decided. Its texts may be
// personal: they stand here and in no event. Whoever is sent away by it is shown it, since
// the proof must be given (contest:3.multiple).
type Case struct {
	ID       CaseID      `json:"id"`
	Kind     string      `json:"kind"`
	Players  []player.ID `json:"players"`
	OpenedAt time.Time   `json:"opened_at"`
	Evidence []Evidence  `json:"evidence"`

	DecidedAt time.Time   `json:"decided_at,omitzero"`
	By        player.ID   `json:"by,omitempty"`
	Reason    string      `json:"reason,omitempty"`
	Away      []player.ID `json:"away,omitempty"` // whose entries it closed or excluded
}

const (
	nextCase   = counter("next/contest_case")
	casePrefix = "contest/case/"
)

func caseCell(id CaseID) Cell[Case] {
	return Cell[Case](casePrefix + strconv.FormatInt(int64(id), 10))
}

// The refusals of case files.
var (
	ErrCaseUnknown = &regs.Violation{Ref: "contest:3.one", Code: "case_unknown"}
	ErrCaseDecided = &regs.Violation{Ref: "contest:3.one", Code: "case_decided"}
	ErrCaseReason  = &regs.Violation{Ref: "contest:3.multiple", Code: "case_reason"}
	ErrCasePlayers = &regs.Violation{Ref: "contest:3.multiple", Code: "case_players"}
)

// caseEvent is the fact of a case file: who, never why.
type caseEvent struct {
	Case    CaseID      `json:"case"`
	Kind    string      `json:"kind"`
	Players []player.ID `json:"players"`
	Away    []player.ID `json:"away,omitempty"`
	By      player.ID   `json:"by,omitempty"`
}

// A caseOpener opens case files in a transaction whose keys name the next ones.
type caseOpener struct {
	tx   Tx
	next CaseID
}

func (o *caseOpener) open(file Case) (CaseID, error) {
	n, err := next(o.tx, nextCase)
	if err != nil || CaseID(n) != o.next {
		return 0, moved(err)
	}
	file.ID, file.OpenedAt = o.next, o.tx.Now()
	o.next++
	caseCell(file.ID).Put(o.tx, file)
	return file.ID, caseCell(file.ID).Append(o.tx, "case_opened",
		caseEvent{Case: file.ID, Kind: file.Kind, Players: file.Players, By: file.by()})
}

// by is who noted the first piece, 0 for the program.
func (c Case) by() player.ID {
	if len(c.Evidence) == 0 {
		return 0
	}
	return c.Evidence[0].By
}

// A CaseOpening is a manager's own case file.
type CaseOpening struct {
	Request RequestID
	By      player.ID
	Kind    string // CaseMultiple or CaseConduct
	Players []player.ID
	Text    string // what was seen
}

// OpenCase opens a case file. One about conduct excludes its players at once
// (contest:4.conduct); one about several accounts waits for its decision.
func (c *Contests) OpenCase(ctx context.Context, o CaseOpening) (CaseID, error) {
	o.Text = strings.TrimSpace(o.Text)
	slices.Sort(o.Players)
	o.Players = slices.Compact(o.Players)
	switch {
	case o.Text == "" || len(o.Text) > 4000:
		return 0, ErrCaseReason.With("%d bytes", len(o.Text))
	case o.Kind == CaseConduct && len(o.Players) != 1, o.Kind == CaseMultiple && len(o.Players) < 2,
		o.Kind != CaseConduct && o.Kind != CaseMultiple, len(o.Players) > 20:
		return 0, ErrCasePlayers.With("%d players in a case of %s", len(o.Players), o.Kind)
	}
	request := NewRequest(o.Request, "person/"+o.By.String(), "contest/case", []any{o.Kind, o.Players, o.Text})
	return again(func() (CaseID, error) {
		last, _, err := nextCase.Read(ctx, c.Store)
		if err != nil {
			return 0, err
		}
		id := CaseID(last + 1)
		keys := Keys{Request: request, States: append(c.caseKeys(id, o.Players), string(nextCase), string(standingOf(o.By)))}
		return Do(ctx, c.Store, keys, func(tx Tx) (CaseID, error) {
			if err := requireBy(tx, o.By, ManageGames); err != nil {
				return 0, err
			}
			for _, who := range o.Players {
				if e, err := entryCell(who).Get(tx); err != nil || e.Status == EntryNone {
					return 0, orErr(err, ErrCasePlayers.With("player %d is not registered", who))
				}
			}
			opener := caseOpener{tx, id}
			if _, err := opener.open(Case{Kind: o.Kind, Players: o.Players,
				Evidence: []Evidence{{At: tx.Now(), Kind: "noted", Text: o.Text, By: o.By}}}); err != nil {
				return 0, err
			}
			if o.Kind != CaseConduct {
				return id, nil
			}
			return id, c.decide(tx, id, CaseDecision{By: o.By, Away: o.Players, Reason: o.Text})
		})
	})
}

func orErr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func (c *Contests) caseKeys(id CaseID, players []player.ID) []string {
	keys := []string{string(caseCell(id)), string(departuresCell)}
	for _, who := range players {
		keys = append(keys, string(entryCell(who)))
	}
	return keys
}

// A CaseDecision is a manager's, for good.
type CaseDecision struct {
	Request RequestID
	By      player.ID
	Case    CaseID
	Reason  string      // shown to those concerned
	Away    []player.ID // whose entries end; nobody's: the file is put away
}

// DecideCase decides a case file. The entries that it ends take no further part, without a
// warning (contest:3.multiple, contest:4.conduct); a namesake whom it does not send away has
// given proof and is admitted (Reading C21).
func (c *Contests) DecideCase(ctx context.Context, d CaseDecision) error {
	if d.Reason = strings.TrimSpace(d.Reason); d.Reason == "" || len(d.Reason) > 4000 {
		return ErrCaseReason.With("%d bytes", len(d.Reason))
	}
	file, _, err := caseCell(d.Case).Read(ctx, c.Store)
	if err != nil {
		return err
	}
	if file.ID == 0 {
		return ErrCaseUnknown.With("case %d", d.Case)
	}
	keys := Keys{Request: NewRequest(d.Request, "person/"+d.By.String(), "contest/decide", []any{d.Case, d.Reason, d.Away}),
		States: append(c.caseKeys(d.Case, file.Players), string(standingOf(d.By)))}
	_, err = Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, d.By, ManageGames); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, c.decide(tx, d.Case, d)
	})
	return err
}

func (c *Contests) decide(tx Tx, id CaseID, d CaseDecision) error {
	file, err := caseCell(id).Get(tx)
	if err != nil {
		return err
	}
	if !file.DecidedAt.IsZero() {
		return ErrCaseDecided.With("case %d", id)
	}
	for _, who := range d.Away {
		if !slices.Contains(file.Players, who) {
			return ErrCasePlayers.With("player %d is not in case %d", who, id)
		}
	}
	if file.Kind != CaseConduct && len(d.Away) == len(file.Players) {
		return ErrCasePlayers.With("one account of a person may stay")
	}
	status := EntryClosed
	if file.Kind == CaseConduct {
		status = EntryExcluded
	}
	for _, who := range file.Players {
		if err := c.decideEntry(tx, file, who, status, slices.Contains(d.Away, who)); err != nil {
			return err
		}
	}
	file.DecidedAt, file.By, file.Reason, file.Away = tx.Now(), d.By, d.Reason, d.Away
	caseCell(id).Put(tx, file)
	return caseCell(id).Append(tx, "case_decided", caseEvent{id, file.Kind, file.Players, d.Away, d.By})
}

// decideEntry applies a decision to one entry.
func (c *Contests) decideEntry(tx Tx, file Case, who player.ID, status string, away bool) error {
	e, err := entryCell(who).Get(tx)
	if err != nil || e.Status == EntryRemoved {
		return err
	}
	switch {
	case away:
		e.Status, e.Since, e.Case = status, tx.Now(), file.ID
		if err := depart(tx, who, status); err != nil {
			return err
		}
	case e.Status == EntryProof && e.Case == file.ID:
		e.Status, e.Since, e.Case = EntryAdmitted, tx.Now(), 0
		if e.Minor && e.Consent.IsZero() {
			e.Status = EntryParent
		}
	default:
		return nil
	}
	entryCell(who).Put(tx, e)
	return entryCell(who).Append(tx, "entry_decided", struct {
		Status string `json:"status"`
		Case   CaseID `json:"case"`
	}{e.Status, file.ID})
}

// depart notes that the slips of an account no longer count (Reading C14). The keys name
// departuresCell.
func depart(tx Tx, who player.ID, status string) error {
	was, err := departuresCell.Get(tx)
	if err != nil {
		return err
	}
	is := Departures{} // the old map is shared: it stays as it is
	for id, d := range was {
		is[id] = d
	}
	is[who] = Departed{Kind: departure(status), At: tx.Now()}
	departuresCell.Put(tx, is)
	return nil
}

// Cases returns all case files, oldest first; those that name a player unless who is 0.
func (c *Contests) Cases(ctx context.Context, who player.ID) ([]Case, error) {
	all, err := readCells[Case](ctx, c.Store, casePrefix)
	var out []Case
	for _, file := range all {
		if who == 0 || slices.Contains(file.Players, who) {
			out = append(out, file)
		}
	}
	return out, err
}

// Profile returns the personal data of a registered player, for who manages a case file.
func (c *Contests) Profile(ctx context.Context, who player.ID) (Profile, error) {
	p, _, err := profileCell(who).Read(ctx, c.Store)
	return p, err
}
