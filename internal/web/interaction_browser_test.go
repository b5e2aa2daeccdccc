//go:build !race

package web

import (
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"boulier/internal/web/static"
	"boulier/internal/web/ui"
	"boulier/internal/web/webtest"
	"boulier/money"
)

// fillExample fills the form of the example but for what the test is about.
const fillExample = `document.querySelector("[name=name]").value = "Camille";
	document.querySelector("[name=amount]").value = "12,50";
	document.querySelector("[name=means]").click();
	document.querySelector("[name=agree]").click();`

// posts counts the forms that arrive, by their request identifier.
type posts struct {
	mu  sync.Mutex
	ids []string
}

func (p *posts) all() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.ids...)
}

// counted serves the shell and notes each form before it is answered, slowly.
func counted(t *testing.T, s http.Handler, wait time.Duration) (*posts, string) {
	t.Helper()
	p := &posts{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/style/example" {
			r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
			if err := r.ParseForm(); err == nil {
				p.mu.Lock()
				p.ids = append(p.ids, r.PostForm.Get("request"))
				p.mu.Unlock()
			}
			time.Sleep(wait)
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return p, server.URL
}

// TestForm_DoubleClickIsSentOnce, in a real browser on a slow network.
func TestForm_DoubleClickIsSentOnce(t *testing.T) {
	t.Parallel()
	s := setup(t, func(c *Config) { c.Hub, c.Identify = nil, nil })
	sent, url := counted(t, s, 300*time.Millisecond)
	tab := webtest.Open(t)
	tab.Visit(url + "/style/example")
	tab.Do(chromedp.Evaluate[chromedp.Void](fillExample),
		chromedp.Evaluate[chromedp.Void](`const b = document.querySelector(".form .button"); b.click(); b.click(); b.click()`))
	tab.WaitFor(`document.querySelector(".notice[data-tone=success]")`)
	if got := sent.all(); len(got) != 1 {
		t.Errorf("%d forms arrived, want 1", len(got))
	}
}

// TestForm_BackAndResubmitSendsTheSameIdentifier, also when the page is made anew.
func TestForm_BackAndResubmitSendsTheSameIdentifier(t *testing.T) {
	t.Parallel()
	s := New(Config{Logger: slog.New(slog.DiscardHandler)})
	var mu sync.Mutex
	var sent []string
	s.Handle("GET /form", func(v *Visit) error {
		return v.Show(ui.View{Title: "form"}, templ.Join(templ.Raw(`<form method="post" action="/send">`),
			ui.Request(), templ.Raw(`<button class="button">buy</button></form>`)))
	})
	s.Handle("POST /send", func(v *Visit) error {
		form, err := v.Form()
		if err != nil {
			return err
		}
		mu.Lock()
		sent = append(sent, form.Request.String())
		mu.Unlock()
		return v.Redirect("/done")
	})
	s.Handle("GET /done", func(v *Visit) error { return v.Show(ui.View{Title: "done"}, ui.Text("done")) })
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	tab := webtest.Open(t)
	tab.Visit(server.URL + "/form")
	for range 2 {
		tab.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".button").click()`))
		tab.WaitFor(`location.pathname === "/done"`)
		tab.Ready()
		tab.Do(chromedp.Evaluate[chromedp.Void](`history.back()`))
		tab.WaitFor(`location.pathname === "/form"`)
		tab.Ready()
	}
	tab.Visit(server.URL + "/form?fresh")
	fresh := tab.Text(`document.querySelector("[name=request]").value`)
	mu.Lock()
	defer mu.Unlock()
	if len(sent) != 2 || sent[0] != sent[1] || sent[0] == fresh {
		t.Errorf("sent %v; a fresh page has %s", sent, fresh)
	}
}

// TestForm_OnPlainHTTPOfAHall: a name that is no secure context, where browsers send no
// Sec-Fetch-Site, and modules, forms and the stream must work all the same.
func TestForm_OnPlainHTTPOfAHall(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tab := webtest.Open(t)
	tab.Visit(strings.Replace(s.url, "127.0.0.1", "hall.test", 1) + "/style/example")
	if got := tab.Text("window.isSecureContext"); got != "false" {
		t.Fatalf("a secure context: %s", got)
	}
	tab.Do(chromedp.Evaluate[chromedp.Void](fillExample),
		chromedp.Evaluate[chromedp.Void](`document.querySelector(".form .button").click()`))
	tab.WaitFor(`document.querySelector(".notice[data-tone=success]")`)
}

func TestTheme_ByKeyboardWithoutReload(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tab := webtest.Open(t)
	tab.View(1280, "light", true)
	tab.Visit(s.url + "/style/example")
	ground := `getComputedStyle(document.body).backgroundColor`
	light := tab.Text(ground)
	tab.Do(chromedp.Evaluate[chromedp.Void](`window.here = 1; document.querySelector("[name=theme]").focus()`), chromedp.KeyEvent(kb.Enter))
	tab.WaitFor(`document.documentElement.dataset.theme === "dark"`)
	if dark := tab.Text(ground); dark == light || tab.Text("window.here") != "1" {
		t.Errorf("ground %s, then %s; reloaded: %s", light, dark, tab.Text("window.here"))
	}
	tab.WaitFor(`fetch("/style/example").then(r => r.text()).then(h => window.kept = h.includes('data-theme="dark"')) && window.kept`)
	tab.Do(chromedp.KeyEvent(kb.Enter))
	tab.WaitFor(`document.documentElement.dataset.theme === "light"`)
	tab.Do(chromedp.Click(chromedp.CSS(`[name=language]`)))
	tab.WaitFor(`document.documentElement.lang === "fr" && window.here === undefined`)
}

func TestDialog_ByKeyboard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tab := webtest.Open(t)
	tab.View(1280, "light", true)
	tab.Visit(s.url + "/style")
	tab.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[commandfor]").focus()`), chromedp.KeyEvent(kb.Enter))
	tab.WaitFor(`document.querySelector("dialog").open`)
	tab.Axe()
	tab.Shot("dialog-light-1280")
	tab.Do(chromedp.KeyEvent(kb.Escape))
	tab.WaitFor(`!document.querySelector("dialog").open && document.activeElement.matches("[commandfor]")`)
}

