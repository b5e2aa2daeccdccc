//go:build !race

package site_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"rsc.io/qr"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/web/webtest"
	"boulier/regs/regstest"
)

// whole fails the test unless the screen of the hall shows everything in its window.
func whole(t *testing.T, hall *webtest.Tab) {
	t.Helper()
	for _, width := range []int64{1280, 1920} {
		hall.View(width, "light", true)
		if over := hall.Text(`Math.max(document.documentElement.scrollHeight - innerHeight, 0)`); over != "0" {
			t.Errorf("at %d the hall is %s px higher than its window", width, over)
		}
		if cut := hall.Text(`[...document.querySelectorAll(".board li")].filter((c) => c.getBoundingClientRect().bottom > innerHeight || c.scrollHeight > c.clientHeight + 1).length`); cut != "0" {
			t.Errorf("at %d, %s numbers of the board are cut", width, cut)
		}
		if over := hall.Text(`(() => { const e = document.querySelector(".hall-event"); return e ? e.scrollHeight - e.clientHeight : 0 })()`); over != "0" && over != "1" {
			t.Errorf("at %d, %s px of what happened are cut", width, over)
		}
	}
}

// press presses a key as keyboards do: what the page takes types nothing.
func press(tab *webtest.Tab, key string) {
	tab.Do(chromedp.KeyEvent(key, func(k *input.DispatchKeyEventParams) {
		if k.Type == kb.KeyDown {
			k.Type = kb.KeyRawDown
		}
	}))
}

// shows waits until a page says a text.
func shows(tab *webtest.Tab, text string) {
	tab.WaitFor(`document.querySelector("main").textContent.includes(` + strconv.Quote(text) + `)`)
}

