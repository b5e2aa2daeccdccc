package pages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
	"boulier/player"
)

// The life of a session: half an hour without a sign of life, twelve hours at most (std:8).
const (
	idleTimeout = 30 * time.Minute
	lifetime    = 12 * time.Hour
)

// What a session holds.
const (
	personKey = "person"
	epochKey  = "epoch"
)

// AccountKey is where a session keeps the electronic account that was presented at its
// terminal.
const AccountKey = "account"

func newSessions(g *app.Ground) *scs.SessionManager {
	m := scs.New()
	m.Store = &sessionStore{ground: g, touched: map[string]touch{}, ended: map[string]time.Time{}}
	m.Codec = sessionCodec{}
	m.IdleTimeout, m.Lifetime = idleTimeout, lifetime
	m.Cookie.Name, m.Cookie.SameSite, m.Cookie.HttpOnly = "boulier_session", http.SameSiteLaxMode, true
	m.Cookie.Persist = false // Secure: see KeepSessions
	m.ErrorFunc = func(w http.ResponseWriter, r *http.Request, err error) {
		g.Log.Error("a session could not be read or kept", "error", err)
		web.Unavailable(w, r)
	}
	return m
}

// sessionCodec writes a session as JSON. The library's own form describes its types anew in
// every session, which costs more than all else in reading one.
type sessionCodec struct{}

type sessionJSON struct {
	Deadline time.Time `json:"deadline"`
	Person   int64     `json:"person,omitempty"`
	Epoch    int       `json:"epoch,omitempty"`
	Account  int64     `json:"account,omitempty"`
}

// Encode implements scs.Codec.
func (sessionCodec) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	j := sessionJSON{Deadline: deadline}
	for key, value := range values {
		var ok bool
		switch key {
		case personKey:
			j.Person, ok = value.(int64)
		case epochKey:
			j.Epoch, ok = value.(int)
		case AccountKey:
			j.Account, ok = value.(int64)
		}
		if !ok {
			return nil, fmt.Errorf("pages: a session cannot hold %s %T", key, value)
		}
	}
	return json.Marshal(j)
}

// Decode implements scs.Codec.
func (sessionCodec) Decode(b []byte) (time.Time, map[string]any, error) {
	var j sessionJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return time.Time{}, nil, fmt.Errorf("pages: a session that cannot be read: %w", err)
	}
	values := map[string]any{}
	if j.Person != 0 {
		values[personKey], values[epochKey] = j.Person, j.Epoch
	}
	if j.Account != 0 {
		values[AccountKey] = j.Account
	}
	return j.Deadline, values, nil
}

// sessionStore keeps sessions in the house's store, under the digest of their token, so
// that who reads the database cannot take one over. A session that only lives on is
// written at most once a minute.
type sessionStore struct {
	ground *app.Ground

	mu      sync.Mutex
	touched map[string]touch
	ended   map[string]time.Time // signed out lately: a request still under way keeps none
}

// KeepSessions is the middleware that reads and keeps sessions. A browser that speaks https
// gets a cookie that it sends over nothing else.
func (h *House) KeepSessions(proxies []netip.Prefix) func(http.Handler) http.Handler {
	guarded := *h.Sessions // the same sessions, another cookie
	guarded.Cookie.Secure = true
	return func(next http.Handler) http.Handler {
		plain, https := h.Sessions.LoadAndSave(next), guarded.LoadAndSave(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if web.Https(r, proxies) {
				https.ServeHTTP(w, r)
				return
			}
			plain.ServeHTTP(w, r)
		})
	}
}

type touch struct {
	data [32]byte
	at   time.Time
}

const touchEvery = time.Minute

func sessionKey(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// FindCtx implements scs.CtxStore.
func (s *sessionStore) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	row, err := s.ground.Store.Session(ctx, sessionKey(token))
	if errors.Is(err, app.ErrNotFound) {
		return nil, false, nil
	}
	// The library counts the life of a session by the machine's clock, so this does too.
	if err != nil || !time.Now().Before(row.ExpiresAt) {
		return nil, false, err
	}
	return row.Data, true, nil
}

