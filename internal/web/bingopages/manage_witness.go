package bingopages

import (
	"context"
	"net/http"
	"strings"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
	"boulier/journal"
)

// nameWitness names the witness of the draws by its key, or none (reading B13).
func (s *Section) nameWitness(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	key, done := "", web.Done("bingo_witness_gone")
	if v.Path("act") == "name" {
		key, done = strings.TrimSpace(form.Text("key", 200)), web.Done("bingo_witness")
	} else if v.Path("act") != "remove" {
		return web.NotFound
	}
	if !form.OK() {
		return s.hallsAgain(v, http.StatusUnprocessableEntity, form, hallsPage{}, form.Notice())
	}
	err = s.Bingo.NameWitness(v.Context(), as(v, form), key)
	if notice, refused := v.Refused(err); refused {
		return s.hallsAgain(v, http.StatusUnprocessableEntity, form, hallsPage{}, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/manage/bingo/halls", done)
}

// witnessFacts is what is known of the witness.
func witnessFacts(ctx context.Context, w app.BingoWitness) []ui.Fact {
	name, _, _ := strings.Cut(w.Key, "+")
	seen := ui.T(ctx, "bingo.manage.witness.never")
	if !w.SeenAt.IsZero() {
		seen = locales.From(ctx).Moment(w.SeenAt)
	}
	return []ui.Fact{
		{Label: ui.T(ctx, "bingo.manage.witness"), Value: ui.Text(name)},
		{Label: ui.T(ctx, "bingo.manage.witness.finger"), Value: ui.Code(journal.Fingerprint(w.Key))},
		{Label: ui.T(ctx, "bingo.manage.witness.seen"), Value: ui.Text(seen)},
	}
}
