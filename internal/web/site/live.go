package site

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/journal"
	"boulier/money"
	"boulier/player"
)

// The live topics. A wallet has the version of what is shown as its number; an issue the
// number of its last event.
const (
	walletTopicPrefix = "wallet/"
	issueTopicPrefix  = "instant/issue/"
	seriesTopicPrefix = "ninety/series/"
)

func walletTopic(id player.ID) string { return walletTopicPrefix + id.String() }

func issueTopic(id instant.IssueID) string {
	return issueTopicPrefix + strconv.FormatInt(int64(id), 10)
}

// balanceData are the data of the fact « balance »: what is shown, in cents.
func balanceData(shown money.Cents) json.RawMessage {
	return fmt.Appendf(nil, `{"cents":%d}`, int64(shown))
}

// Committed passes what a commit has changed to whoever follows it, and forgets what it
// has made stale. The store calls it after each commit; it returns at once.
func (s *Site) Committed(c app.Committed) {
	if c.All {
		s.who.forgetAll()
		s.hub.RenewAll()
	}
	for _, state := range c.States {
		switch {
		case strings.HasPrefix(state.Name, walletTopicPrefix):
			s.walletChanged(c, state)
		case strings.HasPrefix(state.Name, "person/"):
			if id, err := strconv.ParseInt(strings.TrimPrefix(state.Name, "person/"), 10, 64); err == nil {
				s.who.forget(player.ID(id))
			}
		case strings.HasPrefix(state.Name, issueTopicPrefix), strings.HasPrefix(state.Name, seriesTopicPrefix),
			strings.HasPrefix(state.Name, legTopicPrefix), strings.HasPrefix(state.Name, contestTopicPrefix):
			s.hub.Renew(state.Name)
		case strings.HasPrefix(state.Name, app.LotoPrefix):
			s.lotoChanged(state)
		case strings.HasPrefix(state.Name, bingoPrefix):
			s.bingoChanged(state)
		case strings.HasPrefix(state.Name, countPrefix):
			if n, ok := state.Value.(int); ok {
				topic := legTopicPrefix + strings.TrimPrefix(state.Name, countPrefix)
				s.hub.Gauge(topic, "sales", fmt.Appendf(nil, `{"slips":%d}`, n))
			}
		case strings.HasPrefix(state.Name, salesPrefix):
			s.salesChanged(state)
		}
	}
}

func (s *Site) walletChanged(c app.Committed, state app.Changed) {
	if s.hub.Following(state.Name) == 0 {
		return
	}
	w, ok := state.Value.(app.Wallet)
	path := "player:" + strings.TrimPrefix(state.Name, walletTopicPrefix)
	for _, a := range c.Accounts {
		if ok && string(a.Path) == path {
			shown := money.Cents(a.Balance) - w.Prize
			s.hub.Publish(state.Name, w.Version, "balance", balanceData(shown))
			return
		}
	}
	s.hub.Renew(state.Name)
}

// facts reads what a stream has missed.
type facts struct{ s *Site }

// Facts implements web.FactReader.
func (f facts) Facts(ctx context.Context, topic string, after int64, max int) ([]web.Fact, error) {
	if id, ok := strings.CutPrefix(topic, walletTopicPrefix); ok {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return nil, err
		}
		purse, err := f.s.Ground.Purse(ctx, player.ID(n))
		if err != nil || purse.Version <= after {
			return nil, err
		}
		if purse.Version > after+1 {
			return nil, web.ErrSnapshot // only the latest balance is kept
		}
		return []web.Fact{{Topic: topic, Number: purse.Version, Name: "balance", Data: balanceData(purse.Shown)}}, nil
	}
	if strings.HasPrefix(topic, app.LotoPrefix) {
		return f.s.lotoMissed(ctx, topic, after, max)
	}
	if strings.HasPrefix(topic, bingoPrefix) {
		return f.s.bingoMissed(ctx, topic, after, max)
	}
	if strings.HasPrefix(topic, simulationTopicPrefix) {
		return f.s.simulationMissed(ctx, topic, after)
	}
	if strings.HasPrefix(topic, blockTopicPrefix) {
		return nil, nil // gauges only
	}
	nothing := func(string, []byte) ([]byte, error) { return []byte("{}"), nil }
	return f.s.missed(ctx, topic, after, max, nothing)
}

// missed reads the facts of a stream of the journal after a number; data is what the page
// is told of each, by its kind and payload.
func (s *Site) missed(ctx context.Context, topic string, after int64, max int,
	data func(kind string, payload []byte) ([]byte, error)) ([]web.Fact, error) {
	entries, err := s.Ground.Store.Stream(ctx, topic, uint64(after), max)
	if err != nil {
		return nil, err
	}
	out := make([]web.Fact, 0, len(entries))
	for _, e := range entries {
		leaf, err := journal.ParseLeaf(e.Leaf)
		if err != nil {
			return nil, err
		}
		told, err := data(string(leaf.Kind), e.Payload)
		if err != nil {
			return nil, err
		}
		out = append(out, web.Fact{Topic: topic, Number: leaf.Number, Name: string(leaf.Kind), Data: told})
	}
	return out, nil
}

// Progress tells the pages of an issue how far the making of its block is.
func (s *Site) Progress(issue instant.IssueID, done, total int64) {
	s.hub.Gauge(issueTopic(issue), "progress", fmt.Appendf(nil, `{"done":%d,"total":%d}`, done, total))
}
