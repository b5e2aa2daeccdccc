package pages

import (
	"context"

	"boulier/internal/web"
	"boulier/journal"
	"boulier/player"
)

// WalletTopicPrefix begins the live topics of the money of players. Such a topic has the
// version of what is shown as its number.
const WalletTopicPrefix = "wallet/"

// WalletTopic is the live topic of a player's money.
func WalletTopic(id player.ID) string { return WalletTopicPrefix + id.String() }

// Missed reads the facts of a stream of the journal after a number; data is what the page
// is told of each, by its kind and payload.
func (h *House) Missed(ctx context.Context, topic string, after int64, max int,
	data func(kind string, payload []byte) ([]byte, error)) ([]web.Fact, error) {
	entries, err := h.Ground.Store.Stream(ctx, topic, uint64(after), max)
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
