package app

import (
	"context"
	"strconv"
	"strings"
	"time"

	"boulier/game/instant"
	"boulier/player"
	"boulier/regs"
)

// ErrDisabled refuses a stake while play is disabled: all of it, one game, one issue or one
// player (std:4). Games in progress conclude: a unit that was sold can always be uncovered.
var ErrDisabled = &regs.Violation{Ref: "std:4", Code: "play_disabled"}

// What an order to disable refuses.
var (
	ErrTarget       = &regs.Violation{Ref: "std:4", Code: "target_unknown"}
	ErrReasonNeeded = &regs.Violation{Ref: "std:4", Code: "reason_needed"}
	ErrAsBefore     = &regs.Violation{Ref: "std:4", Code: "as_before"}
)

// A Target names what is disabled: "all", "bingo", "game/3", "issue/7" or "player/9".
type Target string

// All is every game and every player; AllBingo is the sale of cards of the bingo, in which a
// round that is being drawn concludes.
const (
	All      Target = "all"
	AllBingo Target = "bingo"
)

// IssueTarget, GameTarget and PlayerTarget name one issue, one game, one player.
func IssueTarget(id instant.IssueID) Target { return target("issue/", int64(id)) }

// GameTarget names all issues of a game.
func GameTarget(id GameID) Target { return target("game/", int64(id)) }

// PlayerTarget names one player.
func PlayerTarget(id player.ID) Target { return target("player/", int64(id)) }

func target(kind string, n int64) Target { return Target(kind + strconv.FormatInt(n, 10)) }

// split returns the kind and number of a target; ok is false for what names nothing.
func (t Target) split() (kind string, n int64, ok bool) {
	if t == All || t == AllBingo {
		return string(t), 0, true
	}
	kind, number, _ := strings.Cut(string(t), "/")
	n, err := strconv.ParseInt(number, 10, 64)
	known := kind == "game" || kind == "issue" || kind == "player"
	return kind, n, err == nil && n > 0 && known && target(kind+"/", n) == t
}

// A Disabling says since when and why something is disabled.
type Disabling struct {
	At     time.Time `json:"at"`
	By     player.ID `json:"by"`
	Reason string    `json:"reason"`
}

// Disabled is what is disabled now: the state that each sale reads.
type Disabled map[Target]Disabling

const disabledCell Cell[Disabled] = "disabled"

// checkEnabled refuses a stake on what is disabled. The keys name the state disabledCell.
func checkEnabled(tx Tx, who player.ID, issue IssueState) error {
	return checkEnabledFor(tx, All, GameTarget(issue.Game), IssueTarget(issue.ID), PlayerTarget(who))
}

// checkEnabledFor refuses play if one of the targets is disabled.
func checkEnabledFor(tx Tx, targets ...Target) error {
	d, err := disabledCell.Get(tx)
	if err != nil || len(d) == 0 {
		return err
	}
	for _, t := range targets {
		if off, ok := d[t]; ok {
			return ErrDisabled.With("%s since %s", t, off.At.Format(time.RFC3339))
		}
	}
	return nil
}

// Disabled returns what is disabled now.
func (g *Ground) Disabled(ctx context.Context) (Disabled, error) {
	d, _, err := disabledCell.Read(ctx, g.Store)
	return d, err
}

// A Switching is an administrator's order to disable or enable something.
type Switching struct {
	Request RequestID
	By      player.ID
	Target  Target
	Off     bool
	Reason  string // needed both ways
}

// maxReason bounds a reason in bytes.
const maxReason = 500

// Switch disables or enables play on demand; time, reason and person are an event (std:4).
func (o Office) Switch(ctx context.Context, s Switching) error {
	kind, n, ok := s.Target.split()
	if !ok {
		return ErrTarget.With("target %q", s.Target)
	}
	if s.Reason = strings.TrimSpace(s.Reason); s.Reason == "" || len(s.Reason) > maxReason {
		return ErrReasonNeeded.With("%d bytes", len(s.Reason))
	}
	named := map[string]string{"game": string(gameCell(GameID(n))),
		"issue": string(issueCell(instant.IssueID(n))), "player": string(standingOf(player.ID(n)))}[kind]
	keys := Keys{
		Request: NewRequest(s.Request, "person/"+s.By.String(), "switch", []any{s.Target, s.Off, s.Reason}),
		States:  []string{string(disabledCell), string(standingOf(s.By))},
	}
	if named != "" {
		keys.States = append(keys.States, named)
	}
	_, err := Do(ctx, o.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, s.By, ManageHouse); err != nil {
			return struct{}{}, err
		}
		if err := checkTarget(tx, kind, n); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, switchInside(tx, s)
	})
	return err
}

// checkTarget refuses a target that does not exist.
func checkTarget(tx Tx, kind string, n int64) error {
	found := true
	switch kind {
	case "game":
		g, err := gameCell(GameID(n)).Get(tx)
		if err != nil {
			return err
		}
		found = g.ID != 0
	case "issue":
		i, err := issueCell(instant.IssueID(n)).Get(tx)
		if err != nil {
			return err
		}
		found = i.ID != 0
	case "player":
		s, err := standingOf(player.ID(n)).Get(tx)
		if err != nil {
			return err
		}
		found = s.Public()
	}
	if !found {
		return ErrTarget.With("there is no %s %d", kind, n)
	}
	return nil
}

func switchInside(tx Tx, s Switching) error {
	was, err := disabledCell.Get(tx)
	if err != nil {
		return err
	}
	if _, off := was[s.Target]; off == s.Off {
		return ErrAsBefore.With("%s is disabled: %t", s.Target, off)
	}
	is := Disabled{} // the old map is shared: it stays as it is
	for t, d := range was {
		if t != s.Target {
			is[t] = d
		}
	}
	event := "play_enabled"
	if s.Off {
		is[s.Target] = Disabling{tx.Now(), s.By, s.Reason}
		event = "play_disabled"
	}
	disabledCell.Put(tx, is)
	return disabledCell.Append(tx, event, struct {
		Target Target    `json:"target"`
		By     player.ID `json:"by"`
		Reason string    `json:"reason"`
	}{s.Target, s.By, s.Reason})
}
