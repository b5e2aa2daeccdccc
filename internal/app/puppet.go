package app

import (
	"context"
	"fmt"
	"time"

	"boulier/player"
)

// EntryState names the state of somebody's entry for the contests.
func EntryState(id player.ID) string { return string(entryCell(id)) }

// AdmitPuppet enters somebody for the contests who is no person. The keys name EntryState.
func AdmitPuppet(tx Tx, id player.ID, rules int) {
	entryCell(id).Put(tx, contestEntry{Status: EntryAdmitted, Since: tx.Now(), Rules: rules})
}

// AddPuppets registers players whom a program plays, for demonstrations: nobody can sign in
// as one, for they have no password.
func (p People) AddPuppets(ctx context.Context, names []string, rules int) ([]player.ID, error) {
	ids := make([]player.ID, len(names))
	for i, name := range names {
		signIn := fmt.Sprintf("joueur-%d", i+1)
		id, err := again(func() (player.ID, error) {
			id, err := nextPersonID(ctx, p.Store)
			if err != nil {
				return 0, err
			}
			keys := Keys{States: []string{string(nextPerson), string(signInName(signIn)), string(standingOf(id)), string(entryCell(id))}}
			return Do(ctx, p.Store, keys, func(tx Tx) (player.ID, error) {
				row := PersonRow{SignIn: signIn, Name: name, Born: time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC).Format(day), Locale: "fr"}
				s := Standing{Roles: []Role{Player}, Status: Active, Rules: rules, TestOnly: true}
				AdmitPuppet(tx, id, rules)
				return id, newPerson(tx, id, row, s, "demo")
			})
		})
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return ids, nil
}
