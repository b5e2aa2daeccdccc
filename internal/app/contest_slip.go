package app

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"boulier/game/contest"
	"boulier/player"
)

// sealedSlips is the use under which the vault seals slips.
const sealedSlips = "contest/slip"

// A slipState is a player's slip of a leg: what may be known before the limits, and what
// was predicted, sealed.
type slipState struct {
	Leg     contest.LegID `json:"leg"`
	Player  player.ID     `json:"player"`
	Version int           `json:"version"`
	// ChangedAt is the server's time of the last validation that changed something: it
	// settles ties for gifts (Reading C18). Order is its place among all.
	ChangedAt time.Time `json:"changed_at"`
	Order     int64     `json:"order"`
	Digest    string    `json:"digest"`
	Key       string    `json:"key"`
	Sealed    []byte    `json:"sealed"`
}

// slipContent is what is sealed: the salt of the digest, and the lines.
type slipContent struct {
	Salt  string         `json:"salt"`
	Picks []contest.Pick `json:"picks"`
}

func slipsOf(leg contest.LegID) string { return "contest/slip/" + refOf(leg) + "/" }

func slipCell(leg contest.LegID, who player.ID) Cell[slipState] {
	return Cell[slipState](slipsOf(leg) + who.String())
}

// SlipDigest is the salted digest of a version of a slip: SHA-256 of the lines
// "boulier/slip/v1", leg, player, version, salt, and the predictions as a JSON list.
func SlipDigest(leg contest.LegID, who player.ID, version int, salt string, picks []contest.Pick) string {
	body, err := json.Marshal(picks)
	if err != nil {
		panic(err) // texts always encode
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "boulier/slip/v1\n%d\n%d\n%d\n%s\n%s\n", leg, who, version, salt, body))
	return hex.EncodeToString(sum[:])
}

// A Submission is a player's validation of a slip (contest:4.slip).
type Submission struct {
	Request RequestID
	Player  player.ID
	Leg     contest.LegID
	Picks   []contest.Pick
}

// A SlipReceipt says what the house has: it proves that the player was in time.
type SlipReceipt struct {
	Leg     contest.LegID `json:"leg"`
	Player  player.ID     `json:"player"`
	Version int           `json:"version"`
	At      time.Time     `json:"at"` // of the last validation that changed something
	Digest  string        `json:"digest"`
	Changed bool          `json:"changed"`
}

// slipValidated is the fact of a validation. The predictions are sealed in it, so that
// every version is kept with its time and nobody reads one before the limit (Reading C25).
type slipValidated struct {
	Version int    `json:"version"`
	Digest  string `json:"digest"`
	Key     string `json:"key"`
	Sealed  []byte `json:"sealed"`
	Rules   int    `json:"rules"`
}

