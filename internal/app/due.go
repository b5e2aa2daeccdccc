package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"boulier/game/instant"
)

// DoDue does the work whose time has come. What fails stays due, and does not keep the
// rest from being done.
func DoDue(ctx context.Context, g *Ground, i *Instant) error {
	rows, err := g.Store.Due(ctx, g.Now(), 100)
	if err != nil {
		return err
	}
	var failed error
	for _, row := range rows {
		if err := doDue(ctx, i, row); err != nil {
			failed = errors.Join(failed, fmt.Errorf("app: due %s %s: %w", row.Kind, row.Ref, err))
		}
	}
	return failed
}

func doDue(ctx context.Context, i *Instant, row DueRow) error {
	switch row.Kind {
	case DueIssueCloses:
		id, err := strconv.ParseInt(row.Ref, 10, 64)
		if err != nil {
			return err
		}
		return i.closeIssue(ctx, IssueOrder{Issue: instant.IssueID(id)}, instant.ByDate)
	}
	return fmt.Errorf("nobody does this kind of work")
}