// TestScratch_ByKeyboard uncovers zone after zone, and hears the end once.
func TestScratch_ByKeyboard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tab := webtest.Open(t)
	tab.View(360, "light", true)
	tab.Visit(s.url + "/style?accent=instant")
	tab.Do(chromedp.Evaluate[chromedp.Void](`window.ends = 0; document.addEventListener("scratch:complete", () => window.ends++)`))
	if covered := tab.Text(`document.querySelector("scratch-card").innerText`); strings.Contains(covered, "1,000") {
		t.Errorf("what is covered can be read: %q", covered)
	}
	tab.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".zone-cover").focus()`))
	for left := 4; left >= 0; left-- {
		tab.Do(chromedp.KeyEvent(kb.Enter))
		tab.WaitFor(`document.querySelectorAll(".zone-cover").length === ` + strconv.Itoa(left))
	}
	if got := tab.Text(`document.querySelector("[data-said]").textContent`); got != "€2.00 €20.00 €5.00 €20.00 €1,000.00" {
		t.Errorf("a screen reader hears %q", got)
	}
	if got := tab.Text("window.ends"); got != "1" {
		t.Errorf("the card ended %s times", got)
	}
	tab.Axe()
	tab.Shot("scratched-light-360")
}

// TestScratch_ByPointer rubs a zone by mouse and another by finger, each move within the
// 50 ms of the design; then uncovers all.
func TestScratch_ByPointer(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tab := webtest.Open(t)
	tab.View(1280, "light", false)
	tab.Visit(s.url + "/style?accent=instant")
	tab.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("scratch-card").scrollIntoView({block: "center"});
		window.slowest = 0;
		for (const c of document.querySelectorAll("scratch-zone canvas"))
			for (const type of ["pointerdown", "pointermove"]) {
				c.addEventListener(type, () => window.began = performance.now(), {capture: true});
				c.addEventListener(type, () => window.slowest = Math.max(window.slowest, performance.now() - window.began));
			}`))
	box := func(zone int) (x, y, w, h float64) {
		for i, side := range []*float64{&x, &y, &w, &h} {
			name := []string{"left", "top", "width", "height"}[i]
			v, err := strconv.ParseFloat(tab.Text(`document.querySelectorAll("scratch-zone")[`+strconv.Itoa(zone)+`].getBoundingClientRect().`+name), 64)
			if err != nil {
				t.Fatal(err)
			}
			*side = v
		}
		return
	}
	x, y, w, h := box(0)
	tab.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x+5, y+5, chromedp.ButtonLeft))
	if hidden := tab.Text(`document.querySelector("scratch-zone .zone-face").getAttribute("aria-hidden")`); hidden != "true" {
		t.Errorf("read before it is uncovered: aria-hidden %s", hidden)
	}
	tab.Shot("scratching-light-1280")
	for i := range 12 {
		px, py := x+5+float64(i%2)*(w-10), y+float64(i)*h/12
		tab.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, px, py, chromedp.ButtonLeft))
	}
	tab.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x+5, y+h-5, chromedp.ButtonLeft))
	tab.WaitFor(`document.querySelector("scratch-zone").open`)
	x, y, w, h = box(1)
	finger := func(kind input.DispatchTouchEventType, px, py float64) {
		p := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{{X: px, Y: py}}}
		if kind == input.DispatchTouchEventTypeTouchEnd {
			p.TouchPoints = []*input.TouchPoint{}
		}
		if _, err := chromedp.Call(tab.Context(), input.DispatchTouchEvent, p); err != nil {
			t.Fatal(err)
		}
	}
	finger(input.DispatchTouchEventTypeTouchStart, x+5, y+5)
	for i := range 12 {
		finger(input.DispatchTouchEventTypeTouchMove, x+5+float64(i%2)*(w-10), y+float64(i)*h/12)
	}
	finger(input.DispatchTouchEventTypeTouchEnd, 0, 0)
	tab.WaitFor(`document.querySelectorAll("scratch-zone")[1].open`)
	slowest, err := strconv.ParseFloat(tab.Text("window.slowest"), 64)
	if err != nil || slowest > 50 || slowest == 0 {
		t.Errorf("the slowest move took %v ms (%v)", slowest, err)
	}
	t.Logf("slowest move: %.1f ms", slowest)
	tab.Do(chromedp.Click(chromedp.CSS(`[data-uncover-all]`)))
	tab.WaitFor(`!document.querySelector(".zone-cover")`)
}

