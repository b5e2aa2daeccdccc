package app_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/games"
	"boulier/internal/pgtest"
	"boulier/internal/store"
	"boulier/player"
)

// A market is a house where a crowd buys units of one issue.
type market struct {
	*apptest.House
	crowd []player.ID
	issue instant.IssueID

	sales     int
	spent     time.Duration
	latencies []time.Duration
}

// openMarket opens an issue whose block lasts for the whole benchmark.
func openMarket(b *testing.B, c store.Config, buyers int) *market {
	b.Helper()
	c.Now = time.Now
	m := &market{House: apptest.On(b, c)}
	_, file, err := games.Read("deux-fois")
	if err != nil {
		b.Fatal(err)
	}
	m.issue = m.OnSale(m.Staff("chef", app.Manager), string(file))
	m.crowd = m.Crowd(buyers, 1_000_000_00)
	return m
}

// sell sells so many units to the whole crowd at once and adds to the figures.
func (m *market) sell(b *testing.B, units int) {
	b.Helper()
	lists := make([][]time.Duration, len(m.crowd))
	asked := make([]time.Time, len(m.crowd))
	begun := time.Now()
	for k := range asked {
		asked[k] = begun
	}
	err := m.SellAtOnce(m.crowd, m.issue, units, func(k int, _ app.Sold) {
		now := time.Now()
		lists[k] = append(lists[k], now.Sub(asked[k]))
		asked[k] = now
	})
	if err != nil {
		b.Fatal(err)
	}
	m.spent += time.Since(begun)
	m.sales += units
	m.latencies = append(m.latencies, slices.Concat(lists...)...)
}

// rate returns sales a second.
func (m *market) rate() float64 { return float64(m.sales) / m.spent.Seconds() }

// report reports what was measured of m, each unit followed by what sets it apart.
func (m *market) report(b *testing.B, apart string) {
	b.Helper()
	b.ReportMetric(m.rate(), "sales/s"+apart)
	b.ReportMetric(milliseconds(quantile(m.latencies, 50)), "p50-ms"+apart)
	b.ReportMetric(milliseconds(quantile(m.latencies, 99)), "p99-ms"+apart)
}

func quantile(list []time.Duration, percent int) time.Duration {
	slices.Sort(list)
	return list[(len(list)-1)*percent/100]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// inserted are the tables in which a sale inserts rows; those of accounts and states are
// there already, and are updated once a group.
var inserted = []string{"requests", "movements", "journal", "instant_units", "journal_batches"}

// reportRows sells some more units and reports what they cost: rows inserted a sale, sales
// a commit, and fsyncs a commit as count measures them.
func (m *market) reportRows(b *testing.B, units int, count func(*testing.B, func()) float64) {
	b.Helper()
	before := m.Store.Counts()
	syncs := count(b, func() { m.sell(b, units) })
	after := m.Store.Counts()
	var rows int64
	for _, table := range inserted {
		rows += after.Rows[table] - before.Rows[table]
	}
	commits := float64(after.Commits - before.Commits)
	b.ReportMetric(float64(rows)/float64(units), "rows/sale")
	b.ReportMetric(float64(units)/commits, "sales/commit")
	b.ReportMetric(syncs/commits, "fsyncs/commit")
	how, err := m.Store.Durability(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%s: journal or fsync %s, synchronous %s; %.0f fsyncs for %.0f commits of %d sales",
		how.Engine, how.Journal, how.Sync, syncs, commits, units)
}

// straceLine is a line of the table that strace prints: the calls, then the name.
var straceLine = regexp.MustCompile(`(?m)^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(fsync|fdatasync)$`)

// straced counts the calls of fsync and fdatasync that this process makes while work runs.
func straced(b *testing.B, work func()) (calls float64) {
	b.Helper()
	report := filepath.Join(b.TempDir(), "strace")
	cmd := exec.Command("strace", "-f", "-c", "-q", "-e", "trace=fsync,fdatasync", "-o", report,
		"-p", strconv.Itoa(os.Getpid()))
	if err := cmd.Start(); err != nil {
		b.Fatalf("counting fsyncs: %v", err)
	}
	time.Sleep(500 * time.Millisecond) // until it has attached to every thread
	work()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		b.Fatal(err)
	}
	cmd.Wait() // ends by the signal
	text, err := os.ReadFile(report)
	if err != nil {
		b.Fatal(err)
	}
	for _, match := range straceLine.FindAllStringSubmatch(string(text), -1) {
		n, err := strconv.ParseFloat(match[1], 64)
		if err != nil {
			b.Fatal(err)
		}
		calls += n
	}
	if calls == 0 {
		b.Fatalf("strace counted no fsync:\n%s", text)
	}
	return calls
}

