package pages

import (
	"context"
	"errors"
	"strconv"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// Drawer returns the open drawer of the cashier, nil if there is none.
func (h *House) Drawer(v *web.Visit) (*app.DrawerView, error) {
	d, err := h.Desk.Drawer(v.Context(), v.Person.ID)
	if errors.Is(err, app.ErrNotFound) {
		return nil, nil
	}
	return &d, err
}

// ReceiptPath is where the paper of an entry is.
func ReceiptPath(e app.DeskEntry) string {
	return "/desk/receipts/" + e.Desk.String() + "/" + strconv.FormatInt(e.Number, 10)
}

// An EnterFunc is a use case of the desk that makes an entry.
type EnterFunc func(ctx context.Context, o app.DeskOrder) (app.DeskEntry, error)

// MeansField asks how a load is paid: cash, unless the form says otherwise.
func MeansField(ctx context.Context, form *web.Form) ui.Field {
	f := form.Field(ui.Field{Name: "means", Label: ui.T(ctx, "drawer.means"), Required: true})
	if f.Value == "" {
		f.Value = string(app.Cash)
	}
	for _, m := range app.AllMeans {
		f.Choices = append(f.Choices, ui.Choice{Value: string(m), Label: ui.T(ctx, "means."+string(m))})
	}
	return f
}

// DocumentsField asks which identity document was seen with a cheque.
func DocumentsField(ctx context.Context, form *web.Form) ui.Field {
	return documentField(ctx, form, "document", ui.T(ctx, "desk.document.hint"))
}

func documentField(ctx context.Context, form *web.Form, name, hint string) ui.Field {
	f := form.Field(ui.Field{Name: name, Label: ui.T(ctx, "desk.document"), Hint: hint,
		Choices: []ui.Choice{{Value: "", Label: ui.T(ctx, "document.none")}}})
	for _, d := range app.Documents {
		f.Choices = append(f.Choices, ui.Choice{Value: d, Label: ui.T(ctx, "document."+d)})
	}
	return f
}

// byBank is the value of the button that pays by a cheque or a transfer.
const byBank = "bank"

// bankField asks by which of the two.
func bankField(ctx context.Context, form *web.Form) ui.Field {
	f := form.Field(ui.Field{Name: "paid", Label: ui.T(ctx, "drawer.means"), Required: true})
	for _, m := range app.PayMeans {
		if m != app.Cash {
			f.Choices = append(f.Choices, ui.Choice{Value: string(m), Label: ui.T(ctx, "means."+string(m))})
		}
	}
	return f
}

// ReadPayOut reads from the form of a pay-out by what means the player is paid: cash, unless
// the bank is to pay somebody whose identity document was seen (bingo:93.14). The enter key
// sends the form by its first button, which is that of cash: not when the bank's part is begun.
func ReadPayOut(v *web.Visit, form *web.Form, o *app.DeskOrder) {
	if o.Means = app.Cash; form.Raw("by") != byBank {
		if form.Raw("reference") != "" {
			form.Wrong("reference", v.T("payout.which"))
		}
		return
	}
	o.Means = app.Means(form.Choice("paid", string(app.Cheque), string(app.Transfer)))
	if o.Document = form.Raw("seen"); o.Document == "" {
		form.Wrong("seen", v.T("violation.document_missing"))
	}
	o.Reference = form.Text("reference", app.MaxReference)
}
