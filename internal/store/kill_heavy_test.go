//go:build !race

package store

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/regs/regstest"
)

// A sale is one that was answered before its server was killed.
type sale struct {
	request app.Request
	buyer   int
	unit    int64
}

// killOnce starts a child, lets it sell for a moment, kills it, and returns what it sold.
func killOnce(t *testing.T, cfg Config) (sold []sale) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childOf+"="+where(cfg))
	var stderr strings.Builder
	child.Stderr = &stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	kill := func() { once.Do(func() { child.Process.Kill() }) }
	defer kill()
	time.AfterFunc(time.Minute, kill)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF { // a line cut short was not answered
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var id string
		var s sale
		if _, err := fmt.Sscan(line, &id, &s.buyer, &s.unit); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		s.request = request(s.buyer)
		if s.request.ID, err = app.ParseRequestID(id); err != nil {
			t.Fatal(err)
		}
		if sold = append(sold, s); len(sold) == 1 {
			time.AfterFunc(time.Duration(rand.IntN(200))*time.Millisecond, kill)
		}
	}
	child.Wait()
	if stderr.Len() > 0 {
		t.Fatalf("the child says: %s", stderr.String())
	}
	return sold
}

func TestKilled_KeepsEveryAnsweredSaleHeavy(t *testing.T) {
	regstest.Covers(t, "house:1", "house:2", "house:6", "std:43", "std:53")
	_, verifier, err := zeroKey()
	if err != nil {
		t.Fatal(err)
	}
	onBoth(t, func(t *testing.T, cfg Config) {
		var sold []sale
		for range 20 {
			sold = append(sold, killOnce(t, cfg)...)
		}
		s := open(t, cfg)
		twice := map[int64]app.RequestID{}
		for _, sale := range sold {
			n, err := buys(t.Context(), s, sale.request, sale.buyer, func() {
				t.Errorf("the sale of unit %d was answered and is not there", sale.unit)
			})
			if n != sale.unit || err != nil {
				t.Errorf("unit %d was sold; asked again, the answer is %d, %v", sale.unit, n, err)
			}
			if other, ok := twice[n]; ok {
				t.Errorf("unit %d was sold to %s and %s", n, other, sale.request.ID)
			}
			twice[n] = sale.request.ID
		}
		r := sound(t, s)
		if j, err := s.CheckJournal(t.Context(), verifier); err != nil || !j.None() {
			t.Errorf("the journal: %v, %v", j.Faults, err)
		}
		stored, err := s.State(t.Context(), "block/1")
		if err != nil || r.Events != int64(stored.Number) || r.Movements != 2*r.Events {
			t.Errorf("%d events, %d movements, the state says %d (%v)", r.Events, r.Movements, stored.Number, err)
		}
		if len(sold) < 20 || int64(len(sold)) > r.Events {
			t.Errorf("%d sales were answered, %d are there", len(sold), r.Events)
		}
		t.Logf("killed 20 times: %d sales answered, %d there", len(sold), r.Events)
	})
}
