package store

import (
	"context"
	"slices"

	"boulier/game/ninety"
	"boulier/internal/app"
)

// sorted returns the numbers of a face in ascending order: what makes a card the same as
// another.
func sorted(face []byte) []byte {
	numbers := slices.Clone(face)
	slices.Sort(numbers)
	return numbers
}

func scanCard(s scanner) (r app.CardRow, err error) {
	err = s.Scan(&r.Series, &r.Number, &r.Ref, &r.Face)
	return r, err
}

const cardColumns = "SELECT series,number,ref,face FROM ninety_cards WHERE "

// Card implements app.Reader.
func (s *Store) Card(ctx context.Context, serial ninety.Serial) (app.CardRow, error) {
	return one(ctx, s.reads, scanCard, cardColumns+"series=$1 AND number=$2",
		string(serial.Series), int64(serial.Number))
}

// Cards implements app.Reader.
func (s *Store) Cards(ctx context.Context, series ninety.Series, past, limit int) ([]app.CardRow, error) {
	return all(ctx, s.reads, scanCard, cardColumns+"series=$1 AND number>$2 ORDER BY number LIMIT $3",
		string(series), int64(past), limit)
}

// CardsOfRef implements app.Reader.
func (s *Store) CardsOfRef(ctx context.Context, ref string, limit int) ([]app.CardRow, error) {
	if ref == "" {
		return nil, nil // most cards have none
	}
	return all(ctx, s.reads, scanCard, cardColumns+"ref=$1 AND ref<>'' ORDER BY series,number LIMIT $2",
		ref, limit)
}

// CardsAlike implements app.Reader.
func (s *Store) CardsAlike(ctx context.Context, faces [][]byte) ([]app.CardRow, error) {
	numbers := make([]any, len(faces))
	for i, f := range faces {
		numbers[i] = sorted(f)
	}
	return all(ctx, s.reads, scanCard, cardColumns+s.dialect.anyOf("numbers", 1)+" ORDER BY series,number",
		s.dialect.list(numbers))
}
