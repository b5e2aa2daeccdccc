package store

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// childOf is set for the processes that the test kills: it holds their database.
const childOf = "BOULIER_TEST_SELL_ON"

func TestMain(m *testing.M) {
	if where := os.Getenv(childOf); where != "" {
		fmt.Fprintln(os.Stderr, sellForEver(where))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// where names a database for a child, at reads it again.
func where(cfg Config) string { return cfg.Folder + "\n" + cfg.URL }

func at(where string) Config {
	folder, url, _ := strings.Cut(where, "\n")
	return config(Config{Folder: folder, URL: url})
}

// sellForEver sells to 32 buyers at once and says each sale that was answered on the
// standard output: its request and the number of the unit.
func sellForEver(where string) error {
	ctx := context.Background()
	s, err := Open(ctx, at(where))
	if err != nil {
		return err
	}
	signer, _, err := zeroKey()
	if err != nil {
		return err
	}
	failed := make(chan error)
	for buyer := range 32 {
		go func() {
			for {
				r := request(buyer)
				n, err := buys(ctx, s, r, buyer, nil)
				if err != nil {
					failed <- err
				}
				fmt.Printf("%s %d %d\n", r.ID, buyer, n)
			}
		}()
	}
	go func() {
		for {
			if _, err := s.Sequence(ctx, signer); err != nil {
				failed <- err
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return <-failed
}