// TestLoto_FourScreens works a desk, the caller by keyboard alone, a checker at the width of
// a phone and the screen of the hall, all at once.
func TestLoto_FourScreens(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:11", "loto:12", "loto:13", "loto:15", "loto:25")
	h := newStaffHouse(t)
	day := h.lotoDay(t)
	h.drawer(t, h.people["carla"], 1)
	for _, at := range []app.PicturePlace{{Round: 1, Prize: 1}, {}} {
		if err := h.Loto.SetPicture(t.Context(), app.LotoAct{Request: app.NewRequestID(), By: h.people["manon"], Day: day}, at, []byte(photograph(t))); err != nil {
			t.Fatal(err)
		}
	}
	desk, caller, checker, hall := h.enter(t, "carla"), h.enter(t, "cali"), h.enter(t, "chloe"), webtest.Open(t)
	at := h.url + "/loto/" + day.String()
	hall.View(1920, "light", true)
	hall.Visit(h.url + "/")
	hall.Do(chromedp.Evaluate[chromedp.Void](`document.cookie = "boulier_language=fr; path=/"`))
	for tab, page := range map[*webtest.Tab]string{desk: "/desk", caller: "/call", checker: "/check", hall: "/screen"} {
		tab.Visit(at + page)
	}
	hall.Look("loto-hall-before")

	// The desk: what, how it is paid.
	for i := range 3 {
		press(desk, "6")
		desk.WaitFor(`document.querySelector("[name=sheet6]").value === "1"`)
		press(desk, "e")
		shows(desk, fmt.Sprintf("Vente %d", i+1))
		desk.WaitFor(`document.querySelector("[name=sheet6]").value === "0"`)
	}
	desk.Look("loto-desk")
	// Others come to the same desk and buy the rest of its piles, cards 19 to 120: the more
	// cards, the sooner one wins.
	rest := slices.Concat(slices.Repeat([]loto.Item{{Unit: loto.SheetOf6}}, 7), slices.Repeat([]loto.Item{{Unit: loto.SheetOf3}}, 10),
		slices.Repeat([]loto.Item{{Unit: loto.OneCard}}, 30))
	_, err := h.Loto.Sell(t.Context(), app.LotoSale{LotoAct: app.LotoAct{Request: app.NewRequestID(), By: h.people["carla"], Day: day},
		Items: rest, Means: app.Cash, Inside: true})
	if err != nil {
		t.Fatal(err)
	}

	// The caller: control, rules, round, numbers; the hall has each with the key.
	caller.Look("loto-caller-control")
	press(caller, " ")
	shows(caller, "Règles rappelées")
	caller.Look("loto-caller-rules")
	press(caller, " ")
	shows(caller, "Annoncer la partie")
	press(caller, " ")
	shows(caller, "Numéro suivant")
	shows(hall, "Tablette")
	d := h.lotoCalls(t, caller, hall, day)

	// A claim from a phone, the check, and the prize.
	winner := h.lotoWinner(t, d)
	press(caller, "q")
	shows(caller, "Code du carton")
	shows(hall, "Quine")
	checker.View(360, "light", true)
	shows(checker, "Annoncer ce carton")
	checker.Visit(at + "/check")
	checker.Do(chromedp.Focus(chromedp.CSS("input[name=serial]")), chromedp.KeyEvent(strings.ToLower(winner.String())))
	checker.Do(chromedp.Click(chromedp.CSS("button[value=look]")))
	shows(checker, "Vendu, tamponné, en jeu")
	checker.Visit(at + "/check")
	checker.Do(chromedp.SetUploadFiles(chromedp.CSS("input[name=photo]"), []string{codeFile(t, winner.String())}))
	shows(checker, "Vendu, tamponné, en jeu")
	checker.Look("loto-checker")
	checker.Visit(at + "/check") // with a camera that sees the code after a while
	checker.Do(chromedp.Evaluate[chromedp.Void](liveCamera(t, winner.String())), chromedp.Click(chromedp.CSS("[data-live-camera]")))
	shows(checker, "Vendu, tamponné, en jeu")
	checker.Do(chromedp.Click(chromedp.CSS("#found-act button")))
	shows(caller, winner.String())
	caller.Do(chromedp.KeyEvent("A-240" + kb.Enter)) // another hand is up
	shows(caller, "A-240")
	caller.Look("loto-caller-claims")
	press(caller, kb.F2)
	shows(hall, "Contrôle en cours")
	shows(caller, "Contrôler "+winner.String())
	press(caller, " ")
	shows(caller, "Carton valable")
	whole(t, hall)
	hall.Look("loto-hall-check")
	press(caller, " ")
	shows(caller, "Lot remis")
	shows(hall, winner.String())
	hall.Look("loto-hall-won")
	caller.Look("loto-caller-won")
	press(caller, " ")
	shows(caller, "Clore la partie")
	press(caller, " ")
	shows(caller, "Annoncer la partie")
	press(caller, "p")
	caller.WaitFor(`document.activeElement?.name === "title" && document.activeElement.value === "Entracte"`)
	caller.Do(chromedp.KeyEvent(kb.Enter))
	shows(hall, "Reprise à")
	shows(caller, "Reprendre")
	hall.Look("loto-hall-pause")
	press(caller, " ")
	shows(caller, "Annoncer la partie")
	press(caller, "m") // where the day is moved to
	caller.WaitFor(`document.activeElement?.name === "date" && document.activeElement.type === "date"`)
	caller.Look("loto-caller-postpone")

	manager := h.signIn(t, "manon")
	says(t, manager.get("/manage/loto/1/report", 200), winner.String(), "Un seul gagnant", "470,00")
	if !strings.HasPrefix(manager.get("/loto/1/rules.pdf", 200), "%PDF") || !strings.HasPrefix(manager.get("/manage/loto/1/report.pdf", 200), "%PDF") {
		t.Error("the rules or the report are no PDF")
	}
	organizer := h.enter(t, "manon")
	for name, page := range map[string]string{"loto-days": "/loto", "loto-plan": "/manage/loto/1", "loto-public": "/loto/1",
		"loto-report": "/manage/loto/1/report", "loto-new": "/manage/loto", "loto-reservations": "/manage/loto/1/reservations",
		"loto-round": "/manage/loto/1/rounds/2", "loto-pictures": "/manage/loto/1/pictures"} {
		organizer.Visit(h.url + page)
		organizer.Look(name)
	}
	code, err := h.Loto.Reserve(context.Background(), app.LotoAct{Request: app.NewRequestID(), By: h.people["manon"], Day: day}, "Le Goff")
	if err != nil {
		t.Fatal(err)
	}
	organizer.Visit(at + "/r/" + code)
	organizer.Look("loto-reservation")
}

