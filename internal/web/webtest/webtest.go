//go:build unix

// Package webtest looks at pages in a real Chromium, as people do: by mouse, touch and
// keyboard, at the widths and in the themes of the product, and with axe-core. A test
// fails, and is never skipped, where Chromium or axe-core is missing.
package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Widths are those at which every screen is looked at, in CSS pixels: a phone, a desk, a
// hall.
var Widths = []int64{360, 1280, 1920}

// Themes are those in which every screen is looked at.
var Themes = []string{"light", "dark"}

// patience bounds each step: a busy machine is slow, a broken page is for ever.
const patience = 60 * time.Second

var (
	start   sync.Once
	browser context.Context
	stop    = func() {}
	failure error
)

// Run runs the tests of a package and ends its Chromium: TestMain calls
// os.Exit(webtest.Run(m)).
func Run(m *testing.M) int {
	code := m.Run()
	stop()
	return code
}

// launch starts the one Chromium of a test binary.
func launch() {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		failure = fmt.Errorf("no chromium on this machine: install the package chromium")
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox, // root in a container has no other way
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("hide-scrollbars", true),
		// A name that is not this machine's own is no secure context on plain http, as
		// in a hall: pages must work there too.
		chromedp.Flag("host-resolver-rules", "MAP hall.test 127.0.0.1"),
	)
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, endBrowser := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		failure = fmt.Errorf("start chromium: %w", err)
	}
	browser = ctx
	stop = func() {
		endBrowser()
		endAllocator()
	}
}

// A Tab is a tab of its own cookies.
type Tab struct {
	t    testing.TB
	ctx  context.Context
	view view
}

// view is how a page is seen.
type view struct {
	width int64 // 0 before the first View
	theme string
	still bool // motion is reduced
}

// Open opens a tab that is closed at the end of the test.
func Open(t testing.TB) *Tab {
	t.Helper()
	start.Do(launch)
	if failure != nil {
		t.Fatal(failure)
	}
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		t.Fatalf("open a tab: %v", err)
	}
	t.Cleanup(cancel)
	return &Tab{t: t, ctx: ctx}
}

// Context is the tab's, for actions of chromedp that Tab does not offer.
func (b *Tab) Context() context.Context { return b.ctx }

// Do runs actions within the patience of the package.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("chromium: %v", err)
	}
}

// Visit opens a page and waits until its modules have run and its fonts are there.
func (b *Tab) Visit(url string) {
	b.t.Helper()
	b.Do(chromedp.Navigate(url))
	b.Ready()
}

// Ready waits until the page's modules have run and its fonts are there.
func (b *Tab) Ready() {
	b.t.Helper()
	b.WaitFor(`document.documentElement.dataset.ready !== undefined && document.fonts.status === "loaded"`)
}

// WaitFor waits until a JavaScript expression is true.
func (b *Tab) WaitFor(expression string) {
	b.t.Helper()
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		cancel()
		if err == nil && ok {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.t.Fatalf("chromium: never true: %s", expression)
}

// Text evaluates a JavaScript expression that gives a text.
func (b *Tab) Text(expression string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	s, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String("+expression+")"))
	if err != nil {
		b.t.Fatalf("chromium: %s: %v", expression, err)
	}
	return s
}

// Weight gives what came over the wire for the page that is open, in bytes: its fonts, and
// all the rest.
func (b *Tab) Weight() (fonts, rest int) {
	b.t.Helper()
	got := b.Text(`(() => { const all = [...performance.getEntriesByType("navigation"),
		...performance.getEntriesByType("resource")];
		const sum = (list) => list.reduce((n, e) => n + e.transferSize, 0);
		const fonts = sum(all.filter((e) => e.name.endsWith(".woff2")));
		return fonts + " " + (sum(all) - fonts); })()`)
	if _, err := fmt.Sscan(got, &fonts, &rest); err != nil {
		b.t.Fatalf("chromium: a weight of %q: %v", got, err)
	}
	return fonts, rest
}

// Await evaluates a JavaScript expression that gives a promise of a text.
func (b *Tab) Await(expression string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	s, err := chromedp.Run(ctx, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("chromium: %v", err)
	}
	return s
}

// View sets the width of the page, the theme of the system and whether motion is
// reduced.
func (b *Tab) View(width int64, theme string, still bool) {
	b.t.Helper()
	b.view = view{width, theme, still}
	height := int64(800)
	if width >= 1920 {
		height = 1080
	}
	motion := "no-preference"
	if still {
		motion = "reduce"
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: theme},
		{Name: "prefers-reduced-motion", Value: motion},
	}}
	b.Do(chromedp.EmulateViewport(width, height))
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, media); err != nil {
		b.t.Fatalf("chromium: %v", err)
	}
}

