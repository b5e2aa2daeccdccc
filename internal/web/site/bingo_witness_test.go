package site_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/proof"
	"boulier/internal/witness"
	"boulier/regs/regstest"
)

// TestBingo_AWitnessIsNamed names a witness by the manager's page; the hall says that it takes
// part, and that the balls wait for it; the proof of the round is anyone's.
func TestBingo_AWitnessIsNamed(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	h := newStaffHouse(t)
	h.bingoDay(t)
	folder, err := witness.OpenFolder(t.TempDir(), "regulator.example")
	if err != nil {
		t.Fatal(err)
	}
	house := httptest.NewServer(witness.Handler(h.Bingo, slog.New(slog.DiscardHandler)))
	t.Cleanup(house.Close)
	w := witness.Witness{Server: house.URL, Folder: folder, Log: slog.New(slog.DiscardHandler), Client: http.DefaultClient}

	c, stranger := h.signIn(t, "manon"), h.signIn(t, "")
	says(t, c.get("/manage/bingo/halls", 200), "Aucun témoin n’est désigné")
	says(t, c.post("/manage/bingo/witness/name", 422, url.Values{"key": {"x"}}), "n’est pas la clé de vérification d’un témoin")
	says(t, c.post("/manage/bingo/witness/name", 200, url.Values{"key": {folder.Key() + " "}}), "prend part dès la partie suivante", "regulator.example")
	c.post("/manage/bingo/witness/nonsense", 404, url.Values{})
	if err := w.Ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := h.selling(t, 1)
	says(t, stranger.get("/bingo/hall", 200), "Avec témoin")
	stranger.get("/bingo/rounds/1/proof.jsonl", 422)
	crowd := h.Crowd(1, 50_00)
	h.Seat(crowd, 1)
	if _, err := h.Bingo.BuyCards(t.Context(), app.BingoPurchase{Request: app.NewRequestID(), Account: bingo.AccountID(crowd[0]),
		Terminal: 1, Round: r.ID, Price: 1_00, Count: 6}); err != nil {
		t.Fatal(err)
	}
	r = h.bingoUntil(t, func(_ bingo.Session, r bingo.Round) bool {
		if r.Phase == bingo.Selling {
			h.Clock.Move(r.Proposal.SaleTime)
		}
		return r.Waits()
	})
	says(t, stranger.get("/bingo/hall", 200), "Les boules attendent le témoin")
	for range 2 {
		if err := w.Ask(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	r = h.over(t, r.ID)
	says(t, stranger.get("/bingo/rounds/1", 200), r.Mixed, r.Faces, "Télécharger la preuve")
	file := stranger.get("/bingo/rounds/1/proof.jsonl", 200)
	if _, err := proof.Verify("round", bytes.NewReader([]byte(file)), proof.Options{Key: h.Vault.VerifierKey()}); err != nil {
		t.Error(err)
	}
	if strings.Contains(file, "Carla") || strings.Contains(file, "carla") {
		t.Error("the proof names people")
	}
	stranger.get("/bingo/rounds/99/proof.jsonl", 404)
	stranger.get("/bingo/rounds/x/proof.jsonl", 404)
	says(t, c.post("/manage/bingo/witness/remove", 200, url.Values{}), "n’y a plus de témoin", "Aucun témoin n’est désigné")
}
