package app

import (
	"context"
	"fmt"
	"time"

	"boulier/game/instant"
	"boulier/internal/gamefile"
	"boulier/player"
	"boulier/regs"
)

// ErrGameUnknown refuses a game or issue that does not exist.
var ErrGameUnknown = &regs.Violation{Ref: "instant:2", Code: "game_unknown"}

// A GameImport is a manager's game file.
type GameImport struct {
	Request RequestID
	By      player.ID
	Name    string // of the file
	File    []byte
}

// ImportGame keeps a game file whose check finds no fault (instant:3, reading I1). Faults
// are returned with their lines and nothing is kept.
func (i *Instant) ImportGame(ctx context.Context, g GameImport) (GameID, []gamefile.Fault, error) {
	file, faults := gamefile.Parse(g.Name, g.File)
	if len(faults) > 0 {
		return 0, faults, nil
	}
	digest := file.Digest
	request := NewRequest(g.Request, "person/"+g.By.String(), "instant/import", []any{g.Name, digest[:]})
	id, err := again(func() (GameID, error) {
		last, _, err := nextGame.Read(ctx, i.Store)
		if err != nil {
			return 0, err
		}
		id := GameID(last + 1)
		keys := Keys{Request: request,
			States: []string{string(nextGame), string(gameCell(id)), string(standingOf(g.By))}}
		return Do(ctx, i.Store, keys, func(tx Tx) (GameID, error) {
			s, err := standingOf(g.By).Get(tx)
			if err != nil {
				return 0, err
			}
			if err := require(s, ManageGames); err != nil {
				return 0, err
			}
			if n, err := next(tx, nextGame); err != nil || GameID(n) != id {
				return 0, moved(err)
			}
			gameCell(id).Put(tx, GameRecord{id, g.Name, g.File, tx.Now(), g.By})
			return id, gameCell(id).Append(tx, "game_imported", struct {
				Game   GameID    `json:"game"`
				Digest string    `json:"digest"`
				By     player.ID `json:"by"`
			}{id, fmt.Sprintf("%x", digest), g.By})
		})
	})
	return id, nil, err
}

// moved is errMoved unless something else went wrong.
func moved(err error) error {
	if err != nil {
		return err
	}
	return errMoved
}

// Games returns the imported games, oldest first.
func (i *Instant) Games(ctx context.Context) ([]GameRecord, error) {
	return readCells[GameRecord](ctx, i.Store, "instant/game/")
}

// GameFile returns an imported game as it reads today.
func (i *Instant) GameFile(ctx context.Context, id GameID) (gamefile.File, error) {
	return i.gameFile(ctx, id)
}

// An IssueOpening is a manager's order to open an issue.
type IssueOpening struct {
	Request RequestID
	By      player.ID
	Game    GameID
	Window  instant.Window
	Blocks  int // how many blocks are made at first
}

// MaxBlocks bounds the blocks that one order makes.
const MaxBlocks = 20

// ErrBlockCount refuses an order of no block or too many.
var ErrBlockCount = &regs.Violation{Ref: "instant:2", Code: "block_count"}

// OpenIssue opens an issue of a game for sale in a window (instant:2). Its blocks are made
// afterwards, by MakeWanted: nothing is on sale before the first one is committed to.
func (i *Instant) OpenIssue(ctx context.Context, o IssueOpening) (instant.IssueID, error) {
	rec, _, err := gameCell(o.Game).Read(ctx, i.Store)
	if err != nil {
		return 0, err
	}
	if rec.ID == 0 {
		return 0, ErrGameUnknown.With("game %d", o.Game)
	}
	if o.Blocks < 1 || o.Blocks > MaxBlocks {
		return 0, ErrBlockCount.With("%d blocks", o.Blocks)
	}
	file, err := i.gameFile(ctx, o.Game)
	if err != nil {
		return 0, err
	}
	request := NewRequest(o.Request, "person/"+o.By.String(), "instant/open",
		[]any{o.Game, o.Window.Opens.UnixMicro(), o.Window.Closes.UnixMicro(), o.Blocks})
	return again(func() (instant.IssueID, error) {
		last, _, err := nextIssue.Read(ctx, i.Store)
		if err != nil {
			return 0, err
		}
		id := instant.IssueID(last + 1)
		keys := Keys{Request: request,
			States: []string{string(nextIssue), string(issueCell(id)), string(standingOf(o.By))}}
		return Do(ctx, i.Store, keys, func(tx Tx) (instant.IssueID, error) {
			return id, i.openInside(tx, o, id, file)
		})
	})
}

func (i *Instant) openInside(tx Tx, o IssueOpening, id instant.IssueID, file gamefile.File) error {
	s, err := standingOf(o.By).Get(tx)
	if err != nil {
		return err
	}
	if err := require(s, ManageGames); err != nil {
		return err
	}
	if n, err := next(tx, nextIssue); err != nil || instant.IssueID(n) != id {
		return moved(err)
	}
	issue := IssueState{ID: id, Game: o.Game, Title: file.Game.Title, Wanted: o.Blocks}
	event, err := issue.Open(file.Game, o.Window)
	if err != nil {
		return err
	}
	issue.Issue = issue.Apply(event)
	issueCell(id).Put(tx, issue)
	tx.Insert(DueRow{Kind: DueIssueCloses, Ref: fmt.Sprint(id), At: o.Window.Closes})
	return issueCell(id).Append(tx, "issue_opened", struct {
		Issue  instant.IssueID `json:"issue"`
		Game   GameID          `json:"game"`
		Opens  time.Time       `json:"opens_at"`
		Closes time.Time       `json:"closes_at"`
		Blocks int             `json:"blocks"`
		By     player.ID       `json:"by"`
	}{id, o.Game, o.Window.Opens, o.Window.Closes, o.Blocks, o.By})
}

// OrderBlocks asks for more blocks of an issue; MakeWanted makes them.
func (i *Instant) OrderBlocks(ctx context.Context, o IssueOrder, blocks int) error {
	if blocks < 1 || blocks > MaxBlocks {
		return ErrBlockCount.With("%d blocks", blocks)
	}
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), "instant/blocks", []any{o.Issue, blocks}),
		States: []string{string(issueCell(o.Issue)), string(standingOf(o.By))}}
	_, err := Do(ctx, i.Store, keys, func(tx Tx) (struct{}, error) {
		s, err := standingOf(o.By).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if err := require(s, ManageGames); err != nil {
			return struct{}{}, err
		}
		issue, err := issueCell(o.Issue).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if !issue.Opened || issue.Closed {
			return struct{}{}, instant.ErrIssueClosed.With("issue %d takes no more blocks", o.Issue)
		}
		issue.Wanted += blocks
		issueCell(o.Issue).Put(tx, issue)
		return struct{}{}, issueCell(o.Issue).Append(tx, "blocks_ordered", struct {
			Blocks int       `json:"blocks"`
			By     player.ID `json:"by"`
		}{blocks, o.By})
	})
	return err
}

// Issues returns all issues, oldest first.
func (i *Instant) Issues(ctx context.Context) ([]IssueState, error) {
	return readCells[IssueState](ctx, i.Store, "instant/issue/")
}

// Issue returns one issue with the number of its last event; ErrNotFound if there is none.
func (i *Instant) Issue(ctx context.Context, id instant.IssueID) (IssueState, uint64, error) {
	s, n, err := issueCell(id).Read(ctx, i.Store)
	if err == nil && s.ID == 0 {
		err = ErrNotFound
	}
	return s, n, err
}
