package server_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/server"
	"boulier/ledger"
)

func TestMain(m *testing.M) {
	if serveChild() || hallChild() {
		return
	}
	code := runAll(m)
	if dir, err := programFolder(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// runAll runs the tests; where there is a browser, it is ended after them.
var runAll = func(m *testing.M) int { return m.Run() }

// programFolder is where the program is built, once for all tests.
var programFolder = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "boulier-bin-") })

// program builds boulier and returns its path.
var program = sync.OnceValues(func() (string, error) {
	dir, err := programFolder()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "boulier")
	cmd := exec.Command("go", "build", "-o", path, "../../cmd/boulier")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building boulier: %w\n%s", err, out)
	}
	return path, nil
})

// patience bounds how long a process may take to be ready: long, for machines that do much
// else.
const patience = time.Minute

// A process is a running server.
type process struct {
	*exec.Cmd
	url string
}

// run starts a server and returns when it says that it is ready. The process is killed at
// the end of the test at the latest.
func run(t testing.TB, cmd *exec.Cmd) *process {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: cmd}
	t.Cleanup(func() {
		if p.ProcessState == nil {
			p.Process.Kill()
			p.Wait()
		}
	})
	late := time.AfterFunc(patience, func() { p.Process.Kill() })
	defer late.Stop()
	var said strings.Builder
	lines := bufio.NewReader(io.TeeReader(stderr, &said))
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the server was not ready: %v\n%s", err, said.String())
		}
		if _, rest, ok := strings.Cut(line, "msg=ready url="); ok {
			p.url, _, _ = strings.Cut(rest, " ")
			go io.Copy(io.Discard, stderr)
			return p
		}
	}
}

// serve starts « boulier serve » on the data of c, at its address if it has one.
func serve(t testing.TB, c server.Config) *process {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"serve", "--data", c.Data, "--listen", cmp.Or(c.Listen, "127.0.0.1:0"), "--proxies", "127.0.0.1"}
	if c.Database != "" {
		args = append(args, "--database", c.Database)
	}
	return run(t, exec.Command(path, args...))
}

// kill ends a process as a power cut does.
func (p *process) kill(t testing.TB) {
	t.Helper()
	if err := p.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	p.Wait() // says that it was killed
}

// stop ends a process cleanly.
func (p *process) stop(t testing.TB) {
	t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("the server did not stop cleanly: %v", err)
	}
}

// password is that of every buyer.
const password = "a long password"

// buyerName is the sign-in name of buyer k.
func buyerName(k int) string { return fmt.Sprintf("buyer%d", k) }

// prepare fills a house with buyers who have money, and a game on sale; then it stops.
func prepare(t testing.TB, c server.Config, buyers int, game string) instant.IssueID {
	t.Helper()
	c.Listen, c.Version, c.Log = "127.0.0.1:0", "test", slog.New(slog.DiscardHandler)
	s, err := server.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	issue, err := fill(ctx, s, buyers, game)
	stop()
	if err := errors.Join(err, <-served); err != nil {
		t.Fatal(err)
	}
	return issue
}

func fill(ctx context.Context, s *server.Server, buyers int, game string) (instant.IssueID, error) {
	rules, err := s.Ground.CurrentRules(ctx)
	if err != nil {
		return 0, err
	}
	for k := range buyers {
		id, err := s.People.Register(ctx, app.Registration{Request: app.NewRequestID(), SignIn: buyerName(k),
			Password: password, Name: buyerName(k), Locale: "fr", Rules: rules.InForce(),
			Born: time.Date(1990, 1, 2, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return 0, err
		}
		own := ledger.Path("player:" + id.String())
		err = s.Store.Update(ctx, app.Keys{Accounts: []ledger.Path{"bank", own}}, func(tx app.Tx) error {
			_, err := tx.Post(app.Posting{Kind: "load", Moves: []ledger.Movement{
				{From: "bank", To: own, Amount: ledger.Euros(1_000_000_00)}}})
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	manager, err := s.People.AddStaff(ctx, app.NewStaff{Request: app.NewRequestID(), By: app.SystemPerson,
		SignIn: "chef", Name: "Chef", Password: password, Roles: []app.Role{app.Manager}})
	if err != nil {
		return 0, err
	}
	imported, faults, err := s.Instant.ImportGame(ctx, app.GameImport{Request: app.NewRequestID(), By: manager,
		Name: "game.toml", File: []byte(game)})
	if err != nil || len(faults) > 0 {
		return 0, fmt.Errorf("importing the game: %w %v", err, faults)
	}
	now := time.Now()
	issue, err := s.Instant.OpenIssue(ctx, app.IssueOpening{Request: app.NewRequestID(), By: manager,
		Game: imported, Window: instant.Window{Opens: now, Closes: now.AddDate(0, 1, 0)}, Blocks: 1})
	if err != nil {
		return 0, err
	}
	return issue, s.Instant.MakeWanted(ctx)
}

// A buyer is somebody with a browser.
type buyer struct {
	number int
	asked  int // requests so far
	http   http.Client
}

// newBuyer returns buyer k.
func newBuyer(t testing.TB, k int) *buyer {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &buyer{number: k, http: http.Client{Jar: jar, Timeout: patience, Transport: &http.Transport{},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// address is where the buyer's browser is, as the proxy in front of the server says. It moves
// on before it meets the limit by address.
func (b *buyer) address() string {
	b.asked++
	return fmt.Sprintf("10.%d.%d.%d", b.number/250, b.number%250, b.asked/100%250)
}

// post sends a form and returns where it leads.
func (b *buyer) post(at string, form url.Values) (leads string, err error) {
	r, err := http.NewRequest(http.MethodPost, at, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("X-Forwarded-For", b.address())
	answer, err := b.http.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		return "", &refused{at, answer.StatusCode}
	}
	return answer.Header.Get("Location"), nil
}

// refused is an answer that leads nowhere, unlike a connection that broke.
type refused struct {
	at     string
	status int
}

func (r *refused) Error() string { return fmt.Sprintf("%s answered %d", r.at, r.status) }

// signIn signs in as people do.
func (b *buyer) signIn(server string) error {
	_, err := b.post(server+"/signin", url.Values{"name": {buyerName(b.number)}, "password": {password},
		"request": {app.NewRequestID().String()}})
	return err
}

// buy sends the form that buys a unit, and returns the page of the unit.
func (b *buyer) buy(server string, issue instant.IssueID, request app.RequestID) (string, error) {
	return b.post(fmt.Sprintf("%s/instant/%d", server, issue), url.Values{"request": {request.String()}})
}
