package apptest

import (
	"context"
	"strconv"
	"sync"
	"time"

	"boulier/internal/app"
	"boulier/player"
)

// Predictor registers a player for the contests, under a name and an address of its own.
func (h *House) Predictor(name string) player.ID {
	h.T.Helper()
	id := h.Player(name, 0)
	h.Join(id, ProfileOf(name))
	return id
}

// ProfileOf is a complete profile, different for each name.
func ProfileOf(name string) app.Profile {
	return app.Profile{Given: name, Family: "Martin", Street: "1 rue " + name, Postcode: "69001", Town: "Lyon",
		Email: name + "@example.org", Locale: "fr", Address: "192.0.2." + strconv.Itoa(len(name)) + name}
}

// Join registers somebody for the contests.
func (h *House) Join(id player.ID, p app.Profile) {
	h.T.Helper()
	if _, err := h.Contests.Join(context.Background(), app.Joining{Request: app.NewRequestID(), Player: id, Profile: p,
		Rules: h.Rules, Decency: true}); err != nil {
		h.T.Fatal(err)
	}
}

// Junior registers a minor, who is not yet entered for the contests.
func (h *House) Junior(name string) player.ID {
	h.T.Helper()
	id, err := h.People.Register(context.Background(), app.Registration{Request: app.NewRequestID(), SignIn: name,
		Password: "a long password", Name: name, Locale: "fr", Rules: h.Rules, Contests: true,
		Born: time.Date(2012, 1, 2, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		h.T.Fatal(err)
	}
	return id
}

// A Box keeps the letters that a house sends.
type Box struct {
	mu      sync.Mutex
	Letters map[string]app.Letter
	Fails   error // what each delivery fails with, if anything
	Tries   int
}

// Deliver implements app.Postman.
func (b *Box) Deliver(_ context.Context, name string, l app.Letter) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Tries++
	if b.Fails != nil {
		return b.Fails
	}
	if b.Letters == nil {
		b.Letters = map[string]app.Letter{}
	}
	b.Letters[name] = l
	return nil
}

// Post gives the house a box and sends what waits.
func (h *House) Post(b *Box) int {
	h.T.Helper()
	h.Ground.Postman = b
	n, err := h.SendLetters(context.Background())
	if err != nil {
		h.T.Fatal(err)
	}
	return n
}
