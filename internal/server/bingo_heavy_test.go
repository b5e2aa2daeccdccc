//go:build !race

package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/pgtest"
	"boulier/internal/proof"
	"boulier/internal/server"
	"boulier/internal/snake"
	"boulier/internal/store"
	"boulier/internal/vault"
	"boulier/internal/witness"
	"boulier/ledger"
	"boulier/player"
	"boulier/regs/regstest"
)

// openHall fills a house with a hall, and opens a day of short rounds; with a witness if its
// key is given.
func openHall(t *testing.T, c server.Config, witnessKey string) {
	t.Helper()
	c.Listen, c.Version, c.Log = "127.0.0.1:0", "test", slog.New(slog.DiscardHandler)
	s, err := server.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	manager, err := s.People.AddStaff(ctx, app.NewStaff{Request: app.NewRequestID(), By: app.SystemPerson,
		SignIn: "chef", Name: "Chef", Password: password, Roles: []app.Role{app.Manager}})
	ok(err)
	act := func() app.BingoAct { return app.BingoAct{Request: app.NewRequestID(), By: manager} }
	ok(s.Cards.Order(ctx, app.MadeSeries{Request: app.NewRequestID(), By: manager, Name: "A", Sheets: 10, Value: 100, Title: "A"}))
	ok(s.Cards.MakeWanted(ctx))
	_, _, err = s.Bingo.AddTerminal(ctx, act(), "Salle", "T1")
	ok(err)
	rules, err := s.Ground.CurrentRules(ctx)
	ok(err)
	for k := range hallPlayers {
		id := player.ID(1000 + k)
		own, person, account := ledger.Path("player:"+id.String()), "person/"+id.String(), "bingo/account/"+id.String()
		ok(s.Store.Update(ctx, app.Keys{Accounts: []ledger.Path{"bank", own}, States: []string{person, account}}, func(tx app.Tx) error {
			tx.Put(person, app.Standing{Roles: []app.Role{app.Player}, Status: app.Active, Rules: rules.InForce()},
				func(v any) ([]byte, error) { return json.Marshal(v) })
			tx.Put(account, app.BingoAccount{Account: bingo.Account{ID: bingo.AccountID(id), Player: id, Card: 1, Terminal: 1}}, snake.Encode)
			_, err := tx.Post(app.Posting{Kind: "load", Moves: []ledger.Movement{{From: "bank", To: own, Amount: ledger.Euros(1_000_00)}}})
			return err
		}))
	}
	if witnessKey != "" {
		ok(s.Bingo.NameWitness(ctx, act(), witnessKey))
	}
	programme := make([]bingo.Proposal, 200)
	for i := range programme {
		programme[i] = bingo.Proposal{Title: "Vite", MaxPrice: 1_00, MostCards: 3,
			Tracks:   []bingo.Track{{Price: 1_00, Series: []ninety.Series{"A"}, Size: 60}},
			SaleTime: 300 * time.Millisecond, Rhythm: 10 * time.Millisecond,
			Prizes: []bingo.Prize{bingo.LinePrize, bingo.BingoPrize}}
	}
	ok(s.Bingo.OpenSession(ctx, act(), programme))
	ended, stop := context.WithCancel(ctx)
	stop()
	ok(s.Serve(ended))
}

// A hallProcess is a hall that runs, with what it prints.
type hallProcess struct {
	*process
	lines *bufio.Scanner
	out   io.Reader
}

func startHall(t *testing.T, c server.Config) hallProcess {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), hallData+"="+c.Data, hallDatabase+"="+c.Database, hallListen+"="+c.Listen)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	return hallProcess{run(t, cmd), bufio.NewScanner(out), out}
}

// TestArt93_10_KilledHallHeavy kills a hall again and again, in sales and in draws, on each
// engine, with a witness that is a process of its own and is killed, too. Every round that was
// begun is played to its end with the balls that were committed to; every answer holds and is
// given again; nobody is charged twice or half.
func TestArt93_10_KilledHallHeavy(t *testing.T) {
	regstest.Covers(t, "bingo:93.4", "bingo:93.7", "bingo:93.8", "bingo:93.10", "bingo:93.12", "house:1", "house:2", "std:32", "std:53")
	for _, engine := range []struct {
		name    string
		config  func() server.Config
		witness bool
	}{
		{"SQLite, with a witness", func() server.Config { return server.Config{Data: t.TempDir()} }, true},
		{"PostgreSQL", func() server.Config {
			return server.Config{Data: t.TempDir(), Database: pgtest.New(t, apptest.Migrate)}
		}, false},
	} {
		t.Run(engine.name, func(t *testing.T) {
			c := engine.config()
			c.Listen = freeAddress(t)
			var second *exec.Cmd
			key := ""
			folder := filepath.Join(t.TempDir(), "witness")
			if engine.witness {
				f, err := witness.OpenFolder(folder, "regulator.example")
				if err != nil {
					t.Fatal(err)
				}
				key = f.Key()
			}
			openHall(t, c, key)
			answers := map[string]string{}
			for life := range hallLives {
				if engine.witness && life%5 == 0 {
					second = startWitness(t, second, c.Listen, folder)
				}
				livedOnce(t, startHall(t, c), answers)
			}
			last := startHall(t, c)
			before := len(answers)
			readAnswers(t, last, answers, func(string) bool { return len(answers) > before+hallPlayers })
			go io.Copy(io.Discard, last.out)
			last.stop(t)
			checkHall(t, c, answers, engine.witness)
		})
	}
}