// TestWithoutScripts: pages read, forms post, covered zones say nothing.
func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tab := webtest.Open(t)
	tab.View(360, "light", true)
	off := emulation.SetScriptExecutionDisabledParams{Value: true}
	if _, err := chromedp.Call(tab.Context(), emulation.SetScriptExecutionDisabled, off); err != nil {
		t.Fatal(err)
	}
	tab.Do(chromedp.Navigate(s.url + "/style?accent=instant"))
	if got := tab.Text(`document.querySelector("scratch-card").innerText`); !strings.Contains(got, "Zone 1") || strings.Contains(got, "1,000") {
		t.Errorf("the card says %q", got)
	}
	tab.Shot("noscript-light-360")
	tab.Do(chromedp.Click(chromedp.CSS(`[name=theme]`)))
	tab.WaitFor(`document.documentElement.dataset.theme === "dark"`)
}

// A cable is a listener whose connections can be cut, those of live streams too, which the
// server has forgotten.
type cable struct {
	net.Listener

	mu    sync.Mutex
	conns []net.Conn
}

func (c *cable) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.mu.Lock()
		c.conns = append(c.conns, conn)
		c.mu.Unlock()
	}
	return conn, err
}

func (c *cable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns {
		conn.Close()
	}
	c.conns = nil
}

// TestLive_InTheBrowser follows the balance, loses the connection, says so, comes back
// and takes what it missed; then takes a snapshot over a gap.
func TestLive_InTheBrowser(t *testing.T) {
	t.Parallel()
	s := setup(t, func(c *Config) { c.PerAddress = Limit{Rate: 1000, Burst: 1000} })
	var mu sync.Mutex
	down := false
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		gone := down
		mu.Unlock()
		if gone {
			panic(http.ErrAbortHandler)
		}
		s.ServeHTTP(w, r)
	}))
	cable := &cable{Listener: server.Listener}
	server.Listener = cable
	server.Start()
	t.Cleanup(cable.cut)
	tab := webtest.Open(t)
	tab.View(360, "light", true)
	tab.Visit(server.URL + "/style/example")
	amount := `document.querySelector(".balance live-amount").textContent`
	earn := func(cents string) {
		f := s.facts.add("wallet/9", "balance", `{"cents":`+cents+`}`)
		s.config.Hub.Publish(f.Topic, f.Number, f.Name, f.Data)
	}
	for s.config.Hub.Following("wallet/9") == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	earn("4050")
	tab.WaitFor(amount + ` === "€40.50"`)

	mu.Lock()
	down = true
	mu.Unlock()
	cable.cut()
	tab.WaitFor(`!document.querySelector("[data-lost]").hidden`)
	tab.Axe()
	tab.Shot("lost-light-360")
	earn("5050")
	mu.Lock()
	down = false
	mu.Unlock()
	tab.WaitFor(amount + ` === "€50.50" && document.querySelector("[data-lost]").hidden`)

	// What it missed is no longer kept: the page takes itself anew, without a reload.
	tab.Do(chromedp.Evaluate[chromedp.Void](`window.here = 1`))
	s.facts.fail(ErrSnapshot)
	s.config.Hub.Renew("wallet/9")
	tab.WaitFor(amount + ` === "€38.50" && window.here === 1`)
	earn("6050")
	tab.WaitFor(amount + ` === "€60.50"`)
}

