package pages

import (
	"time"

	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// WithDefault is a question whose answer is proposed while nobody has given one.
func WithDefault(form *web.Form, f ui.Field, value string) ui.Field {
	f = form.Field(f)
	if form == nil {
		f.Value = value
	}
	return f
}

// MinuteLayout is how a browser sends the day and time that somebody chose.
const MinuteLayout = "2006-01-02T15:04"

// Minute reads a day and a time in the zone of the house.
func (h *House) Minute(v *web.Visit, f *web.Form, name string) time.Time {
	t, err := time.ParseInLocation(MinuteLayout, f.Raw(name), h.Ground.Zone)
	if err != nil {
		f.Wrong(name, v.T("form.date"))
	}
	return t
}
