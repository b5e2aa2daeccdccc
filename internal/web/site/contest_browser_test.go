//go:build !race

package site_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/web/webtest"
	"boulier/player"
	"boulier/regs/regstest"
)

// contestOf makes a contest whose legs are all published: scores of two matches, winners,
// names, quiz.
func (h *house) contestOf(t *testing.T, limits ...time.Duration) (manager player.ID) {
	t.Helper()
	ctx := context.Background()
	manager = h.Staff("chef", app.Manager)
	order := func() app.ContestOrder {
		return app.ContestOrder{Request: app.NewRequestID(), By: manager, Contest: 1}
	}
	if _, err := h.Contests.CreateContest(ctx, order(), "Coupe du club", "Le club", contest.DefaultTerms()); err != nil {
		t.Fatal(err)
	}
	at := func(i int) time.Time { return h.Now().Add(limits[i%len(limits)]) }
	scores, winner, names, quiz := contest.NewPlan(contest.LegScores), contest.NewPlan(contest.LegWinner),
		contest.NewPlan(contest.LegNames), contest.NewPlan(contest.LegQuiz)
	for i, sides := range [][2]string{{"Lille", "Brest"}, {"Lens", "Saint-Étienne"}} {
		f := contest.Fixture{Home: sides[0], Away: sides[1], StartsAt: at(i), Limit: at(i)}
		scores.Fixtures, winner.Fixtures = append(scores.Fixtures, f), append(winner.Fixtures, f)
	}
	names.Fixtures = []contest.Fixture{{StartsAt: at(1), Limit: at(1)}}
	for i := range 8 {
		names.List = append(names.List, contest.Name("Coureur "+strconv.Itoa(i+1)))
	}
	quiz.Fixtures = []contest.Fixture{
		{Question: "Qui gagne ?", Points: 3, Offered: []contest.Answer{"Lille", "Brest"}, StartsAt: at(1), Limit: at(1)},
		{Question: "Aux tirs au but ?", Parent: 1, Points: 2, Offered: []contest.Answer{"Oui", "Non"}, StartsAt: at(1), Limit: at(1)}}
	for i, p := range []contest.Plan{scores, winner, names, quiz} {
		p.Title = []string{"Demi-finales", "Vainqueurs", "La course", "Les questions"}[i]
		id, err := h.Contests.AddLeg(ctx, order(), p)
		if err == nil && i == 0 {
			err = h.Contests.Announce(ctx, order(), h.Now())
		}
		if err == nil {
			err = h.Contests.PublishLeg(ctx, app.LegOrder{Request: app.NewRequestID(), By: manager, Leg: id}, h.Now())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return manager
}

// TestSlip_LimitPassesWhileThePageIsOpen fills in a slip on a phone; a limit passes under
// the fingers: the page closes the line, says so, and the other line still goes through.
func TestSlip_LimitPassesWhileThePageIsOpen(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:4.slip")
	h := open(t)
	manager := h.contestOf(t, 4*time.Second, time.Hour)
	who := h.Predictor("camille")
	b := tab(t)
	h.signIn(b, "camille")
	b.Visit(h.url + "/legs/1")
	fill := func(line int, home, away string) {
		n := strconv.Itoa(line)
		run(b, `document.querySelector("[name=line`+n+`h]").value = "`+home+`"; document.querySelector("[name=line`+n+`a]").value = "`+away+`"`)
	}
	fill(0, "2", "1")
	fill(1, "0", "0")
	follow(b, `document.querySelector(".slip-send button").click()`)
	b.WaitFor(`document.querySelector(".slip-in")`)
	b.Fits()
	fill(0, "9", "9")
	fill(1, "1", "1")
	b.WaitFor(`document.querySelector(".slip-over")`)
	b.Shot("slip-passed-light-360")
	h.Clock.Move(5 * time.Second)
	follow(b, `document.querySelector(".slip-send button").click()`)
	b.WaitFor(`document.querySelector(".slip-in")`)
	l, _, err := h.Contests.Leg(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := h.Contests.Slip(t.Context(), l, who, who)
	if err != nil || s.Version != 2 || s.Picks[0] != "2-1" || s.Picks[1] != "1-1" {
		t.Errorf("the house has version %d, %v (%v)", s.Version, s.Picks, err)
	}
	h.afterTheLimit(t, b, manager)
}

// afterTheLimit goes on with the slip 2-1, 1-1: points explained as results come in, a correction
// that shows by itself, and a gift for the nuggets.
func (h *house) afterTheLimit(t *testing.T, b *webtest.Tab, manager player.ID) {
	t.Helper()
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	order := func() app.LegOrder { return app.LegOrder{Request: app.NewRequestID(), By: manager, Leg: 1} }
	enter := func(second contest.Score, reason string) {
		t.Helper()
		must(h.Contests.EnterResults(ctx, order(), []contest.Ending{{Status: contest.Played, Score: contest.Score{Home: 2, Away: 1}},
			{Status: contest.Played, Score: second}}, reason, false))
		must(h.Contests.ProclaimLeg(ctx, order()))
	}
	h.Clock.Move(time.Hour)
	must(app.DoDue(ctx, h.Ground, h.Instant, h.Contests, h.Bingo))
	enter(contest.Score{Home: 2, Away: 2}, "")
	b.Visit(h.url + "/legs/1")
	b.WaitFor(`document.querySelector(".awards") && document.querySelector("#results").innerText.includes("9 points")`)
	b.WaitFor(`document.querySelector(".awards").innerText.includes("Bon résultat (3) et score exact (+2)")`)
	b.Fits()
	enter(contest.Score{Home: 1, Away: 1}, "but refusé") // the page is open: it follows
	b.WaitFor(`document.querySelector("#results").innerText.includes("10 points")`)
	_, err := h.Contests.SetGift(ctx, app.GiftChange{Request: app.NewRequestID(), By: manager,
		Gift: app.ShopGift{Title: "Une écharpe", Price: 5 * contest.Nugget, Stock: 1}})
	must(err)
	h.Clock.Move(16 * 24 * time.Hour)
	must(app.DoDue(ctx, h.Ground, h.Instant, h.Contests, h.Bingo))
	h.signIn(b, "camille")
	b.Visit(h.url + "/shop")
	run(b, `document.querySelector(".offer details").open = true;
		document.querySelector(".offer [name=delivery]").value = "Camille, 1 rue du Bac, Lyon";
		document.querySelector(".offer [name=publish]").checked = true`)
	b.Fits()
	follow(b, `document.querySelector(".offer form .button").click()`)
	b.WaitFor(`document.querySelector("main").innerText.includes("Commande 1 enregistrée")`)
}

// TestContest_PagesAtEveryWidthAndTheme looks at every screen of the contests.
func TestContest_PagesAtEveryWidthAndTheme(t *testing.T) {
	t.Parallel()
	h := open(t)
	manager := h.contestOf(t, time.Hour)
	ctx := context.Background()
	for i, name := range []string{"camille", "dominique"} {
		who := h.Predictor(name)
		for leg, picks := range [][]contest.Pick{{"2-1", "0-0"}, {"1", "N"}} {
			if i == 1 && leg == 0 {
				picks = []contest.Pick{"1-0", "1-2"}
			}
			if _, err := h.Contests.Submit(ctx, app.Submission{Request: app.NewRequestID(), Player: who, Leg: contest.LegID(leg + 1), Picks: picks}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := h.Contests.SetGift(ctx, app.GiftChange{Request: app.NewRequestID(), By: manager,
		Gift: app.ShopGift{Title: "Une écharpe", Text: "Aux couleurs du club.", Price: 5 * contest.Nugget, Stock: 3}}); err != nil {
		t.Fatal(err)
	}
	look := func(b *webtest.Tab, pages [][2]string) {
		for _, page := range pages {
			b.Visit(h.url + page[1])
			b.Look("contest-" + page[0])
		}
	}
	b := tab(t)
	h.signIn(b, "camille")
	look(b, [][2]string{{"home", "/"}, {"slip", "/legs/1"}, {"winner", "/legs/2"}, {"names", "/legs/3"}, {"quiz", "/legs/4"}})
	m := tab(t)
	h.signIn(m, "chef")
	_, err := h.Contests.AddLeg(ctx, app.ContestOrder{Request: app.NewRequestID(), By: manager, Contest: 1},
		func() contest.Plan { p := contest.NewPlan(contest.LegScores); p.Title = "Finale"; return p }())
	if err != nil {
		t.Fatal(err)
	}
	h.Clock.Move(time.Hour)
	if err := app.DoDue(ctx, h.Ground, h.Instant, h.Contests, h.Bingo); err != nil {
		t.Fatal(err)
	}
	played := func(a, b int8) contest.Ending {
		return contest.Ending{Status: contest.Played, Score: contest.Score{Home: a, Away: b}}
	}
	o := app.LegOrder{Request: app.NewRequestID(), By: manager, Leg: 1}
	if err := h.Contests.EnterResults(ctx, o, []contest.Ending{played(2, 1), played(1, 1)}, "", false); err != nil {
		t.Fatal(err)
	}
	o.Request = app.NewRequestID()
	if err := h.Contests.ProclaimLeg(ctx, o); err != nil {
		t.Fatal(err)
	}
	look(b, [][2]string{{"contest", "/contests/1"}, {"results", "/legs/1"}, {"ranking", "/legs/1/ranking"},
		{"slips", "/legs/1/slips"}, {"player", "/legs/1/players/3"}, {"receipt", "/legs/1/receipt"}, {"nuggets", "/nuggets"},
		{"shop", "/shop"}, {"dispute", "/legs/1/dispute"}})
	look(m, [][2]string{{"manage", "/manage/contests"}, {"manage-contest", "/manage/contests/1"}, {"manage-leg", "/manage/legs/1"},
		{"manage-draft", "/manage/legs/5"}, {"manage-gifts", "/manage/gifts"}})
}