// codeFile is a photograph of a QR code on white, as large as a phone takes it.
func codeFile(t *testing.T, text string) string {
	t.Helper()
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		t.Fatal(err)
	}
	code.Scale = 90
	file := filepath.Join(t.TempDir(), "photo.png")
	if err := os.WriteFile(file, code.PNG(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// liveCamera is a script that gives the page a camera: it sees nothing, then the code.
func liveCamera(t *testing.T, text string) string {
	t.Helper()
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		t.Fatal(err)
	}
	code.Scale = 12
	return `navigator.mediaDevices.getUserMedia = async () => {
		const canvas = document.createElement("canvas");
		canvas.width = canvas.height = 600;
		const paint = canvas.getContext("2d");
		const bytes = Uint8Array.from(atob("` + base64.StdEncoding.EncodeToString(code.PNG()) + `"), (c) => c.charCodeAt(0));
		const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
		const began = Date.now();
		setInterval(() => {
			paint.fillStyle = "white";
			paint.fillRect(0, 0, 600, 600);
			if (Date.now() - began > 600) paint.drawImage(picture, 120, 120);
		}, 50);
		return canvas.captureStream(10);
	}`
}

// lotoCalls calls numbers until a sold card has a line, and sees each in the hall.
func (h *staffHouse) lotoCalls(t *testing.T, caller, hall *webtest.Tab, id app.LotoID) app.LotoDay {
	t.Helper()
	for n := 1; ; n++ {
		began := time.Now()
		press(caller, " ")
		hall.WaitFor(`document.querySelector("[data-count]")?.textContent === "` + strconv.Itoa(n) + `"`)
		if n == 3 {
			t.Logf("from the key to the hall: %v, with the waits of this test", time.Since(began))
		}
		d, _, err := h.Loto.Day(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		last := strconv.Itoa(int(d.Session.Play.Calls[n-1]))
		if got := hall.Text(`document.querySelector("[data-last-number]").textContent.trim()`); got != last {
			t.Errorf("number %d: the hall shows %s, called was %s", n, got, last)
		}
		shows(caller, fmt.Sprintf("%d numéro", n))
		if n == 12 {
			whole(t, hall)
			hall.Look("loto-hall-draw")
			caller.Look("loto-caller-draw")
		}
		if winning, err := h.Loto.Winning(t.Context(), d); err != nil || winning > 0 {
			return d
		}
	}
}

// lotoWinner is a sold card that has won.
func (h *staffHouse) lotoWinner(t *testing.T, d app.LotoDay) ninety.Serial {
	t.Helper()
	called := ninety.BallSet{}.With(d.Session.Play.Calls...)
	rows, err := h.Ground.Store.Cards(t.Context(), "A", 0, 120)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(rows, func(r app.CardRow) bool { return loto.StageQuine.Wins(r.Card(), called) })
	if i < 0 {
		t.Fatal("no card has won")
	}
	return rows[i].Serial()
}

// TestLoto_BoardWithoutAServer saves the emergency board and works it from the disk, with no
// server: numbers typed, a card checked, everything there again after a reload.
func TestLoto_BoardWithoutAServer(t *testing.T) {
	t.Parallel()
	h := newStaffHouse(t)
	day := h.lotoDay(t)
	h.drawer(t, h.people["carla"], 1)
	sold, err := h.Loto.Sell(t.Context(), app.LotoSale{LotoAct: app.LotoAct{Request: app.NewRequestID(), By: h.people["carla"], Day: day},
		Items: []loto.Item{{Unit: loto.SheetOf6}}, Means: app.Cash})
	if err != nil {
		t.Fatal(err)
	}
	first := sold.Cards[0].First
	manager := h.signIn(t, "manon")
	if book := manager.get("/manage/loto/1/report.xlsx", 200); !strings.HasPrefix(book, "PK") {
		t.Error("the spreadsheet is none")
	}
	file := filepath.Join(t.TempDir(), "board.html")
	if err := os.WriteFile(file, []byte(manager.get("/manage/loto/1/board.html", 200)), 0o600); err != nil {
		t.Fatal(err)
	}
	row, err := h.Ground.Store.Card(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	tab := webtest.Open(t)
	tab.View(1280, "light", true)
	tab.Visit("file://" + file)
	tab.Do(chromedp.Focus(chromedp.CSS("#call input")))
	for _, b := range row.Face[:5] {
		tab.Do(chromedp.KeyEvent(strconv.Itoa(int(b)) + kb.Enter))
		tab.WaitFor(`document.querySelector("#last").textContent === "` + strconv.Itoa(int(b)) + `"`)
	}
	tab.Do(chromedp.KeyEvent(strconv.Itoa(int(row.Face[0])) + kb.Enter))
	shows(tab, "déjà sorti")
	tab.Do(chromedp.Focus(chromedp.CSS("#check input")), chromedp.KeyEvent(strings.ToLower(first.String())+kb.Enter))
	shows(tab, "1 ligne(s) complète(s) · le dernier numéro en fait partie")
	tab.Look("loto-board-file")
	time.Sleep(time.Second) // the browser writes what a page of the disk keeps behind its back
	tab.Do(chromedp.Reload())
	tab.Ready()
	shows(tab, "5 / 90")
	tab.Do(chromedp.Focus(chromedp.CSS("#check input")), chromedp.KeyEvent("A-239"+kb.Enter))
	shows(tab, "pas parmi ceux vendus")
}
