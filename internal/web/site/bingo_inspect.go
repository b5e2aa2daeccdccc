package site

import (
	"cmp"

	"boulier/internal/print"
	"boulier/internal/web"
)

// bingoSheetHead begins a paper of the bingo: whose it is, what it is of, made when, and the
// signed checkpoint that covers it (std:26).
func (s *Site) bingoSheetHead(v *web.Visit, title string, lines [][2]string) (print.Sheet, error) {
	settings, err := s.Ground.Settings(v.Context())
	if err != nil {
		return print.Sheet{}, err
	}
	if _, err := s.Ground.CheckpointNow(v.Context()); err != nil {
		return print.Sheet{}, err
	}
	head, _, err := s.inspection.Head(v.Context())
	if err != nil {
		return print.Sheet{}, err
	}
	operator := cmp.Or(settings.Operator, v.T("brand.name"))
	if settings.Address != "" {
		operator += ", " + settings.Address
	}
	all := append([][2]string{{v.T("statement.operator"), operator}}, lines...)
	all = append(all, [2]string{v.T("statement.made"), v.Words.Moment(v.Now())},
		[2]string{v.T("statement.checkpoint"), v.T("statement.checkpoint.value", "Size", v.Words.Count(head.Size), "Root", head.Root.String())},
		[2]string{v.T("footer.key"), s.Ground.Sealer.Fingerprint()})
	return print.Sheet{Head: print.Head{Title: title, Lines: all}, Made: v.Now(), Nothing: v.T("report.nothing")}, nil
}
