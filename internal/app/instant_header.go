package app

import (
	"boulier/draw"
	"boulier/internal/proof"
	"boulier/internal/sealedblock"
)

// sealedHeader returns the header as package sealedblock opens it; the price is not part of
// what the block's draw depends on.
func sealedHeader(h proof.Header) sealedblock.Header {
	return sealedblock.Header{Block: h.Block, Kind: h.Kind, Units: int64(h.Size),
		Commitment: draw.Commitment(h.Commitment), Root: draw.Hash(h.Root), Table: draw.Hash(h.Table), Boards: draw.Hash(h.Boards),
		Game: draw.Hash(h.Game), Program: h.Program}
}
