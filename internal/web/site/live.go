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
	"boulier/internal/web/bingopages"
	"boulier/internal/web/contestpages"
	"boulier/internal/web/instantpages"
	"boulier/internal/web/pages"
	"boulier/money"
	"boulier/player"
)

// seriesTopicPrefix begins the live topics of card series.
const seriesTopicPrefix = "ninety/series/"

// balanceData are the data of the fact « balance »: what is shown, in cents.
func balanceData(shown money.Cents) json.RawMessage {
	return fmt.Appendf(nil, `{"cents":%d}`, int64(shown))
}

// Committed passes what a commit has changed to whoever follows it, and forgets what it
// has made stale. The store calls it after each commit; it returns at once.
func (s *Site) Committed(c app.Committed) {
	if c.All {
		s.Who.ForgetAll()
		s.Hub.RenewAll()
	}
	for _, state := range c.States {
		switch {
		case strings.HasPrefix(state.Name, pages.WalletTopicPrefix):
			s.walletChanged(c, state)
		case strings.HasPrefix(state.Name, "person/"):
			if id, err := strconv.ParseInt(strings.TrimPrefix(state.Name, "person/"), 10, 64); err == nil {
				s.Who.Forget(player.ID(id))
			}
		case strings.HasPrefix(state.Name, seriesTopicPrefix):
			s.Hub.Renew(state.Name)
		case strings.HasPrefix(state.Name, instantpages.Prefix):
			s.instant.Changed(state)
		case strings.HasPrefix(state.Name, app.LotoPrefix):
			s.loto.Changed(state)
		case strings.HasPrefix(state.Name, bingopages.Prefix):
			s.bingo.Changed(state)
		case strings.HasPrefix(state.Name, contestpages.Prefix):
			s.contests.Changed(state)
		}
	}
}

func (s *Site) walletChanged(c app.Committed, state app.Changed) {
	if s.Hub.Following(state.Name) == 0 {
		return
	}
	w, ok := state.Value.(app.Wallet)
	path := "player:" + strings.TrimPrefix(state.Name, pages.WalletTopicPrefix)
	for _, a := range c.Accounts {
		if ok && string(a.Path) == path {
			shown := money.Cents(a.Balance) - w.Prize
			s.Hub.Publish(state.Name, w.Version, "balance", balanceData(shown))
			return
		}
	}
	s.Hub.Renew(state.Name)
}

// facts reads what a stream has missed.
type facts struct{ s *Site }

// Facts implements web.FactReader.
func (f facts) Facts(ctx context.Context, topic string, after int64, max int) ([]web.Fact, error) {
	if id, ok := strings.CutPrefix(topic, pages.WalletTopicPrefix); ok {
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
		return f.s.loto.Missed(ctx, topic, after, max)
	}
	if strings.HasPrefix(topic, bingopages.Prefix) {
		return f.s.bingo.Missed(ctx, topic, after, max)
	}
	if strings.HasPrefix(topic, "manage/") {
		return f.s.instant.Missed(ctx, topic, after)
	}
	nothing := func(string, []byte) ([]byte, error) { return []byte("{}"), nil }
	return f.s.Missed(ctx, topic, after, max, nothing)
}

// Progress tells the pages of an issue how far the making of its block is.
func (s *Site) Progress(issue instant.IssueID, done, total int64) {
	s.instant.Progress(issue, done, total)
}
