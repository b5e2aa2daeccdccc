//go:build !race

package web

import (
	"os"
	"testing"

	"boulier/internal/web/webtest"
)

func TestMain(m *testing.M) { os.Exit(webtest.Run(m)) }

// TestPages_AtEveryWidthAndTheme looks at the pages of the shell as people will.
func TestPages_AtEveryWidthAndTheme(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tab := webtest.Open(t)
	for _, page := range []struct{ name, path string }{
		{"style", "/style?accent=instant"},
		{"style-none", "/style"},
		{"style-loto", "/style?accent=loto"},
		{"style-bingo", "/style?accent=bingo"},
		{"style-contest", "/style?accent=contest"},
		{"receipt", "/style/receipt"},
		{"404", "/nowhere"},
		{"500", "/style/problem/500"},
	} {
		tab.Visit(s.url + page.path)
		tab.Look(page.name)
	}
}
