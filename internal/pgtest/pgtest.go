//go:build unix

// Package pgtest gives each test a PostgreSQL database of its own, on a throw-away cluster
// that the first test of a binary starts and that disappears with the binary, however it
// ends. The cluster listens on a Unix socket in a temporary folder alone, runs as another
// user when the tests run as root, and syncs to disk as a real one does.
//
// A test that needs PostgreSQL fails where PostgreSQL is missing; it is never skipped.
package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// New returns the address (postgres://…) of an empty database of t's own on which migrate has
// run. migrate runs once for all tests of the binary that pass the same function, and each
// gets a copy of its result; so it is a plain function, not a closure over what differs, and
// it closes its connections before it returns. The database is dropped when t ends.
func New(t testing.TB, migrate func(dsn string) error) (dsn string) {
	t.Helper()
	c, err := theCluster()
	if err != nil {
		t.Fatal(err)
	}
	template, err := c.template(migrate)
	if err != nil {
		t.Fatalf("pgtest: migrating the template: %v", err)
	}
	name := fmt.Sprintf("t%d", c.databases.Add(1))
	if err := c.exec("CREATE DATABASE " + name + " TEMPLATE " + template); err != nil {
		t.Fatalf("pgtest: copying the template: %v", err)
	}
	t.Cleanup(func() {
		if err := c.exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})
	return c.dsn(name)
}

// theCluster starts the cluster of this binary, once.
var theCluster = sync.OnceValues(start)

// A cluster is a running server and what was made on it.
type cluster struct {
	dir       string // holds the data, the socket and the log
	databases atomic.Int64

	mu        sync.Mutex
	templates map[uintptr]template // by the address of the migrating function
}

// A template is a migrated database that nobody is connected to.
type template struct {
	name string
	err  error
}

// template returns the name of the database that migrate has made.
func (c *cluster) template(migrate func(dsn string) error) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := reflect.ValueOf(migrate).Pointer()
	made, ok := c.templates[key]
	if !ok {
		made.name = fmt.Sprintf("m%d", len(c.templates))
		if made.err = c.exec("CREATE DATABASE " + made.name); made.err == nil {
			made.err = migrate(c.dsn(made.name))
		}
		c.templates[key] = made
	}
	return made.name, made.err
}

// dsn returns the address of a database of the cluster.
func (c *cluster) dsn(database string) string {
	q := url.Values{"host": {c.dir}, "user": {superuser}, "sslmode": {"disable"}}
	return "postgres:///" + database + "?" + q.Encode()
}

// exec runs one statement on a connection of its own, outside of any test's database.
func (c *cluster) exec(sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.dsn("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}
