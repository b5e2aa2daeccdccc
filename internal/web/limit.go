package web

import (
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxBuckets is how many keys a limiter remembers. When they are all in use, the ones
// that are full again, and so make no difference, are forgotten.
const maxBuckets = 20_000

// A Limiter holds each key, such as an address or an account, to a limit.
type Limiter struct {
	limit Limit
	now   func() time.Time

	mu      sync.Mutex
	buckets map[string]*rate.Limiter
}

// NewLimiter returns a limiter by this clock.
func NewLimiter(limit Limit, now func() time.Time) *Limiter {
	return &Limiter{limit: limit, now: now, buckets: make(map[string]*rate.Limiter)}
}

// Allow takes one from the key's allowance, and reports whether there was one left.
func (l *Limiter) Allow(key string) bool {
	if l.limit.Rate == rate.Inf {
		return true
	}
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.buckets[key]
	if b == nil {
		if len(l.buckets) >= maxBuckets {
			l.forget(now)
		}
		b = rate.NewLimiter(l.limit.Rate, l.limit.Burst)
		l.buckets[key] = b
	}
	return b.AllowN(now, 1)
}

// forget drops the buckets that are full again, and all of them if none is: a limiter
// never grows without end.
func (l *Limiter) forget(now time.Time) {
	for key, b := range l.buckets {
		if b.TokensAt(now) >= float64(l.limit.Burst) {
			delete(l.buckets, key)
		}
	}
	if len(l.buckets) >= maxBuckets {
		clear(l.buckets)
	}
}

// Limited refuses with 429 whoever asks too often, by a key of the page's choice: a
// sign-in name, an account.
func (v *Visit) Limited(l *Limiter, key string) error {
	if l.Allow(key) {
		return nil
	}
	return &Refusal{Status: http.StatusTooManyRequests}
}
