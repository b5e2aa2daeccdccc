package app

import (
	"context"

	"boulier/game/instant"
	"boulier/game/instant/words"
)

// Boards returns the boards on which a unit of an issue can be played, the preset one first
// (instant:4.1); none if its game is no word game. They are those of the game file, which
// every block of the issue is bound to: no board is added to an open block.
func (i *Instant) Boards(ctx context.Context, id instant.IssueID) ([]words.Board, error) {
	i.mu.RLock()
	t, ok := i.onSale[id]
	i.mu.RUnlock()
	if ok {
		return t.open.game.Words.Boards, nil
	}
	issue, _, err := i.Issue(ctx, id)
	if err != nil {
		return nil, err
	}
	file, err := i.gameFile(ctx, issue.Game)
	return file.Game.Words.Boards, err
}
