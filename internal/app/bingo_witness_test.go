package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/proof"
	"boulier/internal/snake"
	"boulier/internal/witness"
	"boulier/regs/regstest"
)

// A testWitness is a witness that asks when the test says.
type testWitness struct {
	*witness.Witness
	folder string
	house  *httptest.Server
}

func (h *bingoHall) witness() *testWitness {
	h.t.Helper()
	w := &testWitness{folder: filepath.Join(h.t.TempDir(), "witness")}
	folder, err := witness.OpenFolder(w.folder, "regulator.example")
	h.ok(err)
	h.ok(h.Bingo.NameWitness(h.t.Context(), h.as(h.manager), folder.Key()))
	w.house = httptest.NewServer(witness.Handler(h.Bingo, slog.New(slog.DiscardHandler)))
	h.t.Cleanup(w.house.Close)
	w.Witness = &witness.Witness{Server: w.house.URL, Folder: folder, Log: slog.New(slog.DiscardHandler), Client: http.DefaultClient}
	return w
}

// TestArt93_10_AWitnessTakesPart has a second machine mix its secret into the balls: it
// commits before the sale opens, opens after the closing, and nobody draws in between.
func TestArt93_10_AWitnessTakesPart(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	h := newBingoHall(t, 3)
	w := h.witness()
	h.ok(w.Ask(t.Context()))
	ada := h.guest(0, 20_00)
	id := h.sale()
	r := h.round(id)
	if r.Witness == "" || r.WitnessKey != w.Folder.Key() || r.Witness == r.Commitment {
		t.Fatalf("the sale opened with the witness %q by %q", r.Witness, r.WitnessKey)
	}
	_, err := h.buy(id, 0, ada, 1_00, 6)
	h.ok(err)
	h.ok(w.Ask(t.Context())) // commits to the next round, opens nothing
	if r = h.round(id); r.Mixed != "" {
		t.Fatal("the witness opened its secret while cards are sold")
	}
	h.Clock.Move(time.Minute)
	h.due()
	for range 3 { // the witness is away: the balls wait, however long
		h.Clock.Move(time.Hour)
		h.due()
	}
	if r = h.round(id); !r.Waits() || len(r.Balls) != 0 || !r.Due().IsZero() {
		t.Fatalf("without the witness: %+v", r)
	}
	h.refused("another secret", h.Bingo.OpenWitness(t.Context(), id, strings.Repeat("00", 32)), bingo.ErrSecret)
	h.ok(w.Ask(t.Context()))
	h.ok(w.Ask(t.Context()))
	if r = h.round(id); r.Waits() || r.Mixed == "" {
		t.Fatal("the witness did not open its secret")
	}
	r = h.play(id, 99)
	if r.Phase != bingo.Over || len(r.Balls) < 15 {
		t.Errorf("%s after %d balls", r.Phase, len(r.Balls))
	}
	h.sound(r, ada)

	id = h.sale()
	_, err = h.buy(id, 0, ada, 1_00, 2)
	h.ok(err)
	h.Clock.Move(time.Minute)
	h.due()
	h.ok(h.Bingo.VoidRound(t.Context(), h.as(h.manager), id, "le témoin ne répond plus"))
	had := h.has(ada)
	r = h.play(id, 99)
	if r.Phase != bingo.Void || h.has(ada) != had+2_00 {
		t.Errorf("a round that waits and is void: %s, %s EUR", r.Phase, h.has(ada))
	}
	h.sound(r, ada)
}

// TestArt93_10_AWitnessIsAway holds that a sale waits for a named witness for a time, and then
// opens without one.
func TestArt93_10_AWitnessIsAway(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	h := newBingoHall(t, 2)
	w := h.witness()
	for range 3 {
		h.due()
	}
	if s, err := h.Bingo.Session(t.Context()); err != nil || s.Playing != 0 {
		t.Fatalf("round %d began without the witness, %v", s.Playing, err)
	}
	h.Clock.Move(app.WitnessPatience / 2)
	h.ok(w.Ask(t.Context()))
	id := h.sale() // it came in time
	if h.round(id).Witness == "" {
		t.Error("the witness came and does not take part")
	}
	h.Clock.Move(time.Minute)
	h.due() // nobody bought: over
	h.due() // revealed
	h.due() // the next one waits
	h.Clock.Move(app.WitnessPatience)
	id = h.sale()
	if r := h.round(id); r.Witness != "" {
		t.Errorf("a witness that did not answer takes part: %+v", r)
	}
}

func TestArt93_10_WhoIsNoWitness(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	h := newBingoHall(t, 1)
	ctx := t.Context()
	h.refused("by a cashier", h.Bingo.NameWitness(ctx, h.as(h.cashier), ""), app.ErrForbidden)
	h.refused("a key that is none", h.Bingo.NameWitness(ctx, h.as(h.manager), "x"), app.ErrWitnessKey)
	h.refused("the house itself", h.Bingo.NameWitness(ctx, h.as(h.manager), h.Vault.VerifierKey()), app.ErrWitnessKey)
	h.refused("where none is named", h.Bingo.CommitWitness(ctx, "x"), app.ErrNoWitness)
	w, other := h.witness(), h.witness() // the second one is named now
	if err := w.Ask(ctx); err == nil || !strings.Contains(err.Error(), "has not named this witness") {
		t.Errorf("a witness that is not named: %v", err)
	}
	h.ok(other.Ask(ctx))
	h.refused("what nobody signed", h.Bingo.CommitWitness(ctx, "boulier/witness/v1\n"), app.ErrWitnessKey)
	again, err := witness.OpenFolder(other.folder+"-new", "regulator.example")
	h.ok(err)
	h.ok(h.Bingo.NameWitness(ctx, h.as(h.manager), again.Key()))
	other.Folder = again
	h.ok(other.Ask(ctx))
	w.Server = "http://127.0.0.1:1"
	if err := w.Ask(ctx); err == nil {
		t.Error("no server, and no error")
	}
}

