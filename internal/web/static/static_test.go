package static

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func get(t *testing.T, url, accept string) *http.Response {
	t.Helper()
	r := httptest.NewRequest("GET", url, nil)
	r.Header.Set("Accept-Encoding", accept)
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func TestHandler_KeepsThisVersionForEver(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, url, accept    string
		status               int
		kind, cache, packing string
	}{
		{"style sheet, packed", URL("boulier.css"), "br, gzip", 200, "text/css; charset=utf-8", "public, max-age=31536000, immutable", "gzip"},
		{"module, plain", URL("js/app.js"), "", 200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", ""},
		{"gzip refused", URL("js/app.js"), "gzip;q=0", 200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", ""},
		{"font is never packed twice", URL("fonts/bricolage-grotesque-latin-wght-normal.woff2"), "gzip", 200, "font/woff2", "public, max-age=31536000, immutable", ""},
		{"another version is not kept", Prefix + "0123456789abcdef/js/app.js", "", 200, "text/javascript; charset=utf-8", "no-cache", ""},
		{"no such file", Prefix + Digest() + "/js/none.js", "", 404, "text/plain; charset=utf-8", "", ""},
		{"sheets stand in one", Prefix + Digest() + "/css/tokens.css", "", 404, "text/plain; charset=utf-8", "", ""},
		{"no way out of the folder", Prefix + Digest() + "/../static.go", "", 404, "text/plain; charset=utf-8", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := get(t, tc.url, tc.accept)
			h := got.Header
			if got.StatusCode != tc.status || h.Get("Content-Type") != tc.kind ||
				h.Get("Cache-Control") != tc.cache || h.Get("Content-Encoding") != tc.packing {
				t.Errorf("got %d %v", got.StatusCode, h)
			}
		})
	}
}

func TestHandler_PackedIsTheSame(t *testing.T) {
	t.Parallel()
	plain, err := io.ReadAll(get(t, URL("boulier.css"), "").Body)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(get(t, URL("boulier.css"), "gzip").Body)
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if string(plain) != string(unpacked) || len(plain) == 0 {
		t.Errorf("the packed style sheet differs: %d and %d bytes", len(plain), len(unpacked))
	}
}

// TestSheet_HasNothingForReadersOnly: every rule of the sheets is sent, without comments and
// indentation.
func TestSheet_HasNothingForReadersOnly(t *testing.T) {
	t.Parallel()
	sent := string(all().assets["boulier.css"].plain)
	for name := range Apart {
		if sheet := string(all().assets[name+".css"].plain); sheet == "" || strings.Contains(sent, sheet) {
			t.Errorf("%s.css is empty, or sent with every page", name)
		} else {
			sent += sheet
		}
	}
	if strings.Contains(sent, "/*") || strings.Contains(sent, "\n\t") {
		t.Error("the sheet is sent with comments or indentation")
	}
	var rules int
	names := slices.Clone(sheets)
	for _, parts := range Apart {
		names = append(names, parts...)
	}
	for _, name := range names {
		source, err := files.ReadFile("css/" + name + ".css")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(string(source), "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "/*") && !strings.HasSuffix(line, "*/") {
				line, _, _ = strings.Cut(line, " /*")
				rules++
				if !strings.Contains(sent, line+"\n") && !strings.Contains(sent, line+" \n") {
					t.Errorf("%s.css: the line %q is not sent", name, line)
				}
			}
		}
	}
	if rules < 1000 {
		t.Errorf("%d lines of rules", rules)
	}
}

