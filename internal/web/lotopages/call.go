package lotopages

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/qrscan"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// showCaller is the caller's page.
func (s *Section) showCaller(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	return s.callerAgain(http.StatusOK, d)
}

// callerAgain shows the caller's page; how many sold cards have won is told here only, and
// only if the organizer wants it.
func (s *Section) callerAgain(status int, d lotoVisit, notices ...ui.Notice) error {
	winning := -1
	if d.Session.Plan.Unclaimed {
		var err error
		if winning, err = s.Loto.Winning(d.Context(), d.LotoDay); err != nil {
			return err
		}
	}
	name, err := s.Ground.NameOf(d.Context(), d.Session.Caller)
	if err != nil {
		return err
	}
	return d.ShowStatus(status, d.view(d.T("loto.caller"), true), callerBody(d, callerView{
		Mine: d.Session.Caller == d.Person.ID, Caller: name, Winning: winning, Notices: notices}))
}

// A callerView is what the caller's page needs besides the day.
type callerView struct {
	Mine    bool // this person controls the calling
	Caller  string
	Winning int
	Notices []ui.Notice
}

// callerAct does what a key of the caller asks for.
func (s *Section) callerAct(v *web.Visit) error {
	form, d, err := s.lotoForm(v)
	if err != nil {
		return err
	}
	again := func(status int, d lotoVisit, notices ...ui.Notice) error {
		now, err := s.loto(v) // as it is after the refusal
		if err != nil {
			return err
		}
		return s.callerAgain(status, now, notices...)
	}
	var done []ui.Notice
	do, ok := s.callerActs(&done)[v.Path("act")]
	if !ok {
		return web.NotFound
	}
	err = do(v, d, d.act(form), form)
	if !form.OK() {
		return again(http.StatusUnprocessableEntity, d, form.Notice())
	}
	if err == nil && len(done) > 0 {
		return again(http.StatusOK, d, done...)
	}
	return d.asked(err, again, lotoPath(d.ID)+"/call")
}

// whole reads a whole number of a hidden or typed answer; 0 for none.
func whole(form *web.Form, name string) int {
	n, err := strconv.Atoi(form.Raw(name))
	if err != nil {
		return 0
	}
	return n
}

type callerDo func(v *web.Visit, d lotoVisit, a app.LotoAct, form *web.Form) error

// callerActs are what the caller can do, by the last part of the address. What is not seen on
// the page that follows is said in done.
func (s *Section) callerActs(done *[]ui.Notice) map[string]callerDo {
	plain := func(do func(*web.Visit, app.LotoAct) error) callerDo {
		return func(v *web.Visit, _ lotoVisit, a app.LotoAct, _ *web.Form) error { return do(v, a) }
	}
	l := s.Loto
	return map[string]callerDo{
		"control":  plain(func(v *web.Visit, a app.LotoAct) error { return l.TakeControl(v.Context(), a) }),
		"recall":   plain(func(v *web.Visit, a app.LotoAct) error { return l.Recall(v.Context(), a) }),
		"stop":     plain(func(v *web.Visit, a app.LotoAct) error { return l.Stop(v.Context(), a) }),
		"resume":   plain(func(v *web.Visit, a app.LotoAct) error { return l.Resume(v.Context(), a) }),
		"begin":    plain(func(v *web.Visit, a app.LotoAct) error { return l.BeginCheck(v.Context(), a) }),
		"handover": plain(func(v *web.Visit, a app.LotoAct) error { return l.HandOver(v.Context(), a) }),
		"continue": plain(func(v *web.Visit, a app.LotoAct) error { return l.Continue(v.Context(), a) }),
		"round": func(v *web.Visit, _ lotoVisit, a app.LotoAct, f *web.Form) error {
			return l.OpenRound(v.Context(), a, whole(f, "round"))
		},
		"next": func(v *web.Visit, _ lotoVisit, a app.LotoAct, f *web.Form) error {
			return l.CallNext(v.Context(), a, whole(f, "seen"))
		},
		"typed": func(v *web.Visit, _ lotoVisit, a app.LotoAct, f *web.Form) error {
			b := f.Count("ball", 1, 90)
			if !f.OK() {
				return nil
			}
			return l.CallTyped(v.Context(), a, ninety.Ball(b), whole(f, "seen"))
		},
		"repeat": func(v *web.Visit, _ lotoVisit, a app.LotoAct, f *web.Form) error {
			return l.Repeat(v.Context(), a, ninety.Ball(whole(f, "was")), f.Raw("reason"))
		},
		"correct": func(v *web.Visit, _ lotoVisit, a app.LotoAct, f *web.Form) error {
			b := int64(0)
			if f.Raw("ball") != "" {
				b = f.Count("ball", 1, 90)
			}
			if !f.OK() {
				return nil
			}
			return l.Correct(v.Context(), a, ninety.Ball(whole(f, "was")), ninety.Ball(b), f.Raw("reason"))
		},
		"claim": s.callerClaim,
		"check": func(v *web.Visit, _ lotoVisit, a app.LotoAct, f *web.Form) error {
			return l.Check(v.Context(), a, whole(f, "claim"), f.Raw("vouch"))
		},
		"share": func(v *web.Visit, _ lotoVisit, a app.LotoAct, f *web.Form) error {
			return l.Answer(v.Context(), a, f.Raw("agreed") == "yes")
		},
		"token": func(v *web.Visit, d lotoVisit, a app.LotoAct, f *web.Form) error {
			b := int64(0)
			if r, _, ok := d.Session.Current(); ok && r.Cage {
				b = f.Count("ball", 1, 90)
			}
			if !f.OK() {
				return nil
			}
			return l.DrawToken(v.Context(), a, ninety.Ball(b), whole(f, "drawn"))
		},
		"close": func(v *web.Visit, _ lotoVisit, a app.LotoAct, f *web.Form) error {
			return l.CloseRound(v.Context(), a, f.Raw("reason"))
		},
		"rest": func(v *web.Visit, _ lotoVisit, a app.LotoAct, f *web.Form) error {
			title, minutes := f.Text("title", 60), f.Count("minutes", 1, 600)
			if !f.OK() {
				return nil
			}
			return l.Rest(v.Context(), a, title, time.Duration(minutes)*time.Minute)
		},
		"dispute": func(v *web.Visit, _ lotoVisit, a app.LotoAct, f *web.Form) error {
			question, decision := f.Text("question", 400), f.Text("decision", 400)
			if !f.OK() {
				return nil
			}
			*done = []ui.Notice{{Tone: ui.Success, Title: v.T("loto.dispute.done"), Text: decision}}
			return l.Decide(v.Context(), a, question, decision)
		},
		"exclude": func(v *web.Visit, _ lotoVisit, a app.LotoAct, f *web.Form) error {
			cards, reason := f.Text("card", 200), f.Text("reason", 200)
			desk := f.Count("desk", 1, int64(app.MaxDesks))
			if !f.OK() {
				return nil
			}
			refund, err := l.Exclude(v.Context(), app.Exclusion{LotoAct: a, Cards: strings.FieldsFunc(cards, func(r rune) bool {
				return r == ' ' || r == ',' || r == ';'
			}), Desk: app.DeskID(desk), Reason: reason})
			*done = []ui.Notice{{Tone: ui.Success, Title: v.T("loto.exclude.done", "Amount", v.Words.Amount(refund), "Desk", int(desk)),
				Text: v.T("loto.exclude.done.text")}}
			return err
		},
		"postpone": func(v *web.Visit, _ lotoVisit, a app.LotoAct, f *web.Form) error {
			p := s.postponement(v, f)
			if !f.OK() {
				return nil
			}
			return l.PostponeByCaller(v.Context(), a, p)
		},
	}
}