// CommitCtx implements scs.CtxStore.
func (s *sessionStore) CommitCtx(ctx context.Context, token string, b []byte, expiry time.Time) error {
	key, now := sessionKey(token), s.ground.Now()
	left := time.Until(expiry) // scs reads the machine's clock; what is kept goes by the house's
	sum := sha256.Sum256(b)
	s.mu.Lock()
	last, ok := s.touched[key]
	_, over := s.ended[key]
	s.mu.Unlock()
	if over || ok && last.data == sum && now.Sub(last.at) < touchEvery {
		return nil
	}
	err := s.ground.Store.Update(context.WithoutCancel(ctx), app.Keys{}, func(tx app.Tx) error {
		tx.Save(app.SessionRow{Token: key, Data: b, ExpiresAt: now.Add(left)})
		return nil
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.touched) > 50_000 {
		clear(s.touched) // each costs one more write
	}
	s.touched[key] = touch{sum, now}
	return nil
}

// DeleteCtx implements scs.CtxStore.
func (s *sessionStore) DeleteCtx(ctx context.Context, token string) error {
	key, now := sessionKey(token), s.ground.Now()
	s.mu.Lock()
	delete(s.touched, key)
	maps.DeleteFunc(s.ended, func(_ string, at time.Time) bool { return now.Sub(at) > lifetime })
	s.ended[key] = now
	s.mu.Unlock()
	return s.ground.Store.Update(context.WithoutCancel(ctx), app.Keys{}, func(tx app.Tx) error {
		tx.Delete(app.SessionRow{Token: key})
		return nil
	})
}

// Find, Commit and Delete implement scs.Store, which has no context.
func (s *sessionStore) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

func (s *sessionStore) Commit(token string, b []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, b, expiry)
}

func (s *sessionStore) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }

// Identify says who sends a request. A session ends when its person is closed, or when all
// sessions of the person were ended.
func (h *House) Identify(r *http.Request) (ui.Person, error) {
	id := player.ID(h.Sessions.GetInt64(r.Context(), personKey))
	if id == 0 {
		return ui.Person{}, nil
	}
	m, err := h.Who.get(r.Context(), h.People, id)
	if errors.Is(err, app.ErrNotFound) {
		return ui.Person{}, nil
	}
	if err != nil {
		return ui.Person{}, err
	}
	if m.Status != app.Active || m.Epoch != h.Sessions.GetInt(r.Context(), epochKey) {
		return ui.Person{}, h.Sessions.Destroy(r.Context())
	}
	return ui.Person{ID: id, Name: m.Name, Role: string(m.Roles[0])}, nil
}

// Begin makes the session of a person who has just shown who they are.
func (h *House) Begin(ctx context.Context, id player.ID, epoch int) error {
	if err := h.Sessions.RenewToken(ctx); err != nil {
		return err
	}
	h.Sessions.Put(ctx, personKey, int64(id))
	h.Sessions.Put(ctx, epochKey, epoch)
	return nil
}

// A WhoCache keeps who is who for a short while, for every request asks. A change on this
// node is seen at once, one on another within the time below.
type WhoCache struct {
	now func() time.Time

	mu  sync.RWMutex
	all map[player.ID]whoEntry
}

type whoEntry struct {
	app.Member
	at time.Time
}

const whoFor = 5 * time.Second

func newWhoCache(now func() time.Time) *WhoCache {
	return &WhoCache{now: now, all: map[player.ID]whoEntry{}}
}

func (c *WhoCache) get(ctx context.Context, people app.People, id player.ID) (app.Member, error) {
	c.mu.RLock()
	e, ok := c.all[id]
	c.mu.RUnlock()
	if ok && c.now().Sub(e.at) < whoFor {
		return e.Member, nil
	}
	row, standing, err := people.Who(ctx, id)
	if err != nil {
		return app.Member{}, err
	}
	if len(standing.Roles) == 0 {
		return app.Member{}, app.ErrNotFound
	}
	e = whoEntry{app.Member{PersonRow: row, Standing: standing}, c.now()}
	c.mu.Lock()
	if len(c.all) > 50_000 {
		clear(c.all)
	}
	c.all[id] = e
	c.mu.Unlock()
	return e.Member, nil
}

// Roles returns the roles of a person that get has returned just before.
func (c *WhoCache) Roles(id player.ID) []app.Role {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.all[id].Roles
}

// MustChange reports whether a person that get has returned just before has a password
// that somebody else gave.
func (c *WhoCache) MustChange(id player.ID) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.all[id].MustChange
}

// Forget makes the next request of a person read anew. What get has returned stays, for the
// request that asked is still under way.
func (c *WhoCache) Forget(id player.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.all[id]; ok {
		e.at = time.Time{}
		c.all[id] = e
	}
}

// ForgetAll is forget for everyone.
func (c *WhoCache) ForgetAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, e := range c.all {
		e.at = time.Time{}
		c.all[id] = e
	}
}