// Look looks at the page as it is: at each width it fits the window, and axe-core finds
// nothing on a phone in light and in a hall in dark. Where pictures are asked for, there is
// one of each width in each theme. The view is then as it was.
func (b *Tab) Look(name string) {
	b.t.Helper()
	was := b.view
	for _, theme := range Themes {
		for _, width := range Widths {
			// Whether a page fits does not depend on the theme.
			seen := (theme == "dark") == (width == 1920)
			if !seen && os.Getenv("BOULIER_SHOTS") == "" {
				continue
			}
			b.View(width, theme, true)
			if seen {
				b.Fits()
			}
			if seen && width != 1280 {
				b.Axe()
			}
			b.Shot(name + "-" + theme + "-" + strconv.FormatInt(width, 10))
		}
	}
	if was.width != 0 {
		b.View(was.width, was.theme, was.still)
	}
}

// Shot keeps a picture of the whole page, when BOULIER_SHOTS names a folder; it is for
// eyes, so a test does not compare it.
func (b *Tab) Shot(name string) {
	b.t.Helper()
	dir := os.Getenv("BOULIER_SHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatalf("chromium: %v", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// Axe runs axe-core on the page as it is, and fails the test for each thing it finds.
func (b *Tab) Axe() {
	b.t.Helper()
	source, err := os.ReadFile(filepath.Join(Checks(b.t), "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		b.t.Fatal(err)
	}
	if b.Text(`typeof window.axe`) == "undefined" {
		b.Do(chromedp.Evaluate[chromedp.Void](string(source)))
	}
	raw := b.Await(`axe.run(document, {resultTypes: ["violations"], runOnly: ["wcag2a",
		"wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then(r => JSON.stringify(
		r.violations.map(v => ({id: v.id, help: v.help,
			nodes: v.nodes.map(n => n.html.slice(0, 200) + " | " + n.failureSummary)}))))`)
	var found []struct {
		ID    string   `json:"id"`
		Help  string   `json:"help"`
		Nodes []string `json:"nodes"`
	}
	if err := json.Unmarshal([]byte(raw), &found); err != nil {
		b.t.Fatal(err)
	}
	for _, f := range found {
		b.t.Errorf("axe: %s: %s\n  %s", f.ID, f.Help, strings.Join(f.Nodes, "\n  "))
	}
}

// Fits fails the test when the page is wider than the window, so that a phone would have
// to scroll sideways.
func (b *Tab) Fits() {
	b.t.Helper()
	if over := b.Text(`document.documentElement.scrollWidth - document.documentElement.clientWidth`); over != "0" {
		b.t.Errorf("the page is %s px wider than the window: %s", over, b.Text(`
			[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right >
			document.documentElement.clientWidth + 1).slice(0, 5).map(e => e.tagName + "." + e.className).join(", ")`))
	}
}

// Checks returns the folder of the tools that tests take from npm, installed as its
// lockfile says. Test binaries that run together wait for each other.
func Checks(t testing.TB) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Join(filepath.Dir(file), "..", "check")
	lock, err := os.OpenFile(filepath.Join(dir, "package.json"), os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json")); err == nil {
		return dir
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci in %s: %v\n%s", dir, err, out)
	}
	return dir
}
