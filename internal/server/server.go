// Package server puts the platform together and runs it: data folder, keys, database,
// use cases, pages, the clock's work, and a clean stop.
package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"boulier/internal/app"
	"boulier/internal/store"
	"boulier/internal/vault"
	"boulier/internal/web"
	"boulier/internal/web/bingopages"
	"boulier/internal/web/pages"
	"boulier/internal/web/site"
	"boulier/internal/witness"
)

// Config says how to run.
type Config struct {
	Data     string // data folder
	Keys     string // key folder; Data/keys when empty
	Backups  string // where the administrator's button writes, such as a stick; Data/backups when empty
	Database string // postgres://…; SQLite in the data folder when empty
	Listen   string // address, such as 127.0.0.1:8080
	Secure   string // address for https with a self-made certificate; none when empty
	Origin   string // name under which checkpoints are signed
	Node     int
	Demo     bool
	Proxies  []netip.Prefix
	Version  string
	Log      *slog.Logger
	// Now is the clock, the machine's when nil.
	Now  func() time.Time
	Mail Mail
	// PerAddress limits requests; the shell's default when zero.
	PerAddress web.Limit
}

// A Server is the running platform.
type Server struct {
	config   Config
	Ground   *app.Ground
	Instant  *app.Instant
	Cards    *app.Cards
	Loto     *app.Loto
	Bingo    *app.Bingo
	Contests *app.Contests
	People   app.People
	Office   app.Office
	Site     *site.Site
	Store    *store.Store
	Vault    *vault.Vault

	clock    demoClock
	trial    atomic.Pointer[bingopages.Demo] // what the demonstration lends at the bingo
	listener net.Listener
	secure   net.Listener // https with a self-made certificate, nil for none
	print    string       // of that certificate
	http     *http.Server
	setup    atomic.Pointer[string] // the one-time token, if there was no administrator at the start
	setUp    atomic.Bool            // there is one now
	work     sync.WaitGroup
}

// Open opens everything and listens; Serve then answers.
func Open(ctx context.Context, c Config) (*Server, error) {
	if c.Keys == "" {
		c.Keys = filepath.Join(c.Data, "keys")
	}
	if c.Backups == "" {
		c.Backups = filepath.Join(c.Data, "backups")
	}
	if c.Origin == "" {
		c.Origin = "boulier.local"
	}
	if c.Demo {
		c.Origin = DemoOrigin
	}
	if err := errors.Join(checkDemo(c, c.Origin), checkLost(c)); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return nil, fmt.Errorf("server: making the data folder: %w", err)
	}
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		return nil, err
	}
	s := &Server{config: c}
	if s.clock.machine = c.Now; c.Now == nil {
		s.clock.machine = time.Now
	}
	if c.Demo {
		s.clock.behind.Store(int64(demoPast)) // until FillDemo has made its past
	}
	var served atomic.Pointer[site.Site]
	s.Store, err = store.Open(ctx, store.Config{
		Folder: c.Data, URL: c.Database, Node: c.Node, Now: s.clock.now, Entropy: app.RandomBytes,
		Committed: func(change app.Committed) {
			if p := served.Load(); p != nil {
				p.Committed(change)
			}
		},
	})
	if err != nil {
		return nil, err
	}
	if s.Vault, err = ownKeys(ctx, s.Store, c); err != nil {
		return nil, errors.Join(err, s.Store.Close())
	}
	s.Ground = &app.Ground{Store: s.Store, Now: s.clock.now, Entropy: app.RandomBytes, Sealer: s.Vault,
		Journal: s.Store, Zone: zone, Version: c.Version, Log: c.Log}
	s.People, s.Instant = app.People{Ground: s.Ground}, app.NewInstant(s.Ground)
	s.Cards = app.NewCards(s.Ground)
	s.Loto = app.NewLoto(s.Ground, s.Cards)
	s.Bingo = app.NewBingo(s.Ground, s.Cards)
	s.Contests = app.NewContests(s.Ground)
	s.Ground.Postman = s.postman(c)
	s.Office = app.NewOffice(s.Ground, s.Vault, func(ctx context.Context, name string) ([]app.CopiedFile, error) {
		return s.house().Backup(ctx, c.Backups, name)
	})
	if err := s.open(ctx, &served); err != nil {
		s.Store.Close()
		return nil, err
	}
	return s, nil
}

