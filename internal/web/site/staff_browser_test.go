//go:build !race

package site_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/web/webtest"
)

// enter signs a tab in, by its form.
func (h *staffHouse) enter(t *testing.T, name string) *webtest.Tab {
	t.Helper()
	tab := webtest.Open(t)
	tab.View(1280, "light", true)
	tab.Visit(h.url + "/signin")
	tab.Do(chromedp.Evaluate[chromedp.Void](`document.cookie = "boulier_language=fr; path=/"`))
	tab.Do(chromedp.Focus(chromedp.CSS("input[name=name]")), chromedp.KeyEvent(name+kb.Tab+password+kb.Enter))
	tab.WaitFor(`document.querySelector("[action='/signout']")`)
	tab.Ready()
	return tab
}

// keys types at whatever has the focus, then waits for a page of this title whose focus is
// where it must be for the next word.
func keys(tab *webtest.Tab, typed, title, focus string) {
	tab.Do(chromedp.KeyEvent(typed))
	tab.WaitFor(`document.querySelector("h1")?.textContent.includes("` + title + `")`)
	tab.Ready()
	tab.WaitFor(`document.activeElement?.matches('` + focus + `')`)
}

// TestDesk_ByKeyboardAlone is a cashier's morning without a mouse: open the drawer, find a
// player, load, pay out, undo, close. Each page puts the cursor where the next word goes.
func TestDesk_ByKeyboardAlone(t *testing.T) {
	t.Parallel()
	h := newStaffHouse(t)
	tab := h.enter(t, "carla")
	const search, next = "[name=name]", "a.button[autofocus]"
	keys(tab, "", "Ouvrir un tiroir", "[name=float]")
	keys(tab, "20"+kb.Enter, "La caisse", search)
	keys(tab, "anne"+kb.Enter, "anne", "[name=load]")
	keys(tab, "15"+kb.Enter, "Compte crédité", next)
	keys(tab, kb.Enter, "La caisse", search)
	keys(tab, "anne"+kb.Enter, "anne", "[name=load]")
	// From the amount of the load to the one of the pay-out: means, document, button.
	keys(tab, strings.Repeat(kb.Tab, 4)+"5,50"+kb.Enter, "Rendez", next)
	if got := h.Shown(h.people["anne"]); got != 9_50 {
		t.Errorf("anne has %s after a load of 15.00 and a pay-out of 5.50", got)
	}
	keys(tab, kb.Enter, "La caisse", search)
	// From the search: its button, three links, then the undo, which asks first. « Close
	// without changing anything » has the focus; what cannot be undone is before it.
	keys(tab, strings.Repeat(kb.Tab, 5)+kb.Enter, "La caisse", "dialog[open] .quiet")
	tab.Shot("desk-undo-dialog")
	tab.Axe()
	tab.Do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(kb.ModifierShift)))
	keys(tab, kb.Enter, "Opération annulée", next)
	if got := h.Shown(h.people["anne"]); got != 15_00 {
		t.Errorf("anne has %s after the undo", got)
	}
	keys(tab, kb.Enter, "La caisse", search)
	keys(tab, strings.Repeat(kb.Tab, 3)+kb.Enter, "Fermer le tiroir", "[name=cash]")
	keys(tab, "35"+kb.Tab+"0"+kb.Tab+"0"+kb.Enter, "Tiroir fermé", "body")
	tab.WaitFor(`document.querySelector("main").textContent.includes("juste")`)
	h.Square()
}

// TestStaffPages_AtEveryWidthAndTheme looks at every page of work as people will.
func TestStaffPages_AtEveryWidthAndTheme(t *testing.T) {
	t.Parallel()
	h := newStaffHouse(t)
	issue := h.OnSale(h.people["manon"], strings.Replace(apptest.SmallGame, "kind =", "note = \"reconstruction, non officielle\"\nkind =", 1))
	done := h.OnSale(h.people["manon"], apptest.SmallGame)
	h.Give(h.people["anne"], 100_00)
	for range 5 {
		buyFor(t, h, issue)
		buyFor(t, h, done)
	}
	if err := h.Instant.CloseIssue(t.Context(), app.IssueOrder{Request: app.NewRequestID(), By: h.people["manon"], Issue: done}); err != nil {
		t.Fatal(err)
	}
	h.morning(t)
	for _, who := range []struct {
		name  string
		pages []string
	}{
		{"carla", []string{"/desk", "/desk/players/5", "/desk/receipts/1/2", "/desk/close", "/desk/new", "/desk/players/5/password", "/desk/find?name=nobody"}},
		{"manon", []string{"/manage", "/manage/games/new", "/manage/games/1", "/manage/issues/1", "/manage/issues/2", "/manage/days", "/manage/days?day=2026-01-01"}},
		{"ada", []string{"/admin", "/admin/staff/new", "/admin/staff/3", "/admin/play", "/admin/keys", "/admin/backups", "/admin/settings"}},
		{"ines", []string{"/inspect", "/inspect/streams", "/inspect/stream?name=desk/1", "/inspect/accounts", "/inspect/account?path=player:5", "/manage/issues/1?given=1", "/inspect/issues"}},
	} {
		tab := h.enter(t, who.name)
		for _, page := range who.pages {
			tab.Visit(h.url + page)
			tab.Look(who.name + plain.Replace(page))
		}
	}
}

// plain makes the name of a file of an address.
var plain = strings.NewReplacer("/", "_", "?", "_", "=", "_", ":", "_")

// morning leaves something to look at: a drawer with entries, a copy, a suspension.
func (h *staffHouse) morning(t *testing.T) {
	t.Helper()
	ctx, carla, anne := t.Context(), h.people["carla"], h.people["anne"]
	office := app.NewOffice(h.Ground, h.Vault, copied)
	for _, err := range []error{
		h.Desk.Open(ctx, app.DrawerOpening{Request: app.NewRequestID(), Cashier: carla, Desk: 1, Float: 50_00}),
		second(h.Desk.Load(ctx, app.DeskOrder{Request: app.NewRequestID(), Cashier: carla, Player: anne, Means: app.Cash, Amount: 20_00})),
		second(h.Desk.Load(ctx, app.DeskOrder{Request: app.NewRequestID(), Cashier: carla, Player: anne, Means: app.Cheque,
			Document: "passport", Amount: 1234_50})),
		office.ChangeSettings(ctx, app.SettingsChange{Request: app.NewRequestID(), By: h.people["ada"],
			Settings: app.Settings{Operator: "Amicale laïque de Saint-Rémy", Address: "4 place de la Mairie", Desks: 2}}),
		office.Switch(ctx, app.Switching{Request: app.NewRequestID(), By: h.people["ada"], Target: app.PlayerTarget(anne),
			Off: true, Reason: "Réclamation en cours d’examen"}),
		second(office.Backup(ctx, app.Order{Request: app.NewRequestID(), By: h.people["ada"]})),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	h.Clock.Move(time.Minute)
}

func second[T any](_ T, err error) error { return err }
