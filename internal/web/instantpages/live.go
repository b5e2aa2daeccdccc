package instantpages

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/web"
)

// The live topics. An issue has the number of its last event as its number; what is sold of a
// block is a gauge; a simulation has gauges while it goes on, then one fact.
const (
	Prefix                = "instant/"
	issueTopicPrefix      = "instant/issue/"
	blockTopicPrefix      = "manage/block/"
	simulationTopicPrefix = "manage/simulation/"
)

// salesPrefix begins the names of the states of sales.
const salesPrefix = "instant/sales/"

func issueTopic(id instant.IssueID) string {
	return issueTopicPrefix + strconv.FormatInt(int64(id), 10)
}

func blockTopic(id app.BlockID) string { return blockTopicPrefix + id.String() }

func simulationTopic(id int64) string { return simulationTopicPrefix + strconv.FormatInt(id, 10) }

// MayFollow reports whether anybody may follow a live topic of the instant lotteries.
func MayFollow(topic string) bool { return strings.HasPrefix(topic, issueTopicPrefix) }

// Changed passes what a commit has changed to whoever follows it.
func (s *Section) Changed(state app.Changed) {
	switch {
	case strings.HasPrefix(state.Name, issueTopicPrefix):
		s.Hub.Renew(state.Name)
	case strings.HasPrefix(state.Name, salesPrefix):
		s.salesChanged(state)
	}
}

// Missed reads what a stream has missed of a topic for managers.
func (s *Section) Missed(ctx context.Context, topic string, after int64) ([]web.Fact, error) {
	if strings.HasPrefix(topic, simulationTopicPrefix) {
		return s.simulationMissed(ctx, topic, after)
	}
	return nil, nil // blocks have gauges only
}

// Progress tells the pages of an issue how far the making of its block is.
func (s *Section) Progress(issue instant.IssueID, done, total int64) {
	s.Hub.Gauge(issueTopic(issue), "progress", fmt.Appendf(nil, `{"done":%d,"total":%d}`, done, total))
}

// salesChanged tells whoever watches a block what was sold of it: no prize by amount.
func (s *Section) salesChanged(state app.Changed) {
	topic := blockTopicPrefix + strings.TrimPrefix(state.Name, salesPrefix)
	if s.Hub.Following(topic) == 0 {
		return
	}
	t, ok := app.SoldOf(state.Value)
	if !ok {
		return
	}
	data, err := json.Marshal(map[string]int64{"sold": t.Sold, "stakes": int64(t.Stakes), "paid": int64(t.Paid)})
	if err != nil {
		panic(err) // integers only
	}
	s.Hub.Gauge(topic, "sales", data)
}