// Submit validates a slip, or changes one, until the limit of each line. The time that
// counts is the server's in the transaction that writes (Reading C17).
func (c *Contests) Submit(ctx context.Context, s Submission) (SlipReceipt, error) {
	key, err := c.requestKey(ctx)
	if err != nil {
		return SlipReceipt{}, err
	}
	body, err := json.Marshal(s.Picks)
	if err != nil {
		return SlipReceipt{}, err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%d\n%d\n%s", s.Leg, s.Player, body)
	cell := slipCell(s.Leg, s.Player)
	keys := Keys{Request: NewRequest(s.Request, "person/"+s.Player.String(), "contest/slip", mac.Sum(nil)),
		States: []string{string(cell), string(legCell(s.Leg)), string(countCell(s.Leg)),
			string(standingOf(s.Player)), string(entryCell(s.Player)), string(rulesCell), string(disabledCell)}}
	return Do(ctx, c.Store, keys, func(tx Tx) (SlipReceipt, error) { return c.submit(tx, s) })
}

func (c *Contests) submit(tx Tx, s Submission) (SlipReceipt, error) {
	standing, err := standingOf(s.Player).Get(tx)
	if err != nil {
		return SlipReceipt{}, err
	}
	if standing.Status != Active || !May(standing.Roles, Predict) {
		return SlipReceipt{}, ErrNotPlayer.With("person %d has %v, status %s", s.Player, standing.Roles, standing.Status)
	}
	if err := checkRules(tx, standing.Rules); err != nil {
		return SlipReceipt{}, err
	}
	entry, err := entryCell(s.Player).Get(tx)
	if err == nil {
		err = entry.check()
	}
	if err != nil {
		return SlipReceipt{}, err
	}
	if err := checkEnabledFor(tx, All, PlayerTarget(s.Player)); err != nil {
		return SlipReceipt{}, err
	}
	leg, err := getLeg(tx, s.Leg)
	if err != nil {
		return SlipReceipt{}, err
	}
	cell := slipCell(s.Leg, s.Player)
	was, err := cell.Get(tx)
	if err != nil {
		return SlipReceipt{}, err
	}
	var before []contest.Pick
	if was.Version > 0 {
		content, err := c.unsealSlip(was)
		if err != nil {
			return SlipReceipt{}, err
		}
		before = content.Picks
	}
	changed, err := leg.Submit(before, s.Picks, tx.Now())
	if err != nil {
		return SlipReceipt{}, err
	}
	if !changed {
		return receiptOf(was, false), nil
	}
	is, err := c.sealSlip(tx, was, s)
	if err != nil {
		return SlipReceipt{}, err
	}
	cell.Put(tx, is)
	if was.Version == 0 {
		n, err := countCell(s.Leg).Get(tx)
		if err != nil {
			return SlipReceipt{}, err
		}
		countCell(s.Leg).Put(tx, n+1)
	}
	return receiptOf(is, true), cell.Append(tx, "slip_validated",
		slipValidated{is.Version, is.Digest, is.Key, is.Sealed, standing.Rules})
}

func receiptOf(s slipState, changed bool) SlipReceipt {
	return SlipReceipt{s.Leg, s.Player, s.Version, s.ChangedAt, s.Digest, changed}
}

// sealSlip makes the next version of a slip.
func (c *Contests) sealSlip(tx Tx, was slipState, s Submission) (slipState, error) {
	var salt [16]byte
	c.Entropy(salt[:])
	is := slipState{Leg: s.Leg, Player: s.Player, Version: was.Version + 1, ChangedAt: tx.Now(), Order: tx.NewID()}
	content := slipContent{hex.EncodeToString(salt[:]), s.Picks}
	is.Digest = SlipDigest(s.Leg, s.Player, is.Version, content.Salt, s.Picks)
	body, err := json.Marshal(content)
	if err != nil {
		return is, err
	}
	is.Key, is.Sealed = c.Sealer.Seal(sealedSlips, slipID(is), pad(body, len(s.Picks)))
	return is, nil
}

// pad adds spaces behind a slip, which its reader skips: the length of what is sealed must
// not tell a name from a shorter one.
func pad(body []byte, lines int) []byte {
	room := 64 + 48*lines
	return append(body, bytes.Repeat([]byte{' '}, room-len(body)%room)...)
}

// slipID binds a sealed slip to its leg, player and version.
func slipID(s slipState) string {
	return refOf(s.Leg) + "/" + s.Player.String() + "/" + strconv.Itoa(s.Version)
}

// unsealSlip opens a slip: for its player, or once its limits are past.
func (c *Contests) unsealSlip(s slipState) (slipContent, error) {
	var content slipContent
	body, err := c.Sealer.Unseal(s.Key, sealedSlips, slipID(s), s.Sealed)
	if err != nil {
		return content, fmt.Errorf("app: the slip of player %d in leg %d: %w", s.Player, s.Leg, err)
	}
	err = json.Unmarshal(body, &content)
	return content, err
}

// A Slip is a player's slip as somebody may see it: hidden lines are empty.
type Slip struct {
	SlipReceipt
	Picks   []contest.Pick
	Visible []bool // by line
	Salt    string // of the digest, once every line is visible
}

// Slip returns the slip of a player as viewer may see it now (Reading C25); ErrNotFound if
// there is none.
func (c *Contests) Slip(ctx context.Context, l LegState, owner, viewer player.ID) (Slip, error) {
	s, _, err := slipCell(l.ID, owner).Read(ctx, c.Store)
	if err != nil {
		return Slip{}, err
	}
	if s.Version == 0 {
		return Slip{}, ErrNotFound
	}
	return c.show(l, s, viewer)
}

func (c *Contests) show(l LegState, s slipState, viewer player.ID) (Slip, error) {
	out := Slip{SlipReceipt: receiptOf(s, false), Visible: l.VisibleLines(viewer, s.Player, c.Now())}
	content, err := c.unsealSlip(s)
	if err != nil {
		return out, err
	}
	all := true
	out.Picks = make([]contest.Pick, len(content.Picks))
	for i, seen := range out.Visible {
		if seen {
			out.Picks[i] = content.Picks[i]
		}
		all = all && seen
	}
	if all {
		out.Salt = content.Salt
	}
	return out, nil
}

// AllSlips returns the slips of a leg after a player, as viewer may see them now: lines
// whose limits have not passed are hidden. They come in the order of their names.
func (c *Contests) AllSlips(ctx context.Context, l LegState, after, viewer player.ID, limit int) ([]Slip, error) {
	past := ""
	if after > 0 {
		past = string(slipCell(l.ID, after))
	}
	recs, err := c.Store.States(ctx, slipsOf(l.ID), past, limit)
	if err != nil {
		return nil, err
	}
	out := make([]Slip, 0, len(recs))
	for _, rec := range recs {
		v, err := decodeCell[slipState](rec.Body)
		if err != nil {
			return nil, err
		}
		s, err := c.show(l, v.(slipState), viewer)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// errLineOpen says that a slip was to be scored before its limits had passed.
var errLineOpen = errors.New("app: a limit has not passed yet")

// eachSlip opens every slip of a closed leg, in chunks. It is only called once the leg's
// close is a fact: that event is the opening of all its slips.
func (c *Contests) eachSlip(ctx context.Context, l LegState, fn func(slipState, []contest.Pick) error) error {
	if l.ClosedAt.IsZero() {
		return errLineOpen
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	chunks := make(chan []StateRecord, 2)
	var failed error // set before chunks is closed
	go func() {
		defer close(chunks)
		failed = c.readSlips(ctx, l, chunks)
	}()
	for recs := range chunks {
		for _, rec := range recs {
			var s slipState
			if err := json.Unmarshal(rec.Body, &s); err != nil {
				return fmt.Errorf("app: state %s: %w", rec.Name, err)
			}
			content, err := c.unsealSlip(s)
			if err != nil {
				return err
			}
			if err := fn(s, content.Picks); err != nil {
				return err
			}
		}
	}
	return failed
}

// slipsAtOnce is how many slips are read in one go.
const slipsAtOnce = 2000

// readSlips reads the slips of a leg ahead of who opens them.
func (c *Contests) readSlips(ctx context.Context, l LegState, chunks chan<- []StateRecord) error {
	last := ""
	for {
		recs, err := c.Store.States(ctx, slipsOf(l.ID), last, slipsAtOnce)
		if err != nil {
			return err
		}
		select {
		case chunks <- recs:
		case <-ctx.Done():
			return ctx.Err()
		}
		if len(recs) < slipsAtOnce {
			return nil
		}
		last = recs[len(recs)-1].Name
	}
}
