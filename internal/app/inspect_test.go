package app_test

import (
	"bytes"
	"context"
	"errors"
	"io"
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
