package app

import (
	"context"
	"unicode/utf8"

	"boulier/player"
	"boulier/regs"
)

// Settings are the few things that an administrator sets while the house runs.
type Settings struct {
	Operator string `json:"operator"` // whose house it is, on pages, receipts and reports
	Address  string `json:"address"`  // under the name on receipts
	Desks    int64  `json:"desks"`    // how many cash desks there are
}

const settingsCell Cell[Settings] = "settings"

// defaultDesks is how many desks a house has before anybody says.
const defaultDesks = 4

// desks is the number of desks, also before it was set.
func (s Settings) desks() int64 {
	if s.Desks == 0 {
		return defaultDesks
	}
	return s.Desks
}

// ErrSettings refuses settings that cannot be shown or used.
var ErrSettings = &regs.Violation{Ref: "std:24", Code: "settings_refused"}

// check refuses what no page could show.
func (s Settings) check() error {
	if utf8.RuneCountInString(s.Operator) > 60 || utf8.RuneCountInString(s.Address) > 120 {
		return ErrSettings.With("a name of 60 characters and an address of 120 at most")
	}
	if s.Desks < 1 || s.Desks > int64(MaxDesks) {
		return ErrSettings.With("%d desks", s.Desks)
	}
	return nil
}

// Settings returns the settings in force.
func (g *Ground) Settings(ctx context.Context) (Settings, error) {
	s, _, err := settingsCell.Read(ctx, g.Store)
	s.Desks = s.desks()
	return s, err
}

// A SettingsChange is an administrator's order.
type SettingsChange struct {
	Request  RequestID
	By       player.ID
	Settings Settings
}

// ChangeSettings replaces the settings; the event holds both states (std:25).
func (o Office) ChangeSettings(ctx context.Context, c SettingsChange) error {
	if err := c.Settings.check(); err != nil {
		return err
	}
	keys := Keys{
		Request: NewRequest(c.Request, "person/"+c.By.String(), "settings", c.Settings),
		States:  []string{string(settingsCell), string(standingOf(c.By))},
	}
	_, err := Do(ctx, o.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, c.By, ManageHouse); err != nil {
			return struct{}{}, err
		}
		was, err := settingsCell.Get(tx)
		if err != nil || was == c.Settings {
			return struct{}{}, err
		}
		settingsCell.Put(tx, c.Settings)
		return struct{}{}, settingsCell.Append(tx, "settings_changed", struct {
			By     player.ID `json:"by"`
			Before Settings  `json:"before"`
			After  Settings  `json:"after"`
		}{c.By, was, c.Settings})
	})
	return err
}