// hallLives is how often a hall is killed: a life is a round, or two.
const hallLives = 6

// freeAddress is an address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// startWitness kills a witness, if there is one, and starts one on the same folder.
func startWitness(t *testing.T, old *exec.Cmd, listen, folder string) *exec.Cmd {
	t.Helper()
	if old != nil {
		if err := old.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		old.Wait() // says that it was killed
	}
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "witness", "--server", "http://"+listen, "--data", folder)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			cmd.Process.Kill()
			cmd.Wait()
		}
	})
	return cmd
}

// livedOnce lets a hall sell, and kills it some time after the first answer: in the sale, in
// the draw, or in the next sale.
func livedOnce(t *testing.T, p hallProcess, answers map[string]string) {
	t.Helper()
	readAnswers(t, p, answers, func(string) bool { return true })
	time.AfterFunc(rand.N(1500*time.Millisecond), func() { p.Process.Kill() })
	readAnswers(t, p, answers, func(string) bool { return false })
	p.kill(t)
}

// readAnswers keeps what a hall prints, until it has printed what is enough or ends. An answer
// that was given before must be the same.
func readAnswers(t *testing.T, p hallProcess, answers map[string]string, enough func(line string) bool) bool {
	t.Helper()
	late := time.AfterFunc(patience, func() { p.Process.Kill() })
	defer late.Stop()
	for p.lines.Scan() {
		line := p.lines.Text()
		words := strings.SplitN(line, " ", 4)
		if len(words) < 4 || words[0] != "sold" {
			t.Errorf("the hall says %q", line)
			return false
		}
		request := words[1] + " " + words[2]
		if before, ok := answers[request]; ok && before != words[3] {
			t.Errorf("player and round %s: answered %q, then %q", request, before, words[3])
		}
		answers[request] = words[3]
		if enough(line) {
			return true
		}
	}
	return false
}

// checkHall holds that the hall went on where it was, after its last process.
func checkHall(t *testing.T, c server.Config, answers map[string]string, witnessed bool) {
	t.Helper()
	ctx := t.Context()
	s, err := store.Open(ctx, store.Config{Folder: c.Data, URL: c.Database, Now: time.Now, Entropy: app.RandomBytes})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	keys, err := vault.Open(filepath.Join(c.Data, "keys"), "boulier.local")
	if err != nil {
		t.Fatal(err)
	}
	g := &app.Ground{Store: s, Now: time.Now, Entropy: app.RandomBytes, Sealer: keys, Journal: s, Zone: time.UTC,
		Version: "test", Log: slog.New(slog.DiscardHandler)}
	b := app.NewBingo(g, app.NewCards(g))
	if err := apptest.Check(ctx, s, app.NewInstant(g)); err != nil {
		t.Error(err)
	}
	day, err := b.Session(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ended, mixed := 0, 0
	for id := bingo.RoundID(1); id <= bingo.RoundID(day.Started); id++ {
		r, _, err := b.Round(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.ReplayRound(ctx, id); err != nil {
			t.Error(err)
		}
		if r.Mixed != "" {
			mixed++
		}
		if id < bingo.RoundID(day.Started) && r.Secret == "" {
			t.Errorf("round %d is %s, and round %d was begun", id, r.Phase, day.Started)
		}
		if r.Secret == "" {
			continue
		}
		var file bytes.Buffer
		if err := b.ExportRound(ctx, id, func() io.Writer { return &file }); err != nil {
			t.Fatal(err)
		}
		if _, err := proof.Verify(fmt.Sprint("round ", id), &file, proof.Options{Key: keys.VerifierKey()}); err != nil {
			t.Error(err)
		}
		if left, err := s.Account(ctx, ledger.Path("bingo:"+strconv.Itoa(int(id)))); err != nil || left.Balance != 0 {
			t.Errorf("round %d keeps %d, %v", id, left.Balance, err)
		}
		ended++
	}
	for request, said := range answers {
		var round bingo.RoundID
		var k int
		if _, err := fmt.Sscan(request, &round, &k); err != nil {
			t.Fatal(err)
		}
		hand, err := b.Hand(ctx, round, player.ID(1000+k))
		if err != nil {
			t.Fatal(err)
		}
		if len(hand.Bought) != 1 || fmt.Sprint(hand.Bought[0].First, " ", hand.Bought[0].Runs) != said {
			t.Errorf("player %d was answered %q in round %d, and holds %+v", k, said, round, hand.Bought)
		}
	}
	if ended == 0 || len(answers) <= hallPlayers || witnessed && mixed == 0 {
		t.Errorf("%d rounds ended, %d with the witness, %d answers", ended, mixed, len(answers))
	}
	t.Logf("%d rounds begun, %d ended, %d drawn with the witness", day.Started, ended, mixed)
}
