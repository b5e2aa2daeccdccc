//go:build !race

package server_test

import (
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"boulier/internal/app"
	"boulier/internal/games"
	"boulier/internal/server"
	"boulier/internal/web/webtest"
	"boulier/ledger"
	"boulier/money"
	"boulier/regs/regstest"
)

func init() { runAll = webtest.Run }

// A table is a player at a browser, and the real server of the house.
type table struct {
	*webtest.Tab
	t      *testing.T
	config server.Config
	server *process
	game   string // address
}

// sit puts the first buyer at the word game, with the whole block of the program.
func sit(t *testing.T) *table {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := server.Config{Data: t.TempDir(), Listen: free.Addr().String()}
	free.Close() // for the servers that follow each other
	_, text, err := games.Read("mots-croises")
	if err != nil {
		t.Fatal(err)
	}
	issue := prepare(t, c, 1, string(text))
	p := &table{Tab: webtest.Open(t), t: t, config: c, server: serve(t, c)}
	p.game = p.server.url + "/instant/" + strconv.FormatInt(int64(issue), 10)
	p.View(360, "light", true)
	p.Visit(p.server.url + "/signin?next=/")
	p.script(`document.querySelector("[name=name]").value = "` + buyerName(0) + `";
		document.querySelector("[name=password]").value = "` + password + `"; document.querySelector(".form .button").click()`)
	p.WaitFor(`document.querySelector(".balance")`)
	p.Ready()
	return p
}

func (p *table) script(text string) { p.Do(chromedp.Evaluate[chromedp.Void](text)) }

// play presses « Jouez » and returns the path of the unit.
func (p *table) play() string {
	p.Visit(p.game)
	p.script(`document.querySelector("#issue form > .actions .button").click()`)
	p.WaitFor(`location.pathname.startsWith("/units/")`)
	p.Ready()
	return p.Text(`location.pathname`)
}

// next is the next zone that may be scratched.
const next = `document.querySelector("scratch-zone:not([data-locked]) .zone-cover")`

// whole says that the unit has ended.
const whole = `document.querySelector(".result-won, .result-lost")`

// scratch opens the next zone, and reports false if there is none.
func (p *table) scratch(open int) bool {
	if p.Text(`!!`+next) != "true" {
		return false
	}
	p.script(next + `.click()`)
	p.WaitFor(`document.querySelectorAll("scratch-zone[data-open]").length > ` + strconv.Itoa(open) + ` || ` + whole)
	return true
}

// network cuts the network of the tab, or mends it.
func (p *table) network(there bool) {
	var rules network.EmulateNetworkConditionsByRuleParams
	rules.MatchedNetworkConditions = []*network.Conditions{}
	if !there {
		rules.MatchedNetworkConditions = []*network.Conditions{{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}}
	}
	if _, err := chromedp.Call(p.Context(), network.EmulateNetworkConditionsByRule, rules); err != nil {
		p.t.Fatal(err)
	}
}

// refused touches the next zone while nobody answers: the page says so and shows nothing.
func (p *table) refused(open int) {
	p.script(next + `.click()`)
	p.WaitFor(`document.querySelector("[data-again]")`)
	if n := p.Text(`document.querySelectorAll("scratch-zone[data-open]").length`); n != strconv.Itoa(open) {
		p.t.Errorf("with nobody to answer %s zones are open, %d were", n, open)
	}
}