type workOf = proof.WitnessWork

// lying is a house whose work is changed on the way.
func lying(t *testing.T, b *app.Bingo, change func(*workOf)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		work, err := b.WitnessWork(r.Context(), 0)
		if err != nil || work.Round == 0 {
			t.Errorf("nothing is wanted of the witness: %+v, %v", work, err)
		}
		work.Next = 0
		change(&work)
		if err := json.NewEncoder(w).Encode(work); err != nil {
			t.Error(err)
		}
	})
}

// TestArt93_10_TheWitnessTrustsNobody shows a witness what an honest server never does.
func TestArt93_10_TheWitnessTrustsNobody(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	h := newBingoHall(t, 2)
	w := h.witness()
	h.ok(w.Ask(t.Context()))
	id := h.sale()
	h.guest(0, 20_00)
	ada := h.guest(0, 20_00)
	_, err := h.buy(id, 0, ada, 1_00, 6)
	h.ok(err)
	h.Clock.Move(time.Minute)
	h.due()
	for _, tc := range []struct {
		name   string
		change func(work *workOf)
		want   error
	}{
		{"another operator", func(work *workOf) { work.Key = w.Folder.Key() }, witness.ErrOperator},
		{"no closing", func(work *workOf) { work.Closed = work.Committed }, witness.ErrDishonest},
		{"another round", func(work *workOf) { work.Round = 9 }, witness.ErrDishonest},
		{"a closing that is not in the journal", func(work *workOf) { work.Closed.Index++ }, witness.ErrDishonest},
		{"a payload changed", func(work *workOf) { work.Committed.Payload += " " }, witness.ErrDishonest},
		{"an unsigned checkpoint", func(work *workOf) { work.Checkpoint = strings.Replace(work.Checkpoint, "—", "-", 1) }, witness.ErrDishonest},
	} {
		liar := httptest.NewServer(lying(t, h.Bingo, tc.change))
		w.Server = liar.URL
		if err := w.Ask(t.Context()); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
		liar.Close()
		if h.round(id).Mixed != "" {
			t.Fatalf("%s: the secret is open", tc.name)
		}
	}
	w.Server = w.house.URL
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx, h.Vault.VerifierKey()) }()
	for h.round(id).Waits() && ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	h.ok(<-done)
	if h.round(id).Mixed == "" {
		t.Error("an honest server waits in vain")
	}
	if err := w.Run(t.Context(), w.Folder.Key()); !errors.Is(err, witness.ErrOperator) {
		t.Errorf("its folder knows another operator: %v", err)
	}
	h.sound(h.play(id, 99), ada)
}

// TestArt93_10_AWitnessOpensForOneClosing has an operator keep the secret that it was sent to
// itself and close the sale a second time, in the journal and under its own signature: whoever
// has the secret could choose among closings, so the witness must not go along.
func TestArt93_10_AWitnessOpensForOneClosing(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	h := newBingoHall(t, 2)
	w := h.witness()
	h.ok(w.Ask(t.Context()))
	id := h.sale()
	ada := h.guest(0, 20_00)
	_, err := h.buy(id, 0, ada, 1_00, 6)
	h.ok(err)
	h.Clock.Move(time.Minute)
	h.due()
	opened := 0
	house := witness.Handler(h.Bingo, slog.New(slog.DiscardHandler))
	liar := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.URL.Path == witness.Path+"open" { // kept, and not said
			opened++
			out.WriteHeader(http.StatusNoContent)
			return
		}
		house.ServeHTTP(out, r)
	}))
	defer liar.Close()
	w.Server = liar.URL
	h.ok(w.Ask(t.Context()))
	h.ok(w.Ask(t.Context())) // the same closing again: the answer may have been lost
	if opened != 2 {
		t.Fatalf("opened %d times", opened)
	}
	r := h.round(id)
	h.closeAgain(r)
	if err := w.Ask(t.Context()); !errors.Is(err, witness.ErrDishonest) || !strings.Contains(err.Error(), "a second time") {
		t.Errorf("a second closing: %v", err)
	}
	if opened != 2 {
		t.Error("the witness opened its secret for a second closing")
	}
}

// closeAgain writes another closing of a round's sale into the journal, as no honest house does.
func (h *bingoHall) closeAgain(r bingo.Round) {
	h.t.Helper()
	body, err := snake.Encode(bingo.SaleClosed{At: h.Now(), Cards: r.Cards + 1, Sales: r.Sales, Digest: r.Digest, Faces: r.Faces, Amounts: r.Amounts})
	h.ok(err)
	stream := app.BingoTopic(r.ID)
	h.ok(h.Store.Update(h.t.Context(), app.Keys{States: []string{stream}}, func(tx app.Tx) error {
		_, err := tx.Append(stream, bingo.SaleClosed{}.Kind(), body)
		return err
	}))
}
