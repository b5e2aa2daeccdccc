package app

import (
	"context"
	"fmt"
	"reflect"

	"boulier/game/contest"
	"boulier/journal"
)

// ReplayLeg folds the facts of a leg and returns an error unless they lead to what is stored
// (house:6). Nothing is decided about the leg meanwhile.
func (c *Contests) ReplayLeg(ctx context.Context, id contest.LegID) error {
	stored, _, err := c.Leg(ctx, id)
	if err != nil {
		return err
	}
	var is contest.Leg
	err = c.eachEvent(ctx, string(legCell(id)), 0, func(l journal.Leaf, payload []byte) error {
		e, err := factOf(legKinds, string(l.Kind), payload)
		if err == nil && e != nil {
			is = is.Apply(e)
		}
		return err
	})
	if err != nil {
		return err
	}
	return sameState(fmt.Sprintf("leg %d", id), is, stored.Leg)
}

// ReplayContest is the same of a contest.
func (c *Contests) ReplayContest(ctx context.Context, id contest.ID) error {
	stored, _, err := c.Contest(ctx, id)
	if err != nil {
		return err
	}
	var is contest.Contest
	err = c.eachEvent(ctx, string(contestCell(id)), 0, func(l journal.Leaf, payload []byte) error {
		e, err := factOf(contestKinds, string(l.Kind), payload)
		if err == nil && e != nil {
			is = is.Apply(e)
		}
		return err
	})
	if err != nil {
		return err
	}
	return sameState(fmt.Sprintf("contest %d", id), is, stored.Contest)
}

// sameState compares what facts lead to with what is stored, both as they are kept.
func sameState(what string, facts, stored any) error {
	a, err := encodeSnake(facts)
	if err != nil {
		return err
	}
	b, err := encodeSnake(stored)
	if err == nil && !reflect.DeepEqual(a, b) {
		err = fmt.Errorf("app: %s: its facts lead to %s, stored is %s", what, a, b)
	}
	return err
}