// TestArt4_4_InterruptedAtEveryStepHeavy plays units of the real program in a real browser
// and interrupts each at every step, from the stake to the last letter: the server is killed,
// the network is cut, the page is left. Play goes on where it was or is found whole in the
// history, every unit is charged once, and the balance is right to the cent.
func TestArt4_4_InterruptedAtEveryStepHeavy(t *testing.T) {
	regstest.Covers(t, "instant:4.4.stake", "instant:4.4.interrupted", "std:18", "std:41", "std:53")
	p := sit(t)
	units := []string{p.killedAndCut()}
	units = append(units, p.leftAtEachStep()...)
	units = p.killedAtTheStake(units)
	p.server.stop(t)

	s, _ := stored(t, p.config)
	person, err := s.PersonBySignIn(t.Context(), buyerName(0))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Units(t.Context(), person.ID, app.Cursor{}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	balance := money.Cents(1_000_000_00)
	for i, row := range rows {
		balance += row.Prize - 200
		if at := "/units/" + (app.UnitRef{Block: app.BlockID(row.Block), Number: row.Number}).String(); i >= len(units) || at != units[len(units)-1-i] {
			t.Errorf("stored unit %d is %s, seen were %v", i, at, units)
		}
	}
	own, err := s.Account(t.Context(), ledger.Path("player:"+person.ID.String()))
	if err != nil || money.Cents(own.Balance) != balance || len(rows) != len(units) {
		t.Errorf("%d units, %d were seen; the account holds %d, %d is right (%v)", len(rows), len(units), own.Balance, balance, err)
	}
	t.Logf("%d units were interrupted, each charged once", len(units))
}

// killedAndCut plays one unit: before each zone the server is killed, or the network cut.
func (p *table) killedAndCut() string {
	unit := p.play()
	for open := 0; p.Text(`!!`+next) == "true"; open++ {
		if open%2 == 0 {
			p.server.kill(p.t)
			p.WaitFor(`!document.querySelector("[data-lost]").hidden`)
			p.refused(open)
			p.server = serve(p.t, p.config)
			p.WaitFor(`document.querySelector("[data-lost]").hidden`)
		} else {
			p.network(false)
			p.refused(open)
			p.network(true)
			p.script(`document.querySelector("[data-again]")?.click()`)
		}
		p.WaitFor(`!document.querySelector("[data-again]")`)
		p.scratch(open)
	}
	p.WaitFor(whole)
	p.found(unit)
	return unit
}

// found fails the test unless the unit is the last of the history, whole and as it was.
func (p *table) found(unit string) {
	p.Visit(p.server.url + "/history")
	if first := p.Text(`document.querySelector("tbody a").getAttribute("href")`); first != unit {
		p.t.Errorf("the history begins with %s, want %s", first, unit)
	}
	p.Visit(p.server.url + unit)
	if got := p.Text(`[!!document.querySelector(".replay"), !!` + whole + `, !` + next + `,
		document.querySelectorAll(".rack .letter").length]`); got != "true,true,true,7" {
		p.t.Errorf("%s is shown again as %s", unit, got)
	}
}

// leftAtEachStep buys units and closes the page of each at a later step, up to the last.
func (p *table) leftAtEachStep() (units []string) {
	for step, last := 0, false; !last; step++ {
		unit := p.play()
		for open := range step {
			if !p.scratch(open) {
				break
			}
		}
		last = step > 7 && p.Text(`!!`+next) != "true" // the rack and all its letters
		p.Do(chromedp.Navigate("about:blank"))
		p.found(unit)
		units = append(units, unit)
	}
	return units
}

// killedAtTheStake presses « Jouez » and kills the server at whatever point of the sale. A
// stake that was taken has its unit in the history, whole; one that was not has none. It
// returns the units, those before it first.
func (p *table) killedAtTheStake(units []string) []string {
	before := len(units)
	for range 8 {
		p.Visit(p.game)
		p.script(`document.querySelector("#issue form > .actions .button").click()`)
		time.Sleep(rand.N(60 * time.Millisecond))
		p.server.kill(p.t)
		p.server = serve(p.t, p.config)
		p.Visit(p.server.url + "/history")
		if first := p.Text(`document.querySelector("tbody a").getAttribute("href")`); first != units[len(units)-1] {
			units = append(units, first)
			p.found(first)
		}
	}
	p.t.Logf("killed at the stake 8 times: %d stakes were taken", len(units)-before)
	return units
}