// TestLive_FactsFasterThanPages wants a snapshot while facts overtake each page on its way:
// in the end the page shows the last of them.
func TestLive_FactsFasterThanPages(t *testing.T) {
	t.Parallel()
	var balance, overtakes atomic.Int64
	var facts *memoryFacts
	s := setup(t, func(c *Config) {
		c.PerAddress = Limit{Rate: 1000, Burst: 1000}
		c.Identify = func(*http.Request) (ui.Person, error) {
			number := facts.last("wallet/9") // before the balance, as a page must
			return ui.Person{ID: 9, Name: "Camille", Role: "player",
				Wallet: &ui.Wallet{Balance: money.Cents(balance.Load()), Topic: "wallet/9", Number: number}}, nil
		}
	})
	facts = s.facts
	earn := func() {
		cents := balance.Add(100)
		f := facts.add("wallet/9", "balance", `{"cents":`+strconv.FormatInt(cents, 10)+`}`)
		s.config.Hub.Publish(f.Topic, f.Number, f.Name, f.Data)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept") != "text/html" || overtakes.Add(-1) < 0 {
			s.ServeHTTP(w, r)
			return
		}
		page := httptest.NewRecorder()
		s.ServeHTTP(page, r)
		earn()
		time.Sleep(300 * time.Millisecond) // the fact is there before the page
		maps.Copy(w.Header(), page.Header())
		w.WriteHeader(page.Code)
		page.Body.WriteTo(w)
	}))
	t.Cleanup(server.Close)
	tab := webtest.Open(t)
	tab.View(1280, "light", true)
	tab.Visit(server.URL + "/style/example")
	for s.config.Hub.Following("wallet/9") == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	for _, n := range []int64{1, 4, 5} {
		overtakes.Store(n)
		tab.Do(chromedp.Evaluate[chromedp.Void](`document.dispatchEvent(new CustomEvent("live:want"))`))
		time.Sleep(time.Duration(n)*300*time.Millisecond + 2*time.Second) // then nothing else comes
		if got, want := tab.Text(`document.querySelector(".balance live-amount").textContent`), "€"+money.Cents(balance.Load()).String(); got != want {
			t.Errorf("after %d pages that facts overtook: %s, want %s", n, got, want)
		}
	}
}

// TestFirstPage_DoesNotShift holds the fonts back: nothing may move when they come.
func TestFirstPage_DoesNotShift(t *testing.T) {
	t.Parallel()
	s := setup(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, static.Prefix) && strings.HasSuffix(r.URL.Path, ".woff2") {
			time.Sleep(time.Second)
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(server.CloseClientConnections)
	tab := webtest.Open(t)
	for _, width := range []int64{360, 1280} {
		tab.View(width, "light", true)
		tab.Visit(server.URL + "/style/example?" + strconv.FormatInt(width, 10))
		shift := tab.Await(`new Promise(done => {
			let sum = 0;
			new PerformanceObserver(list => { for (const e of list.getEntries()) sum += e.value })
				.observe({type: "layout-shift", buffered: true});
			setTimeout(() => done(String(sum)), 300);
		})`)
		v, err := strconv.ParseFloat(shift, 64)
		if err != nil || v > 0.02 {
			t.Errorf("%d px: cumulative layout shift %s", width, shift)
		}
		t.Logf("%d px: cumulative layout shift %s", width, shift)
	}
}

// TestReceipt_PrintsOn80mm prints the page as a till does.
func TestReceipt_PrintsOn80mm(t *testing.T) {
	t.Parallel()
	s := setup(t, func(c *Config) { c.Identify = func(*http.Request) (ui.Person, error) { return ui.Person{}, nil } })
	tab := webtest.Open(t)
	tab.Visit(s.url + "/style/receipt")
	pdf, err := chromedp.Run(tab.Context(), chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
	if err != nil {
		t.Fatal(err)
	}
	boxes := regexp.MustCompile(`/MediaBox \[0 0 [0-9.]+ [0-9.]+\]`).FindAllString(string(pdf), -1)
	// 80 mm are 226.8 points, which Chromium rounds.
	if len(boxes) != 1 || !regexp.MustCompile(`\[0 0 22[67]`).MatchString(boxes[0]) {
		t.Errorf("printed on %q, want one page 80 mm wide", boxes)
	}
}
