package app

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"boulier/game/instant"
	"boulier/internal/proof"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// The states of the instant lotteries. A block has two streams: instant/block/ID tells its
// opening and its end, instant/sales/ID its sales and nothing else, so that the number of
// a sale is the place of its unit.

// A GameID identifies an imported game, a BlockID a block of any issue.
type (
	GameID  int64
	BlockID int64
)

func (b BlockID) String() string { return strconv.FormatInt(int64(b), 10) }

const (
	nextGame  counter = "next/instant_game"
	nextIssue counter = "next/instant_issue"
	nextBlock counter = "next/instant_block"
)

// A GameRecord is an imported game file, as it was imported.
type GameRecord struct {
	ID   GameID    `json:"id"`
	Name string    `json:"name"`
	File []byte    `json:"file"`
	At   time.Time `json:"at"`
	By   player.ID `json:"by"`
}

func gameCell(id GameID) Cell[GameRecord] {
	return Cell[GameRecord]("instant/game/" + strconv.FormatInt(int64(id), 10))
}

// An IssueState is an issue with the game it sells and its blocks.
type IssueState struct {
	instant.Issue
	ID    instant.IssueID
	Game  GameID
	Title string
	// Ready holds the blocks made and not yet on sale, in the order of their numbers.
	Ready []BlockID
	// Current is the block on sale, 0 for none; Past are those that have ended.
	Current BlockID
	Past    []BlockID
	Wanted  int // blocks that the manager asked for
}

// lacksBlocks reports whether blocks that were asked for are still to be made.
func (s IssueState) lacksBlocks() bool {
	made := len(s.Past) + len(s.Ready)
	if s.Current != 0 {
		made++
	}
	return s.Opened && !s.Closed && made < s.Wanted
}

// next returns the block that comes on sale after the one that is, if it is made.
func (s IssueState) next() (BlockID, bool) {
	if len(s.Ready) == 0 {
		return 0, false
	}
	return s.Ready[0], true
}

// issueJSON is an IssueState as it is stored.
type issueJSON struct {
	ID      instant.IssueID `json:"id"`
	Game    GameID          `json:"game"`
	Title   string          `json:"title"`
	Opens   time.Time       `json:"opens_at"`
	Closes  time.Time       `json:"closes_at"`
	Opened  bool            `json:"opened"`
	Closed  bool            `json:"closed"`
	Blocks  int             `json:"blocks"`
	OnSale  int             `json:"on_sale"`
	Ready   []BlockID       `json:"ready"`
	Current BlockID         `json:"current"`
	Past    []BlockID       `json:"past"`
	Wanted  int             `json:"wanted"`
}

// MarshalJSON writes the stored form.
func (s IssueState) MarshalJSON() ([]byte, error) {
	return json.Marshal(issueJSON{s.ID, s.Game, s.Title, s.Window.Opens, s.Window.Closes, s.Opened,
		s.Closed, int(s.Blocks), int(s.OnSale), s.Ready, s.Current, s.Past, s.Wanted})
}

// UnmarshalJSON reads the stored form.
func (s *IssueState) UnmarshalJSON(b []byte) error {
	var j issueJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	*s = IssueState{ID: j.ID, Game: j.Game, Title: j.Title, Ready: j.Ready, Current: j.Current,
		Past: j.Past, Wanted: j.Wanted}
	s.Window = instant.Window{Opens: j.Opens, Closes: j.Closes}
	s.Opened, s.Closed = j.Opened, j.Closed
	s.Blocks, s.OnSale = instant.BlockNumber(j.Blocks), instant.BlockNumber(j.OnSale)
	return nil
}

func issueCell(id instant.IssueID) Cell[IssueState] {
	return Cell[IssueState]("instant/issue/" + strconv.FormatInt(int64(id), 10))
}

func issueAccount(id instant.IssueID) ledger.Path {
	return ledger.Path("instant:" + strconv.FormatInt(int64(id), 10))
}

// houseResult is where the result of ended blocks goes.
const houseResult ledger.Path = "house:instant"

// A BlockState is what is public of a block, and where its proof begins.
type BlockState struct {
	Issue  instant.IssueID     `json:"issue"`
	Number instant.BlockNumber `json:"number"` // in the issue, from 1
	Header proof.Header        `json:"header"`
	// Before is the signed checkpoint that covered the opening before the first sale.
	Before   string          `json:"before,omitempty"`
	Revealed *proof.Revealed `json:"revealed,omitempty"`
}

func blockCell(id BlockID) Cell[BlockState] {
	return Cell[BlockState](proof.BlockStream(drawID(id)))
}

// treeCell keeps the level of a block's tree from which proofs are made.
func treeCell(id BlockID) Cell[[]byte] { return Cell[[]byte]("instant/tree/" + id.String()) }

// A salesState is the state of a block that changes with each sale.
type salesState struct{ instant.Block }

type salesJSON struct {
	Number int         `json:"number"`
	Status uint8       `json:"status"`
	Next   int64       `json:"next"`
	Given  []uint32    `json:"given"` // by outcome, losers first, without zeros at the end
	Stakes money.Cents `json:"stakes"`
	Paid   money.Cents `json:"paid"`
}

// MarshalJSON writes the stored form.
func (s salesState) MarshalJSON() ([]byte, error) {
	n := len(s.Given)
	for n > 0 && s.Given[n-1] == 0 {
		n--
	}
	return json.Marshal(salesJSON{int(s.Number), uint8(s.Status), s.Next, s.Given[:n], s.Stakes, s.Paid})
}

// UnmarshalJSON reads the stored form.
func (s *salesState) UnmarshalJSON(b []byte) error {
	var j salesJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	if len(j.Given) > len(s.Given) {
		return fmt.Errorf("app: a block with %d outcomes", len(j.Given))
	}
	s.Block = instant.Block{Number: instant.BlockNumber(j.Number), Status: instant.BlockStatus(j.Status),
		Next: j.Next, Stakes: j.Stakes, Paid: j.Paid}
	copy(s.Given[:], j.Given)
	return nil
}

func salesCell(id BlockID) Cell[salesState] {
	return Cell[salesState](proof.SalesStream(drawID(id)))
}

// A Wallet is what a player has in play: the unit bought last, until it is uncovered. Its
// prize is already in the account; what the player is shown leaves it out (reading I6).
type Wallet struct {
	Version int64       `json:"version"` // raised whenever what is shown changes
	Covered UnitRef     `json:"covered"` // zero: none
	Prize   money.Cents `json:"prize"`   // of the covered unit
}

// A UnitRef names a unit: its block and its place in it, from 1.
type UnitRef struct {
	Block  BlockID `json:"block,omitempty"`
	Number int64   `json:"number,omitempty"`
}

func (u UnitRef) String() string { return fmt.Sprintf("%d-%d", u.Block, u.Number) }

// ParseUnitRef reads what String wrote.
func ParseUnitRef(s string) (u UnitRef, err error) {
	var rest string
	if n, err := fmt.Sscanf(s, "%d-%d%s", &u.Block, &u.Number, &rest); n != 2 || err == nil || u.String() != s {
		return UnitRef{}, ErrNotFound
	}
	return u, nil
}

func walletOf(id player.ID) Cell[Wallet] { return Cell[Wallet]("wallet/" + id.String()) }

func playerAccount(id player.ID) ledger.Path { return ledger.Path("player:" + id.String()) }
