package app

import (
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

// slipID binds a sealed slip to its leg, player and version.
func slipID(s slipState) string {
	return refOf(s.Leg) + "/" + s.Player.String() + "/" + strconv.Itoa(s.Version)
}

// errLineOpen says that a slip was to be scored before its limits had passed.
var errLineOpen = errors.New("app: a limit has not passed yet")
