package store

import (
	"context"
	"errors"

	"boulier/internal/app"
	"boulier/player"
)

func scanRank(s scanner) (r app.RankRow, err error) {
	err = s.Scan(&r.Scope, &r.Place, &r.Player, &r.Rank, &r.Points, &r.Share)
	return r, err
}

const rankColumns = "SELECT scope,place,player,rank,points,share FROM contest_ranks WHERE "

// Ranks implements app.Reader.
func (s *Store) Ranks(ctx context.Context, scope string, past int64, limit int) ([]app.RankRow, error) {
	return all(ctx, s.reads, scanRank, rankColumns+"scope=$1 AND place>$2 ORDER BY place LIMIT $3",
		scope, past, limit)
}

// RankOf implements app.Reader.
func (s *Store) RankOf(ctx context.Context, scope string, who player.ID) (app.RankRow, error) {
	// By its place, which the index of players holds: asked for the player at once, SQLite
	// walks the whole ranking.
	return one(ctx, s.reads, scanRank, rankColumns+`scope=$1 AND place=
		(SELECT place FROM contest_ranks WHERE scope=$1 AND player=$2)`, scope, int64(who))
}

// Names implements app.Reader.
func (s *Store) Names(ctx context.Context, ids []player.ID) (map[player.ID]string, error) {
	out := make(map[player.ID]string, len(ids))
	for _, id := range ids {
		p, err := s.Person(ctx, id)
		if errors.Is(err, app.ErrNotFound) {
			continue // whose account is gone
		}
		if err != nil {
			return nil, err
		}
		out[id] = p.Name
	}
	return out, nil
}
