package app_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/proof"
	"boulier/regs/regstest"
)

// TestStd52_TheJournalIsExportedWhole exports a journal to boulier verify, before and after
// more was done, and with an erased payload.
func TestStd52_TheJournalIsExportedWhole(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:52", "house:6")
	ctx := context.Background()
	h := apptest.New(t)
	manager, inspector := h.Staff("manon", app.Manager), h.Staff("ines", app.Inspector)
	issue := h.OnSale(manager, apptest.SmallGame)
	anne := h.Player("anne", 1000)
	if _, err := buy(h, anne, issue); err != nil {
		t.Fatal(err)
	}
	in := app.Inspection{Ground: h.Ground}
	export := func() []byte {
		t.Helper()
		var out bytes.Buffer
		if err := in.ExportJournal(ctx, inspector, func() io.Writer { return &out }); err != nil {
			t.Fatal(err)
		}
		if _, err := proof.Verify("journal.jsonl", bytes.NewReader(out.Bytes()),
			proof.Options{Key: h.Vault.VerifierKey()}); err != nil {
			t.Errorf("%v\n%s", err, out.Bytes())
		}
		return out.Bytes()
	}
	first := export()
	if _, err := buy(h, anne, issue); err != nil {
		t.Fatal(err)
	}
	if second := export(); bytes.Count(second, []byte("\n")) <= bytes.Count(first, []byte("\n")) {
		t.Error("the second export is not longer")
	}
	err := in.ExportJournal(ctx, manager, func() io.Writer {
		t.Error("somebody without the right gets the journal")
		return io.Discard
	})
	if !errors.Is(err, app.ErrForbidden) {
		t.Errorf("a manager exports the journal: %v", err)
	}
	facts, head, err := in.Latest(ctx, 5)
	if err != nil || len(facts) != 5 || facts[0].Index != head.Size-1 || facts[0].Kind != "journal_exported" {
		t.Errorf("the latest events of %d: %+v, %v", head.Size, facts, err)
	}
}

// TestInstant2_AnyoneChecksAnEndedBlock exports a block after its end to boulier verify.
func TestInstant2_AnyoneChecksAnEndedBlock(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "instant:3", "house:5")
	ctx := context.Background()
	h := apptest.New(t)
	manager := h.Staff("manon", app.Manager)
	issue := h.OnSale(manager, apptest.SmallGame)
	anne := h.Player("anne", 1000)
	for range 5 {
		if _, err := buy(h, anne, issue); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	begin := func() io.Writer { return &out }
	if err := h.Instant.ExportBlock(ctx, 1, begin); !errors.Is(err, app.ErrNotEnded) || out.Len() > 0 {
		t.Errorf("a block on sale is exported: %v", err)
	}
	order := app.IssueOrder{Request: app.NewRequestID(), By: manager, Issue: issue}
	if err := h.Instant.CloseIssue(ctx, order); err != nil {
		t.Fatal(err)
	}
	if err := h.Instant.ExportBlock(ctx, 1, begin); err != nil {
		t.Fatal(err)
	}
	if _, err := proof.Verify("block.jsonl", &out, proof.Options{Key: h.Vault.VerifierKey()}); err != nil {
		t.Error(err)
	}
	if err := h.Instant.ExportBlock(ctx, 9, begin); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("no such block: %v", err)
	}
}

// TestInstant2_ASaleNamesNobody holds that an ended block, of a word game here, proves all
// its sales while nothing links two sales to one player, until the player shows what opens
// one; and that what was erased opens nothing any more.
func TestInstant2_ASaleNamesNobody(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "std:37")
	ctx := context.Background()
	h := apptest.New(t)
	manager := h.Staff("manon", app.Manager)
	issue := h.OnSale(manager, smallWordGame())
	anne := h.Player("anne", 1000)
	for range 3 {
		if _, err := buy(h, anne, issue); err != nil {
			t.Fatal(err)
		}
	}
	order := app.IssueOrder{Request: app.NewRequestID(), By: manager, Issue: issue}
	if err := h.Instant.CloseIssue(ctx, order); err != nil {
		t.Fatal(err)
	}
	if err := apptest.VerifyBlock(ctx, h.Instant, 1); err != nil {
		t.Error(err)
	}
	rows, err := h.Store.BlockUnits(ctx, 1, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	facts, err := h.Store.Stream(ctx, string(proof.SalesStream("1")), 0, 10)
	if err != nil || len(facts) != 3 || len(rows) != 3 {
		t.Fatalf("%d sales of %d units, %v", len(facts), len(rows), err)
	}
	seen := map[proof.Hash]bool{}
	for i, f := range facts {
		sale, err := proof.ParseSale(f.Payload)
		if want := (proof.Buyer{Player: anne, Blind: rows[i].Blind}).Digest(); err != nil || sale.Buyer != want || sale.Board != 1 {
			t.Errorf("sale %d says %s, %v; its buyer is %x", i, f.Payload, err, want)
		}
		if rows[i].Blind == (proof.Blind{}) || seen[sale.Buyer] {
			t.Errorf("sale %d can be linked: %s", i, f.Payload)
		}
		seen[sale.Buyer] = true
	}
	export := func() string {
		t.Helper()
		file, err := h.Instant.ExportUnit(ctx, anne, app.UnitRef{Block: 1, Number: 1})
		if err != nil {
			t.Fatal(err)
		}
		r, err := proof.Verify("unit.json", bytes.NewReader(file), proof.Options{Key: h.Vault.VerifierKey()})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(r.Lines, "\n")
	}
	if said := export(); !strings.Contains(said, "sold to player "+anne.String()) {
		t.Errorf("anne's unit says %s", said)
	}
	erased := rows[0]
	erased.Blind = proof.Blind{}
	if err := h.Store.Update(ctx, app.Keys{}, func(tx app.Tx) error { tx.Save(erased); return nil }); err != nil {
		t.Fatal(err)
	}
	if said := export(); strings.Contains(said, "sold to") {
		t.Errorf("without its blind, the unit says %s", said)
	}
}