// open puts the rules in force, the first link, the pages and the listener.
func (s *Server) open(ctx context.Context, served *atomic.Pointer[site.Site]) error {
	rules, err := s.Ground.EnactRules(ctx, pages.RulesTexts())
	if err != nil {
		return err
	}
	if err := s.prepareSetup(ctx); err != nil {
		return err
	}
	s.Site = site.New(site.Config{Ground: s.Ground, Instant: s.Instant, Cards: s.Cards, Loto: s.Loto, Bingo: s.Bingo, Contests: s.Contests, Rules: rules.InForce(), Office: s.Office,
		BingoDemo: s.trial.Load,
		Demo:      s.config.Demo, Gallery: s.config.Demo, Setup: s.takeSetup, Logger: s.config.Log,
		TrustedProxies: s.config.Proxies, PerAddress: s.config.PerAddress})
	s.Instant.Progress, s.Cards.Progress = s.Site.Progress, s.Site.CardsMade
	served.Store(s.Site)
	if s.listener, err = net.Listen("tcp", s.config.Listen); err != nil {
		return fmt.Errorf("server: listening: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", s.Site)
	mux.Handle(witness.Path, witness.Handler(s.Bingo, s.config.Log, s.config.Proxies...))
	s.http = web.Server(mux, s.config.Log)
	return s.listenSecure()
}

// listenSecure listens for https too, if that is asked for.
func (s *Server) listenSecure() error {
	if s.config.Secure == "" {
		return nil
	}
	var hosts []net.IP
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return fmt.Errorf("server: the addresses of this machine: %w", err)
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLinkLocalUnicast() {
			hosts = append(hosts, n.IP)
		}
	}
	c, err := Certificate(s.config.Data, hosts, s.clock.now())
	if err != nil {
		return errors.Join(err, s.listener.Close())
	}
	plain, err := net.Listen("tcp", s.config.Secure)
	if err != nil {
		return errors.Join(fmt.Errorf("server: listening for https: %w", err), s.listener.Close())
	}
	s.secure = tls.NewListener(plain, &tls.Config{Certificates: []tls.Certificate{c}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}})
	s.print = CertificatePrint(c)
	return nil
}

// Secure is where https is answered, and the fingerprint of its certificate; empty for nowhere.
func (s *Server) Secure() (url, fingerprint string) {
	if s.secure == nil {
		return "", ""
	}
	return "https://" + s.secure.Addr().String(), s.print
}

