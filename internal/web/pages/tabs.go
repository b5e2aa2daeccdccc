package pages

import (
	"strings"

	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// InspectTabs are the sides of the inspection.
func InspectTabs(v *web.Visit) []ui.Link {
	var out []ui.Link
	for _, l := range []struct{ href, key string }{{"/inspect", "inspect.latest"}, {"/inspect/streams", "inspect.streams"},
		{"/inspect/accounts", "inspect.accounts"}, {"/inspect/issues", "inspect.issues"},
		{"/inspect/bingo", "bingo.title"}, {"/manage/days", "day.title"}} {
		here := v.Request().URL.Path
		current := here == l.href || here+"s" == l.href || l.href == "/inspect/bingo" && strings.HasPrefix(here, l.href)
		out = append(out, ui.Link{Href: l.href, Label: v.T(l.key), Current: current})
	}
	return out
}
