package app

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"boulier/game/contest"
	"boulier/player"
	"boulier/regs"
)

// A LeagueID identifies a private league.
type LeagueID int64

// A League is a private league: friends who rank among themselves. It changes no ranking and no
// pot of a contest.
type League struct {
	ID      LeagueID    `json:"id"`
	Name    string      `json:"name"`
	Owner   player.ID   `json:"owner"`
	Token   string      `json:"token"` // of the link that invites
	Members []player.ID `json:"members"`
	At      time.Time   `json:"at"`
}

// The bounds of leagues.
const (
	maxMembers = 200
	maxLeagues = 50 // of one player
)

const (
	nextLeague   = counter("next/contest_league")
	leaguePrefix = "contest/league/"
)

func leagueCell(id LeagueID) Cell[League] {
	return Cell[League](leaguePrefix + strconv.FormatInt(int64(id), 10))
}

// leaguesCell holds the leagues of a player.
func leaguesCell(who player.ID) Cell[[]LeagueID] {
	return Cell[[]LeagueID]("contest/leagues/" + who.String())
}

// The refusals of leagues.
var (
	ErrLeagueName    = &regs.Violation{Ref: "contest:7", Code: "league_name"}
	ErrLeagueUnknown = &regs.Violation{Ref: "contest:7", Code: "league_unknown"}
	ErrLeagueFull    = &regs.Violation{Ref: "contest:7", Code: "league_full"}
	ErrLeagueOwner   = &regs.Violation{Ref: "contest:7", Code: "league_owner"}
)

// A LeagueOrder names who asks for something about a league, and for it once.
type LeagueOrder struct {
	Request RequestID
	By      player.ID
	League  LeagueID
}

// CreateLeague begins a league, whose only member is its owner.
func (c *Contests) CreateLeague(ctx context.Context, o LeagueOrder, name string) (LeagueID, error) {
	if name = strings.TrimSpace(name); name == "" || len([]rune(name)) > 60 {
		return 0, ErrLeagueName.With("%d characters", len([]rune(name)))
	}
	var token [16]byte
	c.Entropy(token[:])
	request := NewRequest(o.Request, "person/"+o.By.String(), "contest/league", name)
	return again(func() (LeagueID, error) {
		last, _, err := nextLeague.Read(ctx, c.Store)
		if err != nil {
			return 0, err
		}
		id := LeagueID(last + 1)
		keys := Keys{Request: request, States: append(memberKeys(o.By), string(nextLeague), string(leagueCell(id)))}
		return Do(ctx, c.Store, keys, func(tx Tx) (LeagueID, error) {
			if n, err := next(tx, nextLeague); err != nil || LeagueID(n) != id {
				return 0, moved(err)
			}
			l := League{ID: id, Name: name, Owner: o.By, Token: hex.EncodeToString(token[:]), At: tx.Now()}
			return id, enterLeague(tx, l, o.By, "league_created")
		})
	})
}

func memberKeys(who player.ID) []string {
	return []string{string(leaguesCell(who)), string(standingOf(who)), string(entryCell(who))}
}

// enterLeague makes somebody who takes part in the contests a member.
func enterLeague(tx Tx, l League, who player.ID, kind string) error {
	if err := requireBy(tx, who, Predict); err != nil {
		return err
	}
	e, err := entryCell(who).Get(tx)
	if err == nil {
		err = e.check()
	}
	if err != nil {
		return err
	}
	own, err := leaguesCell(who).Get(tx)
	if err != nil {
		return err
	}
	if len(l.Members) >= maxMembers || len(own) >= maxLeagues {
		return ErrLeagueFull.With("%d members, %d leagues", len(l.Members), len(own))
	}
	l.Members = append(slices.Clone(l.Members), who)
	leagueCell(l.ID).Put(tx, l)
	leaguesCell(who).Put(tx, append(slices.Clone(own), l.ID))
	return leagueCell(l.ID).Append(tx, kind, leagueEvent{l.ID, who})
}

// leagueEvent is the fact of a league; its name stands in the state alone.
type leagueEvent struct {
	League LeagueID  `json:"league"`
	Player player.ID `json:"player"`
}

