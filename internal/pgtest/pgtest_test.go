//go:build unix

package pgtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

var migrations atomic.Int64

// people is a migration; it counts how often it runs.
func people(dsn string) error {
	migrations.Add(1)
	return run(dsn, "CREATE TABLE people (name TEXT PRIMARY KEY)")
}

func run(dsn, sql string) error {
	conn, err := pgx.Connect(context.Background(), dsn)
	if err != nil {
		return err
	}
	defer conn.Close(context.Background())
	_, err = conn.Exec(context.Background(), sql)
	return err
}

func TestNew_GivesEachTestItsOwnDatabase(t *testing.T) {
	t.Parallel()
	for range 3 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if err := run(New(t, people), "INSERT INTO people VALUES ('Ada')"); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(func() {
		if n := migrations.Load(); n != 1 {
			t.Errorf("the migration ran %d times, want once", n)
		}
	})
}

func TestNew_DropsTheDatabase(t *testing.T) {
	t.Parallel()
	var dsn string
	t.Run("user", func(t *testing.T) { dsn = New(t, empty) })
	if err := run(dsn, "SELECT 1"); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("connecting after the test: %v", err)
	}
}

func empty(string) error { return nil }

func TestNew_IsDurable(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), New(t, empty))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, setting := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		var got string
		if err := conn.QueryRow(t.Context(), "SHOW "+setting).Scan(&got); err != nil || got != "on" {
			t.Errorf("%s is %q, %v; want on", setting, got, err)
		}
	}
}

func TestTemplate_KeepsItsFailure(t *testing.T) {
	t.Parallel()
	c, err := theCluster()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := c.template(broken); !errors.Is(err, errBroken) {
			t.Errorf("got %v, want %v", err, errBroken)
		}
	}
}

var errBroken = errors.New("broken migration")

func broken(string) error { return errBroken }

// TestNew_FailsWithoutPostgreSQL holds that a test without PostgreSQL fails, saying what to
// install, and is not skipped.
func TestNew_FailsWithoutPostgreSQL(t *testing.T) {
	t.Parallel()
	if _, err := newest(t.TempDir(), nil); !errors.Is(err, errMissing) {
		t.Errorf("an empty folder as initdb's: %v, want %v", err, errMissing)
	}
}

// TestWatchdog_LeavesNothingBehind kills a test binary that has a server, and waits for the
// server and its folder to go.
func TestWatchdog_LeavesNothingBehind(t *testing.T) {
	t.Parallel()
	child := exec.Command(os.Args[0], "-test.run=^TestMain_Victim$", "-test.v")
	child.Env = append(os.Environ(), "BOULIER_PGTEST_VICTIM=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var dir string
	var pid int
	for lines := bufio.NewScanner(out); pid == 0 && lines.Scan(); {
		fmt.Sscanf(lines.Text(), "victim %s %d", &dir, &pid)
	}
	if pid == 0 {
		t.Fatalf("the victim did not start: %v", child.Wait())
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		_, err := os.Stat(dir)
		if errors.Is(err, os.ErrNotExist) && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("server %d or %s is still there: %v", pid, dir, err)
		}
	}
}

// TestMain_Victim is the binary that the test above kills; by itself it only starts a server.
func TestMain_Victim(t *testing.T) {
	t.Parallel()
	c, err := theCluster()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(c.dir + "/data/postmaster.pid")
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(file), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("BOULIER_PGTEST_VICTIM") != "" {
		fmt.Printf("\nvictim %s %d\n", c.dir, pid)
		time.Sleep(time.Minute)
	}
}
