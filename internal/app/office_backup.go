package app

import (
	"context"
	"time"

	"boulier/player"
	"boulier/regs"
)

// ErrNoCopy refuses a backup by a button where the database has its own tools.
var ErrNoCopy = &regs.Violation{Ref: "std:53", Code: "backup_elsewhere"}

// A CopiedFile is one file of a backup.
type CopiedFile struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`   // bytes
	Digest string `json:"digest"` // SHA-256 in hexadecimal
}

// A Backup is a copy that was made: the payload of its event.
type Backup struct {
	Name  string       `json:"name"`
	At    time.Time    `json:"at"` // when it was asked for
	By    player.ID    `json:"by"`
	Files []CopiedFile `json:"files"`
}

// backups is the state of the copies: the one that was asked for, and the last ones made.
type backups struct {
	Wanted *Backup  `json:"wanted,omitempty"`
	Made   []Backup `json:"made"` // newest first
}

// backupsShown is how many copies are remembered besides the journal.
const backupsShown = 30

const backupsCell Cell[backups] = "backups"

// Backup copies the database and the keys as two files (std:53), also while sales go on. A
// repeated request makes no second copy.
func (o Office) Backup(ctx context.Context, order Order) (Backup, error) {
	if o.Copy == nil {
		return Backup{}, ErrNoCopy.With("no copy is set up for this database")
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	keys := Keys{
		Request: NewRequest(order.Request, "person/"+order.By.String(), "backup", nil),
		States:  []string{string(backupsCell), string(standingOf(order.By))},
	}
	wanted, err := Do(ctx, o.Store, keys, func(tx Tx) (Backup, error) {
		if err := requireBy(tx, order.By, ManageHouse); err != nil {
			return Backup{}, err
		}
		b, err := backupsCell.Get(tx)
		if err != nil {
			return Backup{}, err
		}
		// The moment, and the end of the identifier for two within one second.
		want := Backup{Name: tx.Now().Format("20060102T150405Z") + "-" + order.Request.String()[24:],
			At: tx.Now(), By: order.By}
		b.Wanted = &want
		backupsCell.Put(tx, b)
		return want, backupsCell.Append(tx, "backup_ordered", struct {
			By   player.ID `json:"by"`
			Name string    `json:"name"`
		}{order.By, want.Name})
	})
	if err != nil {
		return Backup{}, err
	}
	return o.copyOnce(ctx, wanted)
}

// copyOnce makes the copy that was asked for, unless it was made.
func (o Office) copyOnce(ctx context.Context, wanted Backup) (Backup, error) {
	made, err := o.Backups(ctx)
	if err != nil {
		return wanted, err
	}
	for _, b := range made {
		if b.Name == wanted.Name {
			return b, nil
		}
	}
	if wanted.Files, err = o.Copy(ctx, wanted.Name); err != nil {
		return wanted, err
	}
	return wanted, o.Store.Update(ctx, Keys{States: []string{string(backupsCell)}}, func(tx Tx) error {
		b, err := backupsCell.Get(tx)
		if err != nil {
			return err
		}
		kept := append([]Backup{wanted}, b.Made[:min(len(b.Made), backupsShown-1)]...)
		backupsCell.Put(tx, backups{Made: kept})
		return backupsCell.Append(tx, "backup_made", wanted)
	})
}

// Backups returns the last copies made, newest first.
func (o Office) Backups(ctx context.Context) ([]Backup, error) {
	b, _, err := backupsCell.Read(ctx, o.Store)
	return b.Made, err
}
