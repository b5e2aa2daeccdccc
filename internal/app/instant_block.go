package app

import (
	"context"
	"fmt"

	"boulier/draw"
	"boulier/internal/face"
	"boulier/internal/gamefile"
	"boulier/internal/sealedblock"
)

// openBlock returns a block whose secret is open in this process, opening it if need be:
// one at a time, so that a crowd of first buyers opens a block once.
func (i *Instant) openBlock(ctx context.Context, id BlockID, why string) (*openBlock, error) {
	if b := i.opened(id); b != nil {
		return b, nil
	}
	i.opening.Lock()
	defer i.opening.Unlock()
	if b := i.opened(id); b != nil {
		return b, nil
	}
	state, _, err := blockCell(id).Read(ctx, i.Store)
	if err != nil {
		return nil, err
	}
	issue, _, err := issueCell(state.Issue).Read(ctx, i.Store)
	if err != nil {
		return nil, err
	}
	file, err := i.gameFile(ctx, issue.Game)
	if err != nil {
		return nil, err
	}
	level, _, err := treeCell(id).Read(ctx, i.Store)
	if err != nil {
		return nil, err
	}
	secret, err := i.openSecret(ctx, draw.InstantBlock, drawID(id), "server", why)
	if err != nil {
		return nil, err
	}
	block, err := sealedblock.Open(file, sealedHeader(state.Header), secret, level)
	if err != nil {
		return nil, err
	}
	maker, err := face.New(file.Game)
	if err != nil {
		return nil, err
	}
	b := &openBlock{&file.Game, block, maker}
	i.keepOpen(id, b)
	return b, nil
}

// opened returns a block whose secret is open in this process, nil if it is not.
func (i *Instant) opened(id BlockID) *openBlock {
	i.mu.RLock()
	defer i.mu.RUnlock()
	return i.open[id]
}

func (i *Instant) keepOpen(id BlockID, b *openBlock) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.open[id] = b
}

// gameFile reads an imported game again.
func (i *Instant) gameFile(ctx context.Context, id GameID) (gamefile.File, error) {
	rec, _, err := gameCell(id).Read(ctx, i.Store)
	if err != nil {
		return gamefile.File{}, err
	}
	file, faults := gamefile.Parse(rec.Name, rec.File)
	if len(faults) > 0 {
		return gamefile.File{}, fmt.Errorf("app: game %d is faulty: %s", id, faults[0])
	}
	return file, nil
}