// BenchmarkSaleSQLite sells to 512 buyers at once: with one commit for all who wait, with
// one commit a request, and without durability, in turns.
func BenchmarkSaleSQLite(b *testing.B) {
	durable := openMarket(b, store.Config{Folder: b.TempDir()}, 512)
	single := openMarket(b, store.Config{Folder: b.TempDir(), Single: true}, 512)
	off := openMarket(b, store.Config{Folder: b.TempDir(), Unsafe: true}, 512)
	durable.sell(b, 2000)
	off.sell(b, 2000)
	for _, m := range []*market{durable, off} {
		m.sales, m.spent, m.latencies = 0, 0, nil // of a cold start
	}
	for b.Loop() {
		for range 3 {
			durable.sell(b, 20_000)
			off.sell(b, 20_000)
		}
		single.sell(b, 1024)
	}
	durable.report(b, "")
	single.report(b, "-one-a-commit")
	off.report(b, "-off")
	b.ReportMetric(100*durable.rate()/off.rate(), "%-of-off")
	durable.reportRows(b, 5000, straced)
}

// BenchmarkSaleSixteen sells to 16 buyers beside the fsync of the same disk, in turns.
func BenchmarkSaleSixteen(b *testing.B) {
	m := openMarket(b, store.Config{Folder: b.TempDir()}, 16)
	f, err := os.Create(filepath.Join(b.TempDir(), "fsync"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var syncs []time.Duration
	m.sell(b, 1000)
	m.sales, m.spent, m.latencies = 0, 0, nil
	for b.Loop() {
		for range 10 {
			m.sell(b, 500)
			syncs = append(syncs, fsyncs(b, f, 50)...)
		}
	}
	m.report(b, "")
	sync := quantile(syncs, 50)
	b.ReportMetric(milliseconds(sync), "fsync-p50-ms")
	b.ReportMetric(milliseconds(quantile(m.latencies, 50)-3*sync), "ms-beyond-3-fsyncs")
	m.reportRows(b, 2000, straced)
}

// fsyncs appends a page to f and makes it durable, n times, and returns how long each took.
func fsyncs(b *testing.B, f *os.File, n int) []time.Duration {
	b.Helper()
	took := make([]time.Duration, n)
	page := make([]byte, 4096)
	for k := range took {
		begun := time.Now()
		if _, err := f.Write(page); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
		took[k] = time.Since(begun)
	}
	return took
}

// BenchmarkSalePostgres is BenchmarkSaleSQLite on PostgreSQL, whose fsync stays on.
func BenchmarkSalePostgres(b *testing.B) {
	dsn := pgtest.New(b, apptest.Migrate)
	durable := openMarket(b, store.Config{URL: dsn}, 512)
	single := openMarket(b, store.Config{URL: pgtest.New(b, apptest.Migrate), Single: true}, 512)
	durable.sell(b, 2000)
	durable.sales, durable.spent, durable.latencies = 0, 0, nil
	for b.Loop() {
		for range 3 {
			durable.sell(b, 20_000)
		}
		single.sell(b, 1024)
	}
	durable.report(b, "")
	single.report(b, "-one-a-commit")
	durable.reportRows(b, 5000, func(b *testing.B, work func()) float64 { return walSyncs(b, dsn, work) })
}

// walSyncs counts how often the server made its log durable while work ran, by its own
// statistics, which follow with some delay.
func walSyncs(b *testing.B, dsn string, work func()) float64 {
	b.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(ctx)
	read := func() (n int64) {
		time.Sleep(2 * time.Second) // backends report once a second
		for _, query := range []string{
			"SELECT wal_sync FROM pg_stat_wal", // up to PostgreSQL 17
			"SELECT sum(fsyncs)::bigint FROM pg_stat_io WHERE object = 'wal'",
		} {
			if err = conn.QueryRow(ctx, query).Scan(&n); err == nil {
				return n
			}
		}
		b.Fatalf("counting fsyncs: %v", err)
		return 0
	}
	before := read()
	work()
	return float64(read() - before)
}
