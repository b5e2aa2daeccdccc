package app

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

// The violations of a player's own limits.
var (
	ErrExcluded   = &regs.Violation{Ref: "std:10", Code: "excluded"}
	ErrStakeCap   = &regs.Violation{Ref: "std:9", Code: "stake_cap"}
	ErrDepositCap = &regs.Violation{Ref: "std:9", Code: "deposit_cap"}
	ErrExclusion  = &regs.Violation{Ref: "std:10", Code: "exclusion_length"}
	ErrCap        = &regs.Violation{Ref: "std:9", Code: "cap_negative"}
)

// limitWords gives the violation of each refusal of package player.
var limitWords = map[error]*regs.Violation{
	player.ErrExcluded: ErrExcluded, player.ErrStakeCap: ErrStakeCap, player.ErrDepositCap: ErrDepositCap,
	player.ErrExclusion: ErrExclusion, player.ErrCapNegative: ErrCap,
}

func limitViolation(err error) error {
	for refusal, v := range limitWords {
		if errors.Is(err, refusal) {
			return v.With("%v", err)
		}
	}
	return err
}

// limitsState is a player's limits as they are stored.
type limitsState struct{ player.Limits }

type limitsJSON struct {
	Caps     [2]int64   `json:"caps"` // deposits, stakes
	Wanted   [2]int64   `json:"wanted"`
	RaiseAt  time.Time  `json:"raise_at"`
	Excluded time.Time  `json:"excluded_until"`
	Days     [][3]int64 `json:"days"` // day, deposits, stakes
}

// MarshalJSON writes the stored form.
func (s limitsState) MarshalJSON() ([]byte, error) {
	j := limitsJSON{Caps: [2]int64{s.Caps.Deposits, s.Caps.Stakes},
		Wanted: [2]int64{s.Wanted.Deposits, s.Wanted.Stakes}, RaiseAt: s.RaiseAt, Excluded: s.Excluded}
	for _, d := range s.Days {
		j.Days = append(j.Days, [3]int64{d.Day, d.Deposits, d.Stakes})
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads the stored form.
func (s *limitsState) UnmarshalJSON(b []byte) error {
	var j limitsJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	s.Limits = player.Limits{Caps: player.Caps{Deposits: j.Caps[0], Stakes: j.Caps[1]},
		Wanted: player.Caps{Deposits: j.Wanted[0], Stakes: j.Wanted[1]}, RaiseAt: j.RaiseAt, Excluded: j.Excluded}
	for _, d := range j.Days {
		s.Days = append(s.Days, player.DaySum{Day: d[0], Deposits: d[1], Stakes: d[2]})
	}
	return nil
}

func limitsOf(id player.ID) Cell[limitsState] { return Cell[limitsState]("limits/" + id.String()) }

// countStake holds a stake against the player's limits, inside a transaction whose keys
// name them. A player without limits costs nothing more.
func (g *Ground) countStake(tx Tx, who player.ID, stake money.Cents) error {
	return g.count(tx, who, func(l player.Limits) (player.Limits, error) {
		return l.Stake(int64(stake), tx.Now(), g.Zone)
	})
}

// countDeposit holds a deposit against the player's limits, in the same way.
func (g *Ground) countDeposit(tx Tx, who player.ID, amount money.Cents) error {
	return g.count(tx, who, func(l player.Limits) (player.Limits, error) {
		return l.Deposit(int64(amount), tx.Now(), g.Zone)
	})
}

// takeBackDeposit forgets a deposit that was an error.
func takeBackDeposit(tx Tx, who player.ID, amount money.Cents) error {
	s, err := limitsOf(who).Get(tx)
	if err != nil || len(s.Days) == 0 {
		return err
	}
	limitsOf(who).Put(tx, limitsState{s.TakeBack(int64(amount))})
	return nil
}

func (g *Ground) count(tx Tx, who player.ID, fn func(player.Limits) (player.Limits, error)) error {
	cell := limitsOf(who)
	s, err := cell.Get(tx)
	if err != nil {
		return err
	}
	counted, err := fn(s.Limits)
	if err != nil {
		return limitViolation(err)
	}
	if s.Caps == (player.Caps{}) && s.RaiseAt.IsZero() {
		return nil // nothing is counted before a first cap
	}
	cell.Put(tx, limitsState{counted})
	return nil
}

// Limits returns a player's own limits as they stand, and what counts against them.
func (g *Ground) Limits(ctx context.Context, who player.ID) (l player.Limits, used player.Caps, err error) {
	s, _, err := limitsOf(who).Read(ctx, g.Store)
	now := g.Now()
	return s.At(now), s.Used(now, g.Zone), err
}

// A LimitChange is a player's wish: other caps, or an exclusion.
type LimitChange struct {
	Request RequestID
	Player  player.ID
	Caps    player.Caps
	Exclude time.Duration // 0: the caps
}

// ChangeLimits changes a player's own limits (std:9, std:10). The unit in play is
// uncovered first (reading I6).
func (i *Instant) ChangeLimits(ctx context.Context, c LimitChange) error {
	if err := i.Settle(ctx, c.Player); err != nil {
		return err
	}
	cell := limitsOf(c.Player)
	keys := Keys{States: []string{string(cell), string(standingOf(c.Player))},
		Request: NewRequest(c.Request, "person/"+c.Player.String(), "limits",
			[]any{c.Caps.Deposits, c.Caps.Stakes, c.Exclude})}
	_, err := Do(ctx, i.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, c.Player, Play); err != nil {
			return struct{}{}, err
		}
		s, err := cell.Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		var is player.Limits
		if c.Exclude > 0 {
			is, err = s.Limits.Exclude(c.Exclude, tx.Now())
		} else {
			is, err = s.Limits.Change(c.Caps, tx.Now())
		}
		if err != nil {
			return struct{}{}, limitViolation(err)
		}
		was := s
		cell.Put(tx, limitsState{is})
		return struct{}{}, cell.Append(tx, "limits_changed", struct {
			Before limitsState `json:"before"`
			After  limitsState `json:"after"`
		}{was, limitsState{is}})
	})
	return err
}