// JoinLeague makes whoever has the link of a league its member.
func (c *Contests) JoinLeague(ctx context.Context, o LeagueOrder, token string) error {
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), "contest/league_join", []any{o.League, token}),
		States: append(memberKeys(o.By), string(leagueCell(o.League)))}
	_, err := Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		l, err := leagueCell(o.League).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if l.ID == 0 || token == "" || l.Token != token {
			return struct{}{}, ErrLeagueUnknown.With("league %d", o.League)
		}
		if slices.Contains(l.Members, o.By) {
			return struct{}{}, nil
		}
		return struct{}{}, enterLeague(tx, l, o.By, "league_joined")
	})
	return err
}

// LeaveLeague takes a member out: whoever wants to go, or whom the owner sends away. When the
// owner goes, the next member owns the league; the last one ends it.
func (c *Contests) LeaveLeague(ctx context.Context, o LeagueOrder, who player.ID) error {
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), "contest/league_leave", []any{o.League, who}),
		States: []string{string(leagueCell(o.League)), string(leaguesCell(who))}}
	_, err := Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		l, err := leagueCell(o.League).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if !slices.Contains(l.Members, who) || !slices.Contains(l.Members, o.By) {
			return struct{}{}, ErrLeagueUnknown.With("league %d", o.League)
		}
		if o.By != who && o.By != l.Owner {
			return struct{}{}, ErrLeagueOwner.With("player %d is not the owner", o.By)
		}
		own, err := leaguesCell(who).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		l.Members = slices.DeleteFunc(slices.Clone(l.Members), func(id player.ID) bool { return id == who })
		if l.Owner == who && len(l.Members) > 0 {
			l.Owner = l.Members[0]
		}
		if len(l.Members) == 0 {
			l.Token = "" // nobody can follow the link any more
		}
		leagueCell(l.ID).Put(tx, l)
		leaguesCell(who).Put(tx, slices.DeleteFunc(slices.Clone(own), func(id LeagueID) bool { return id == l.ID }))
		return struct{}{}, leagueCell(l.ID).Append(tx, "league_left", leagueEvent{l.ID, who})
	})
	return err
}

// RenewLink makes the link of a league anew: the old one is void.
func (c *Contests) RenewLink(ctx context.Context, o LeagueOrder) error {
	var token [16]byte
	c.Entropy(token[:])
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), "contest/league_link", o.League),
		States: []string{string(leagueCell(o.League))}}
	_, err := Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		l, err := leagueCell(o.League).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if l.Owner != o.By || len(l.Members) == 0 {
			return struct{}{}, ErrLeagueOwner.With("player %d is not the owner", o.By)
		}
		l.Token = hex.EncodeToString(token[:])
		leagueCell(l.ID).Put(tx, l)
		return struct{}{}, leagueCell(l.ID).Append(tx, "league_link_renewed", leagueEvent{l.ID, o.By})
	})
	return err
}

// Leagues returns the leagues of a player, in the order in which they were joined.
func (c *Contests) Leagues(ctx context.Context, who player.ID) ([]League, error) {
	ids, _, err := leaguesCell(who).Read(ctx, c.Store)
	if err != nil {
		return nil, err
	}
	var out []League
	for _, id := range ids {
		l, _, err := leagueCell(id).Read(ctx, c.Store)
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// League returns a league for one of its members, or for whoever has its link.
func (c *Contests) League(ctx context.Context, id LeagueID, who player.ID, token string) (League, error) {
	l, _, err := leagueCell(id).Read(ctx, c.Store)
	if err != nil {
		return League{}, err
	}
	if l.ID == 0 || !slices.Contains(l.Members, who) && (token == "" || token != l.Token) {
		return League{}, ErrNotFound
	}
	return l, nil
}

// LeagueRanking ranks the members of a league among themselves by the ranking of a contest that
// is shown: equal points share a rank, and who has none comes last without one.
func (c *Contests) LeagueRanking(ctx context.Context, l League, s ContestState) (RankPage, error) {
	scope := contestSubject(s.ID).scope(s.Shown.Run)
	var standings []contest.Standing
	for _, who := range l.Members {
		row, err := c.Store.RankOf(ctx, scope, who)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return RankPage{}, err
		}
		standings = append(standings, contest.Standing{Player: who, Points: contest.Points(row.Points)})
	}
	var p RankPage
	for i, r := range contest.Rank(standings) {
		p.Rows = append(p.Rows, RankRow{Scope: scope, Place: int64(i + 1), Player: r.Player, Rank: int64(r.Rank), Points: int64(r.Points)})
	}
	var err error
	p.Names, err = c.Names(ctx, l.Members)
	return p, err
}
