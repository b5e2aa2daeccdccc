package instantpages

import (
	"context"
	"errors"
	"strconv"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// UnitChecks are the checks of a unit by the names that verify/ gives them; their words are
// the messages verify.NAME.title and verify.NAME.text, where a word in braces is filled in.
var UnitChecks = []string{"format", "key", "signed", "extended", "opened", "sold", "table", "placed", "face",
	"boards", "letters", "said", "buyer"}

// unitOf reads the unit that the address names, if it is the visitor's.
func (s *Section) unitOf(v *web.Visit) (app.UnitView, error) {
	ref, err := app.ParseUnitRef(v.Path("unit"))
	if err != nil {
		return app.UnitView{}, web.NotFound
	}
	view, err := s.Instant.Unit(v.Context(), v.Person.ID, ref)
	if errors.Is(err, app.ErrNotFound) || errors.Is(err, app.ErrUnitOfAnother) {
		return view, web.NotFound // whose a unit is is nobody else's business
	}
	return view, err
}

// showUnit shows a unit: in play, with its zones covered, or whole, marked as a replay.
func (s *Section) showUnit(v *web.Visit) error {
	u, err := s.unitOf(v)
	if err != nil {
		return err
	}
	o, err := s.offer(v.Context(), u.Issue)
	if err != nil {
		return err
	}
	title := v.T("unit.title", "Number", v.Words.Count(u.Unit.Number))
	play := playOf(u, v.Query("open"))
	play.Fresh, play.Say = v.Query("fresh") != "", v.Query("say")
	return v.Show(ui.View{Title: title, Accent: ui.Instant}, unitBody(u, o, play))
}

// showZone gives what is under one zone, once the player has touched it: the page of a
// covered unit says nothing of what it wins. A square of a board is told to whoever names
// the tile with its letter.
func (s *Section) showZone(v *web.Visit) error {
	u, err := s.unitOf(v)
	if err != nil {
		return err
	}
	zone, err := strconv.Atoi(v.Path("zone"))
	if err != nil || !isZone(u, zone) {
		return web.NotFound
	}
	if playOf(u, v.Query("with")).locked(zone) {
		return web.NotFound // not to be scratched, or not yet
	}
	return v.Fragment(under(u, zone))
}

// uncover opens a zone, or all of them; the last one ends the play (instant:4.4.manual).
// With zones left, nothing ends: the page says which.
func (s *Section) uncover(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	u, err := s.unitOf(v)
	if err != nil {
		return err
	}
	asked := form.Raw("zone")
	if asked == "all" {
		return s.uncoverAll(v, form, u.Unit)
	}
	play, say := playOf(u, v.Query("open")), ""
	if zone, err := strconv.Atoi(asked); err == nil && isZone(u, zone) {
		if play.locked(zone) {
			say = "&say=locked"
		}
		play = playOf(u, play.list()+"."+asked)
	} else {
		say = "&say=remains"
	}
	if play.remaining() > 0 {
		return v.Redirect("/units/" + u.Unit.String() + "?open=" + play.list() + say)
	}
	return s.uncoverAll(v, form, u.Unit)
}

func (s *Section) uncoverAll(v *web.Visit, form *web.Form, unit app.UnitRef) error {
	request := app.RequestID(form.Request)
	if form.Raw("mode") == "auto" {
		request = app.RequestID{} // the form's identifier has bought the unit
	}
	err := s.Instant.Uncover(v.Context(), app.Uncovering{Request: request, Player: v.Person.ID, Unit: unit})
	if err != nil {
		return err
	}
	return v.Redirect("/units/" + unit.String() + "?fresh=1")
}

// unitProof gives the unit with its proof, for boulier verify.
func (s *Section) unitProof(v *web.Visit) error {
	u, err := s.unitOf(v)
	if err != nil {
		return err
	}
	file, err := s.Instant.ExportUnit(v.Context(), v.Person.ID, u.Unit)
	if err != nil {
		return err
	}
	return v.File("boulier-unite-"+u.Unit.String()+".json", "application/json", file)
}

// unitLead says how a unit in play is played; one that is whole needs no word.
func unitLead(ctx context.Context, u app.UnitView) string {
	switch {
	case !u.Covered:
		return ""
	case u.Words != nil:
		return ui.T(ctx, "words.covered")
	default:
		return ui.T(ctx, "unit.covered")
	}
}
