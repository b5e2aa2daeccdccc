package web

import (
	"errors"
	"net/http"

	"boulier/internal/web/ui"
	"boulier/money"
	"boulier/regs"
)

// This file is the example to copy for a page with a form. It stands in the gallery only:
// its use case keeps nothing.

// errStyleCeiling refuses more than the example lets in.
var errStyleCeiling = &regs.Violation{Ref: "house:1", Code: "style_ceiling"}

// loadExample stands for a use case: it succeeds, a rule refuses, or it breaks.
func loadExample(amount money.Cents) error {
	switch {
	case amount > 1000_00:
		return errStyleCeiling.With("asked for %s", amount)
	case amount == 13_13:
		return errors.New("the example breaks at 13.13")
	default:
		return nil
	}
}

// showExample answers GET: the empty form.
func showExample(v *Visit) error {
	return v.Show(exampleView(v), exampleBody(nil))
}

// postExample answers POST: read the form, call the use case, then one of four ways out.
func postExample(v *Visit) error {
	form, err := v.Form()
	if err != nil {
		return err // 400: damaged
	}
	amount := form.Amount("amount")
	form.Text("name", 40)
	form.Choice("desk", "1", "2")
	form.Choice("means", "cash", "card")
	form.Agreed("agree", true)
	form.Optional("note", 200)
	if !form.OK() {
		return v.ShowStatus(http.StatusUnprocessableEntity, exampleView(v), exampleBody(form), form.Notice())
	}
	err = loadExample(amount) // with form.Request, so that it is done once
	if notice, refused := v.Refused(err); refused {
		return v.ShowStatus(http.StatusUnprocessableEntity, exampleView(v), exampleBody(form), notice)
	}
	if err != nil {
		return err // 500: told by the request identifier
	}
	return v.Redirect("/style/example", Done("style.loaded", "Amount", v.Words.Amount(amount)))
}

func exampleView(v *Visit) ui.View {
	return ui.View{Title: v.T("style.example"), Accent: ui.Instant}
}
