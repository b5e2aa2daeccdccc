package server_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/games"
	"boulier/internal/server"
	"boulier/internal/web"
)

// childData is set for a process of this test binary that is the server of a benchmark.
const childData = "BOULIER_BENCH_DATA"

// serveChild is the server of a benchmark, in a process of its own: the one of the program,
// without the limit by address, for the load generator has one address. It reports whether
// this process is such a server.
func serveChild() bool {
	folder := os.Getenv(childData)
	if folder == "" {
		return false
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s, err := server.Open(ctx, server.Config{Data: folder, Listen: "127.0.0.1:0", Version: "bench", Log: log,
		PerAddress: web.Limit{Rate: rate.Inf, Burst: 1}})
	if err == nil {
		log.Info("ready", "url", s.URL(), "key", s.Vault.Fingerprint())
		err = s.Serve(ctx)
	}
	if err != nil {
		log.Error("the server failed", "error", err)
		os.Exit(1)
	}
	return true
}

// A line is a browser's connection to the server, as cheap as can be, so that the machine
// serves rather than browses: requests are made of a head that stays and a form that does
// not, and of an answer only the status, the length and where it leads are read.
type line struct {
	net.Conn
	in   *bufio.Reader
	head string
	out  []byte
}

// dial connects a buyer who has signed in.
func (b *buyer) dial(server string, issue instant.IssueID) (*line, error) {
	at, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	var cookies []string
	for _, c := range b.http.Jar.Cookies(at) {
		cookies = append(cookies, c.String())
	}
	conn, err := net.Dial("tcp", at.Host)
	if err != nil {
		return nil, err
	}
	head := fmt.Sprintf("POST /instant/%d HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nCookie: %s\r\n"+
		"Content-Type: application/x-www-form-urlencoded\r\nAccept-Language: fr\r\nContent-Length: %d\r\n\r\nrequest=",
		issue, at.Host, server, strings.Join(cookies, "; "), len("request=")+36)
	return &line{Conn: conn, in: bufio.NewReader(conn), head: head}, nil
}

var leadsToUnit = []byte("Location: /units/")

// buy sends a fresh form and fails unless it bought a unit.
func (l *line) buy() error {
	l.out = append(append(l.out[:0], l.head...), app.NewRequestID().String()...)
	if _, err := l.Write(l.out); err != nil {
		return err
	}
	status, err := l.in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 303 ")) {
		return fmt.Errorf("the server answered %q", status)
	}
	length, sold := 0, false
	for {
		field, err := l.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(field) == 2 {
			break
		}
		sold = sold || bytes.HasPrefix(field, leadsToUnit)
		if value, ok := bytes.CutPrefix(field, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	if !sold {
		return errors.New("the answer leads to no unit")
	}
	_, err = l.in.Discard(length)
	return err
}

// BenchmarkSaleHTTP buys over HTTP from a server in another process: people who have signed
// in send the page's form, each with an identifier of its own.
func BenchmarkSaleHTTP(b *testing.B) {
	const buyers = 256
	_, text, err := games.Read("deux-fois")
	if err != nil {
		b.Fatal(err)
	}
	c := server.Config{Data: b.TempDir()}
	issue := prepare(b, c, buyers, string(text))
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childData+"="+c.Data)
	p := run(b, cmd)
	people := make([]*buyer, buyers)
	for k := range people {
		if people[k], err = signedIn(b, p.url, k); err != nil {
			b.Fatal(err)
		}
	}
	// Only now: the server ends connections on which nothing is asked for five seconds.
	lines := make([]*line, buyers)
	for k := range lines {
		if lines[k], err = people[k].dial(p.url, issue); err != nil {
			b.Fatal(err)
		}
		defer lines[k].Close()
	}
	load(b, lines, 2000)
	var sales int
	var spent time.Duration
	var latencies []time.Duration
	for b.Loop() {
		begun := time.Now()
		latencies = append(latencies, load(b, lines, 20_000)...)
		spent += time.Since(begun)
		sales += 20_000
	}
	slices.Sort(latencies)
	b.ReportMetric(float64(sales)/spent.Seconds(), "sales/s")
	b.ReportMetric(float64(latencies[len(latencies)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(latencies[len(latencies)*99/100].Microseconds())/1000, "p99-ms")
	p.stop(b)
}

// signedIn returns a buyer who has signed in. The server lets an address sign in twenty
// times and then every five seconds, so each asks from an address of its own on this machine.
func signedIn(b *testing.B, server string, k int) (*buyer, error) {
	buyer := newBuyer(b, k)
	own := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1+byte(k/250), 1+byte(k%250))}}
	buyer.http.Transport = &http.Transport{DialContext: own.DialContext, DisableKeepAlives: true}
	return buyer, buyer.signIn(server)
}

// load buys so many units on all lines at once and returns how long each took.
func load(b *testing.B, lines []*line, units int) []time.Duration {
	b.Helper()
	took, failed := make([][]time.Duration, len(lines)), make([]error, len(lines))
	var left atomic.Int64
	left.Store(int64(units))
	var all sync.WaitGroup
	for k, l := range lines {
		all.Go(func() {
			for left.Add(-1) >= 0 && failed[k] == nil {
				begun := time.Now()
				failed[k] = l.buy()
				took[k] = append(took[k], time.Since(begun))
			}
		})
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		b.Fatal(err)
	}
	return slices.Concat(took...)
}

// BenchmarkReady starts the program in a fresh folder and asks for the first page: how long
// it takes from nothing to an answer, and how much memory it then holds.
func BenchmarkReady(b *testing.B) {
	if _, err := program(); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	var resident float64
	for b.Loop() {
		c := server.Config{Data: b.TempDir()}
		begun := time.Now()
		p := serve(b, c)
		answer, err := http.Get(p.url)
		if err != nil {
			b.Fatal(err)
		}
		_, err = io.Copy(io.Discard, answer.Body)
		took = append(took, time.Since(begun))
		if answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK {
			b.Fatalf("the first page: %s, %v", answer.Status, err)
		}
		resident = max(resident, residentMB(b, p.Process.Pid))
		p.stop(b)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-to-page")
	b.ReportMetric(resident, "MB-resident")
}

// drawBoards gives the median time, in ms, from the text of a board's drawing to the end of
// the frame that paints it: a message posted in a frame is heard after its painting.
const drawBoards = `(async () => {
	const room = document.querySelector(".board-choice");
	const texts = [...document.querySelectorAll(".board-drawing")].map(d => d.outerHTML);
	const took = [];
	for (const text of [...texts, ...texts, ...texts]) {
		took.push(await new Promise(done => requestAnimationFrame(() => {
			const begun = performance.now();
			room.querySelector(".board-drawing").outerHTML = text;
			const channel = new MessageChannel();
			channel.port1.onmessage = () => done(performance.now() - begun);
			channel.port2.postMessage(0);
		})));
	}
	return String(took.sort((a, b) => a - b)[took.length >> 1]);
})()`

// residentMB reads how much memory a process holds.
func residentMB(b *testing.B, pid int) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	var kilobytes float64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		b.Fatal(err)
	}
	return kilobytes / 1000
}
