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
	f := form.Field(ui.Field{Name: "document", Label: ui.T(ctx, "desk.document"), Hint: ui.T(ctx, "desk.document.hint"),
		Choices: []ui.Choice{{Value: "", Label: ui.T(ctx, "document.none")}}})
	for _, d := range app.Documents {
		f.Choices = append(f.Choices, ui.Choice{Value: d, Label: ui.T(ctx, "document."+d)})
	}
	return f
}