// TestThirdParty_DigestsAndLicences holds the list of what is not ours to the files.
func TestThirdParty_DigestsAndLicences(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile("THIRD_PARTY.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]string)
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` .* `([0-9a-f]{64})` \\|$").FindAllStringSubmatch(string(list), -1) {
		listed[m[1]] = m[2]
	}
	err = fs.WalkDir(files, "fonts", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := files.ReadFile(p)
		sum := sha256.Sum256(raw)
		if want := hex.EncodeToString(sum[:]); listed[p] != want {
			t.Errorf("%s: listed %q, is %s", p, listed[p], want)
		}
		delete(listed, p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(listed) > 0 {
		t.Errorf("listed but not there: %v", listed)
	}
}

// TestTokens_ContrastOfEveryPair computes the contrast of the colours that meet on a
// page, in both themes, after WCAG 2.2: 4.5 for text, 3 for what is not text.
func TestTokens_ContrastOfEveryPair(t *testing.T) {
	t.Parallel()
	raw, err := files.ReadFile("css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	colour := make(map[string][2]string)
	for _, m := range regexp.MustCompile(`--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`).FindAllStringSubmatch(string(raw), -1) {
		colour[m[1]] = [2]string{m[2], m[3]}
	}
	for _, m := range regexp.MustCompile(`--(ball-[a-z0-9]+): (#[0-9a-f]{6});`).FindAllStringSubmatch(string(raw), -1) {
		colour[m[1]] = [2]string{m[2], m[2]}
	}
	type pair struct {
		front, back string
		least       float64
	}
	pairs := []pair{
		{"ink", "ground", 7}, {"ink", "sheet", 7}, {"ink-soft", "ground", 4.5}, {"ink-soft", "sheet", 4.5},
		{"ink-soft", "hairline", 4.5}, {"ink", "hairline", 4.5},
		{"edge", "ground", 3}, {"edge", "sheet", 3}, {"ball-ink", "ball-paper", 7},
	}
	for _, game := range []string{"instant", "loto", "bingo", "contest"} {
		pairs = append(pairs, pair{game, "ground", 4.5}, pair{game, "sheet", 4.5},
			pair{"on-" + game, game, 4.5}, pair{"ink", game + "-wash", 7}, pair{game, game + "-wash", 4.5})
	}
	for _, tone := range []string{"info", "success", "warning", "danger"} {
		pairs = append(pairs, pair{tone, "ground", 4.5}, pair{tone, "sheet", 4.5},
			pair{tone, tone + "-wash", 4.5}, pair{"ink", tone + "-wash", 7}, pair{"ground", tone, 4.5})
	}
	for ten := range 8 { // the ring of the last ten is ink on paper
		pairs = append(pairs, pair{"ball-paper", fmt.Sprintf("ball-%d", ten), 2.8})
	}
	for _, p := range pairs {
		front, ok := colour[p.front]
		back, ok2 := colour[p.back]
		if !ok || !ok2 {
			t.Errorf("%s on %s: no such token", p.front, p.back)
			continue
		}
		for i, theme := range []string{"light", "dark"} {
			if got := contrast(front[i], back[i]); got < p.least {
				t.Errorf("%s: %s on %s is %.2f, want %.1f", theme, p.front, p.back, got, p.least)
			}
		}
	}
}

// contrast is the ratio of WCAG 2.2 between two colours.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(hex string) float64 {
	var r, g, b uint8
	fmt.Sscanf(hex, "#%02x%02x%02x", &r, &g, &b)
	linear := func(c uint8) float64 {
		v := float64(c) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func TestContrast_KnownPairs(t *testing.T) {
	t.Parallel()
	if got := contrast("#000000", "#ffffff"); math.Abs(got-21) > 0.01 {
		t.Errorf("black on white is %.2f, want 21", got)
	}
	if got := contrast("#777777", "#ffffff"); math.Abs(got-4.48) > 0.01 {
		t.Errorf("#777 on white is %.2f, want 4.48", got)
	}
}

// TestSheets_GiveNoColourOfTheirOwn: colours are given in tokens.css, and print.css.
func TestSheets_GiveNoColourOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"base", "layout", "components", "games"} {
		raw, err := files.ReadFile("css/" + name + ".css")
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(raw), "\n") {
			if regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b`).MatchString(line) {
				t.Errorf("%s.css:%d: %s", name, i+1, strings.TrimSpace(line))
			}
		}
	}
}

// TestModules_LoseTheirRemarksAlone holds that what is sent of a module is the lines of its
// source that do not comment.
func TestModules_LoseTheirRemarksAlone(t *testing.T) {
	t.Parallel()
	source := "// Says so.\n\n/**\n * Adds **two**.\n * @param {number} a\n **/\nexport const one = (a) => /** @type {number} */ (a) + 1; // not alone\n" +
		"\t/** @type {number} */\n\tlet b = 2;\n\t// why\n\t/** @type {number} */ (b).x();\n"
	want := "\nexport const one = (a) => /** @type {number} */ (a) + 1; // not alone\n\tlet b = 2;\n\t/** @type {number} */ (b).x();\n"
	if got := string(remarks.ReplaceAll([]byte(source), nil)); got != want {
		t.Errorf("sent is\n%s\nwant\n%s", got, want)
	}
	for name, a := range all().assets {
		if strings.HasPrefix(name, "verify/") && (remarks.Match(a.plain) || len(a.plain) == 0) {
			t.Errorf("%s is sent with its remarks, or empty", name)
		}
	}
}
