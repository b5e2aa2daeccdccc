package contestpages

import (
	"context"
	"strconv"

	"github.com/a-h/templ"

	"boulier/internal/app"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// profileFacts is what the house has of a registered person.
func profileFacts(ctx context.Context, e app.EntryView) []ui.Fact {
	facts := []ui.Fact{
		{Label: ui.T(ctx, "entry.status"), Value: ui.Text(ui.T(ctx, "entry.status."+e.Status))},
		{Label: ui.T(ctx, "entry.since"), Value: ui.Moment(e.Since)},
		{Label: ui.T(ctx, "entry.person"), Value: ui.Text(pages.OrDash(e.Profile.Name()))},
		{Label: ui.T(ctx, "entry.address"), Value: ui.Text(e.Profile.Street + ", " + e.Profile.Postcode + " " + e.Profile.Town)},
		{Label: ui.T(ctx, "entry.email"), Value: ui.Text(e.Profile.Email)},
	}
	if e.Minor {
		facts = append(facts, ui.Fact{Label: ui.T(ctx, "entry.parent"), Value: ui.Text(e.Profile.Parent)})
		if !e.Consent.IsZero() {
			facts = append(facts, ui.Fact{Label: ui.T(ctx, "entry.consent"), Value: ui.Moment(e.Consent)})
		}
	}
	return facts
}

func caseRows(ctx context.Context, all []app.Case) [][]templ.Component {
	var rows [][]templ.Component
	for _, file := range all {
		state := ui.Mark(ui.Warning, ui.T(ctx, "case.pending"))
		if !file.DecidedAt.IsZero() {
			state = ui.Mark(ui.Success, ui.T(ctx, "case.done"))
		}
		n := strconv.FormatInt(int64(file.ID), 10)
		rows = append(rows, []templ.Component{
			linkTo("/manage/cases/"+n, ui.T(ctx, "case.number", "Number", n)+" · "+ui.T(ctx, "case.kind."+file.Kind)),
			ui.Moment(file.OpenedAt), ui.Count(int64(len(file.Players))), state})
	}
	return rows
}
