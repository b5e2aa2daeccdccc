package store

import (
	"context"
	"fmt"
	"time"

	"boulier/internal/app"
	"boulier/ledger"
)

// firstID is the least identifier that a movement of a time or later can have.
func firstID(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMicro() << nodeBits
}

// anyPlayer writes the account of a column, all accounts of players as one.
func anyPlayer(column string) string {
	return "CASE WHEN " + column + " LIKE 'player:%' THEN 'player' ELSE " + column + " END"
}

// Flows implements app.Reader.
func (s *Store) Flows(ctx context.Context, from, to time.Time) ([]app.Flow, error) {
	return all(ctx, s.reads, func(row scanner) (f app.Flow, err error) {
		var a, b, unit string
		err = row.Scan(&f.Kind, &a, &b, &unit, &f.Amount.Count, &f.Count)
		f.From, f.To, f.Amount.Unit = ledger.Path(a), ledger.Path(b), ledger.Unit(unit)
		return f, err
	}, "SELECT kind, "+anyPlayer("from_path")+" AS a, "+anyPlayer("to_path")+` AS b, unit,
		CAST(sum(amount) AS BIGINT), count(*) FROM movements WHERE id >= $1 AND id < $2
		GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`, firstID(from), firstID(to))
}

// HeldAt implements app.Reader: what is held now, less what came in since.
func (s *Store) HeldAt(ctx context.Context, at time.Time) (int64, error) {
	var held int64
	err := s.reads.QueryRowContext(ctx, `SELECT CAST(
		(SELECT coalesce(sum(balance),0) FROM accounts
			WHERE path >= 'player:' AND path < $1 AND unit = 'EUR') -
		(SELECT coalesce(sum(CASE WHEN to_path LIKE 'player:%' THEN amount ELSE 0 END),0)
			- coalesce(sum(CASE WHEN from_path LIKE 'player:%' THEN amount ELSE 0 END),0)
			FROM movements WHERE id >= $2 AND unit = 'EUR') AS BIGINT)`,
		after("player:"), firstID(at)).Scan(&held)
	if err != nil {
		return 0, fmt.Errorf("store: reading what players had: %w", err)
	}
	return held, nil
}

// Streams implements app.Reader.
func (s *Store) Streams(ctx context.Context, prefix, past string, limit int) ([]app.StateRecord, error) {
	from, bound := below(prefix, past)
	return all(ctx, s.reads, func(row scanner) (r app.StateRecord, err error) {
		var number int64
		err = row.Scan(&r.Name, &number)
		r.Number = uint64(number)
		return r, err
	}, `SELECT name,number FROM states WHERE name `+bound+` $1 AND name < $2
		AND number > 0 ORDER BY name LIMIT $3`, from, after(prefix), limit)
}
