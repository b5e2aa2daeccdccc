package site

import (
	"context"

	"boulier/player"
)

// terminalWallet is the live topic of the account that is entered at this terminal, or "".
func (s *Site) terminalWallet(ctx context.Context) string {
	if id := s.sessions.GetInt64(ctx, accountKey); id != 0 {
		return walletTopic(player.ID(id))
	}
	return ""
}
