package site

import (
	"boulier/internal/web"
	"boulier/internal/web/instantpages"
	"boulier/internal/web/ui"
)

// allChecks are those of units, closed blocks, rounds of bingo, days of loto and journals.
var allChecks = append([]string{"dayfacts", "dayseries", "dayplan", "daysigned", "daysold", "dayround", "daycage",
	"dayprize", "daysecret", "daydraw", "daycourse", "daycheck", "facts", "planned", "committed", "offered", "witness", "alone", "cards", "prizes",
	"balls", "won", "winners", "ended", "voided", "revealed", "secret", "drawn", "sales",
	"lines", "numbers", "payloads", "blocks", "root", "since"}, instantpages.UnitChecks...)

// mountVerify adds the page of the verifier, which needs nobody.
func (s *Site) mountVerify() {
	s.Shell.Handle("GET /verify", s.verify)
}

// verify shows the page that checks a file in the browser: the file does not leave it.
func (s *Site) verify(v *web.Visit) error {
	return v.Show(ui.View{Title: v.T("verify.title")}, verifyBody(s.Ground.Sealer.VerifierKey()))
}