// URL is where the server can be reached.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Serve answers until ctx ends, then stops cleanly: requests under way are finished, what
// is committed is signed. It returns why it ended, nil after a clean stop.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := s.control(ctx); err != nil {
		return errors.Join(err, s.Store.Close())
	}
	s.work.Go(func() { s.sign(ctx) })
	s.work.Go(func() { s.clockwork(ctx) })
	s.work.Go(func() { s.tidy(ctx) })
	s.work.Go(func() { s.letters(ctx) })
	s.work.Go(func() {
		if err := s.Office.FinishRotation(ctx); err != nil && ctx.Err() == nil {
			s.config.Log.Error("the sealing key could not be changed as it was asked", "error", err)
		}
	})
	s.work.Go(func() { s.blocks(ctx) })
	s.work.Go(func() {
		if err := s.Cards.MakeWanted(ctx); err != nil && ctx.Err() == nil {
			s.config.Log.Error("series could not be made", "error", err)
		}
	})
	s.work.Go(func() {
		if err := s.Loto.FinishOpening(ctx); err != nil && ctx.Err() == nil {
			s.config.Log.Error("a loto that was being opened could not be opened", "error", err)
		}
	})
	s.work.Go(func() {
		if err := s.Contests.Resume(ctx); err != nil && ctx.Err() == nil {
			s.config.Log.Error("a proclamation could not be carried on", "error", err)
		}
	})
	if s.config.Demo {
		s.work.Go(func() {
			if err := s.playBingo(ctx); err != nil && ctx.Err() == nil {
				s.config.Log.Error("the demonstration's bingo has stopped", "error", err)
			}
		})
	}
	served := make(chan error, 2)
	go func() { served <- s.http.Serve(s.listener) }()
	if s.secure != nil {
		go func() { served <- s.http.Serve(s.secure) }()
	}
	var err error
	select {
	case <-ctx.Done():
	case <-s.Store.Failed():
		err = fmt.Errorf("server: stopped, since the outcome of a commit is unknown: %w", s.Store.Cause())
	case err = <-served:
		err = fmt.Errorf("server: %w", err)
	}
	cancel(err)
	s.Site.Close()
	grace, end := context.WithTimeout(context.Background(), 10*time.Second)
	defer end()
	if stop := s.http.Shutdown(grace); stop != nil && err == nil {
		s.config.Log.Warn("some requests were cut off", "error", stop)
		s.http.Close()
	}
	s.work.Wait()
	if err == nil {
		if _, sign := s.Ground.CheckpointNow(grace); sign != nil {
			s.config.Log.Error("the last checkpoint could not be signed", "error", sign)
		}
	}
	return errors.Join(err, s.Store.Close())
}

// signEvery is the longest that a committed event waits for its signed checkpoint.
const signEvery = 5 * time.Second

// sign signs a checkpoint at least every ten seconds.
func (s *Server) sign(ctx context.Context) {
	tick := time.NewTicker(signEvery)
	defer tick.Stop()
	for {
		if _, err := s.Ground.CheckpointNow(ctx); err != nil && ctx.Err() == nil {
			s.config.Log.Error("a checkpoint could not be signed", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// dueEvery is how often due work is looked for that others may have put in the table.
const dueEvery = 500 * time.Millisecond

// clockwork does what is due when it is due: one loop, one table.
func (s *Server) clockwork(ctx context.Context) {
	for {
		if err := app.DoDue(ctx, s.Ground, s.Instant, s.Contests, s.Bingo); err != nil && ctx.Err() == nil {
			s.config.Log.Error("due work failed; it will be tried again", "error", err)
		}
		select {
		case <-time.After(app.DueIn(ctx, s.Ground, dueEvery)):
		case <-ctx.Done():
			return
		}
	}
}

// blocksEvery is how often blocks that are wanted, or not revealed, are looked for: those
// that an earlier failure has left.
const blocksEvery = time.Minute

// blocks makes the blocks that are wanted, and finishes what a stop has left of others.
func (s *Server) blocks(ctx context.Context) {
	tick := time.NewTicker(blocksEvery)
	defer tick.Stop()
	for {
		if err := s.Instant.MakeWanted(ctx); err != nil && ctx.Err() == nil {
			s.config.Log.Error("blocks could not be made or revealed; they are tried again", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// tidyEvery is how often what need not be kept is removed.
const tidyEvery = time.Hour

// answersKept is how long the answer of a request is kept; its identifier is kept for ever.
const answersKept = 90 * 24 * time.Hour

// addressesKept is how long the address of a failed sign-in is kept.
const addressesKept = 365 * 24 * time.Hour

// tidy removes sessions that are over, the answers and the addresses of long ago.
func (s *Server) tidy(ctx context.Context) {
	tick := time.NewTicker(tidyEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		now := s.Ground.Now()
		_, sessions := s.Store.ExpireSessions(ctx, now)
		_, answers := s.Store.Forget(ctx, now.Add(-answersKept))
		_, addresses := s.People.ForgetAddresses(ctx, now.Add(-addressesKept))
		if err := errors.Join(sessions, answers, addresses); err != nil && ctx.Err() == nil {
			s.config.Log.Error("what is over could not be removed", "error", err)
		}
	}
}