// callerClaim adds a claim; with nothing typed, the check of those made begins.
func (s *Section) callerClaim(v *web.Visit, d lotoVisit, a app.LotoAct, f *web.Form) error {
	if f.Raw("serial") == "" && len(d.Session.Play.Claims) > 0 {
		return s.Loto.BeginCheck(v.Context(), a)
	}
	c, ok := claimOf(f.Text("serial", 200))
	if !f.OK() {
		return nil
	}
	if !ok {
		return loto.ErrTypedLines.With("%q", f.Raw("serial"))
	}
	return s.Loto.Claim(v.Context(), a, c)
}

// showChecker is the page of a checker on a phone.
func (s *Section) showChecker(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	return s.checkerAgain(http.StatusOK, d, nil)
}

func (s *Section) checkerAgain(status int, d lotoVisit, found *app.LotoLook, notices ...ui.Notice) error {
	return d.ShowStatus(status, d.view(d.T("loto.checker"), false), checkerBody(d, found), notices...)
}

// checkerPhoto looks at the card in a photograph: over plain http a phone has no live camera.
func (s *Section) checkerPhoto(v *web.Visit) error {
	form, files, err := v.Uploads("photo", qrscan.MaxBytes)
	if err != nil {
		return err
	}
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	err = qrscan.ErrNoPhoto
	text := ""
	if len(files) > 0 {
		text, err = qrscan.Read(files[0].Body)
	}
	if err != nil {
		return s.checkerAgain(http.StatusUnprocessableEntity, d, nil, ui.Notice{Tone: ui.Danger,
			Title: v.T("loto.photo.none"), Text: v.T("loto.photo.none.text")})
	}
	return s.checkerLook(d, d.act(form), text)
}

// checkerCode answers with the code in a picture of a live camera, or with nothing.
func (s *Section) checkerCode(v *web.Visit) error {
	_, files, err := v.Uploads("photo", qrscan.MaxBytes)
	if err != nil {
		return err
	}
	text := ""
	if len(files) > 0 {
		if text, err = qrscan.Read(files[0].Body); err != nil {
			text = ""
		}
	}
	return v.Fragment(ui.Text(text))
}

// checkerLook shows a card beside the numbers that are out.
func (s *Section) checkerLook(d lotoVisit, a app.LotoAct, text string) error {
	found, err := s.Loto.Look(d.Context(), a, text)
	if notice, refused := d.Refused(err); refused {
		return s.checkerAgain(http.StatusNotFound, d, nil, notice)
	}
	if err != nil {
		return err
	}
	return s.checkerAgain(http.StatusOK, d, &found)
}

// checkerAct looks at a card, or has it claimed.
func (s *Section) checkerAct(v *web.Visit) error {
	form, d, err := s.lotoForm(v)
	if err != nil {
		return err
	}
	c, ok := claimOf(form.Text("serial", 200))
	if !form.OK() {
		return s.checkerAgain(http.StatusUnprocessableEntity, d, nil, form.Notice())
	}
	if !ok {
		err = loto.ErrTypedLines.With("%q", form.Raw("serial"))
	} else if form.Raw("do") == "claim" {
		err = s.Loto.Claim(v.Context(), d.act(form), c)
	}
	again := func(status int, d lotoVisit, notices ...ui.Notice) error {
		return s.checkerAgain(status, d, nil, notices...)
	}
	if err != nil || form.Raw("do") == "claim" {
		return d.asked(err, again, lotoPath(d.ID)+"/check")
	}
	return s.checkerLook(d, d.act(form), c.Serial)
}
