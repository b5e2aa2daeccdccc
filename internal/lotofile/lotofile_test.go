package lotofile

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"boulier/game/loto"
	"boulier/regs/regstest"
)

// usual is a programme with vouchers, an object and the car.
func usual() []loto.Round {
	start := time.Date(2027, 3, 7, 11, 0, 0, 0, time.UTC)
	p := loto.Usual(loto.Outline{Title: "Loto", Doors: start.Add(-time.Hour), Start: start, Desks: 2, Rounds: 3,
		Ordinary: loto.SeriesRange{Series: "A", From: 1, To: 240}, Special: loto.SeriesRange{Series: "V", From: 1, To: 60},
		Voucher: "Bon d’achat ; « fête »", Car: "La voiture", Consolation: "Un panier", CarNote: "+ frais", RoundTitle: "Partie"})
	p.Rounds[1].Cage, p.Rounds[1].Prizes = true, []loto.Prize{{Stage: loto.StageQuine, Kind: loto.Object, Name: "=Télé",
		Amount: 350_00, Series: p.Ordinary, Consolation: "Un lot"}}
	return p.Rounds
}

// written is a programme as a file.
func written(t testing.TB, rounds []loto.Round, lang string) []byte {
	head, rows := Table(rounds, lang)
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = ';'
	if err := w.WriteAll(append([][]string{head}, rows...)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestRead_WhatWasWritten: a programme goes out in either language, and comes back the same.
func TestRead_WhatWasWritten(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:12", "loto:16", "loto:18", "loto:car.4")
	for _, lang := range []string{"fr", "en"} {
		got, faults := Read(written(t, usual(), lang))
		if diff := cmp.Diff(usual(), got, cmpopts.EquateEmpty()); diff != "" || len(faults) > 0 {
			t.Errorf("in %s: %v (-want +got):\n%s", lang, faults, diff)
		}
	}
}

func TestRead_Faults(t *testing.T) {
	t.Parallel()
	const head = "partie;étape;nature;lot;montant;plus petit bon;séries;consolation\n"
	for name, tc := range map[string]struct {
		text string
		want []Fault
	}{
		"empty":          {"", []Fault{{1, FaultEmpty, ""}}},
		"no prize":       {head, []Fault{{1, FaultEmpty, ""}}},
		"column":         {"partie;étape;nature;lot;montant;séries;consolation\n", []Fault{{1, FaultColumns, "plus petit bon"}}},
		"round left out": {head + "2;quine;bon;Bon;20;1;A;panier", []Fault{{2, FaultRound, "2"}}},
		"round 0":        {head + "0;quine;bon;Bon;20;1;A;panier", []Fault{{2, FaultRound, "0"}}},
		"words": {head + "1;ligne;vélo;;vingt;1;;\n1;quine;bon;Bon;-3;1;A;panier", []Fault{{2, FaultStage, "ligne"},
			{2, FaultKind, "vélo"}, {2, FaultMissing, "lot"}, {2, FaultMissing, "séries"}, {2, FaultMissing, "consolation"},
			{2, FaultAmount, "vingt"}, {3, FaultAmount, "-3"}}},
		"too long": {head + strings.Repeat("1;quine;bon;Bon;20;1;A;panier\n", maxRows), []Fault{{1, FaultLong, "601"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rounds, faults := Read([]byte(tc.text))
			if diff := cmp.Diff(tc.want, faults); diff != "" || rounds != nil {
				t.Errorf("rounds %v, faults (-want +got):\n%s", rounds, diff)
			}
		})
	}
}

// FuzzRead: whatever the file, it is a programme or faults with their rows, and a programme
// that is written is read back the same.
func FuzzRead(f *testing.F) {
	for _, lang := range []string{"fr", "en"} {
		f.Add(written(f, usual(), lang))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rounds, faults := Read(data)
		if (len(faults) > 0) == (len(rounds) > 0) {
			t.Fatalf("%d rounds and %d faults", len(rounds), len(faults))
		}
		if slices.ContainsFunc(faults, func(f Fault) bool { return f.Line < 1 || f.Code == "" }) {
			t.Fatalf("%+v", faults)
		}
		if len(rounds) == 0 {
			return
		}
		again := written(t, rounds, "fr")
		if _, faults := Read(again); len(faults) > 0 {
			t.Errorf("what was read and written is refused: %+v\n%s", faults, again)
		}
	})
}
