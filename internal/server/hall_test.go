package server_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"time"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/server"
)

// What the process of a hall is told.
const (
	hallData     = "BOULIER_TEST_HALL"
	hallDatabase = "BOULIER_TEST_HALL_DATABASE"
	hallListen   = "BOULIER_TEST_HALL_LISTEN"
)

// hallPlayers are the accounts of a hall, numbered from 1000.
const hallPlayers = 6

// hallChild is the process of a hall: the whole server, and players who buy in each sale, each
// by one request of each round, which a later process repeats. It prints what was answered.
func hallChild() bool {
	folder := os.Getenv(hallData)
	if folder == "" {
		return false
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s, err := server.Open(ctx, server.Config{Data: folder, Database: os.Getenv(hallDatabase),
		Listen: os.Getenv(hallListen), Version: "test", Log: log})
	if err == nil {
		log.Info("ready", "url", s.URL(), "key", s.Vault.Fingerprint())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx) }()
		playHall(ctx, s)
		err = <-ended
	}
	if err != nil {
		log.Error("the hall failed", "error", err)
		os.Exit(1)
	}
	return true
}

// playHall buys in each sale once for everybody until ctx ends.
func playHall(ctx context.Context, s *server.Server) {
	for ; ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
		day, err := s.Bingo.Session(ctx)
		if err != nil || day.Playing == 0 {
			continue
		}
		// A request that comes before the sale would be refused for ever.
		if r, _, err := s.Bingo.Round(ctx, day.Playing); err != nil || r.Sale.Opens.IsZero() {
			continue
		}
		for k := range hallPlayers {
			sold, err := s.Bingo.BuyCards(ctx, hallPurchase(day.Playing, k))
			if err == nil {
				fmt.Printf("sold %d %d %d %v\n", day.Playing, k, sold.First, sold.Runs)
			} else if !errors.Is(err, bingo.ErrSaleClosed) && ctx.Err() == nil {
				fmt.Println("refused", err)
			}
		}
	}
}

// hallPurchase is the only purchase of a player in a round, under its only identifier.
func hallPurchase(round bingo.RoundID, k int) app.BingoPurchase {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d", round, k))
	return app.BingoPurchase{Request: app.RequestID(sum[:16]), Account: bingo.AccountID(1000 + k), Terminal: 1,
		Round: round, Price: 1_00, Count: 1 + k%3}
}
