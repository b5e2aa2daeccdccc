package app

import (
	"boulier/draw"
	"boulier/internal/proof"
	"boulier/internal/sealedblock"
	"boulier/money"
)

func headerOf(h sealedblock.Header, price money.Cents) proof.Header {
	return proof.Header{Block: h.Block, Kind: h.Kind, Size: int(h.Units), Price: price,
		Commitment: proof.Hash(h.Commitment), Root: proof.Hash(h.Root), Table: proof.Hash(h.Table),
		Game: proof.Hash(h.Game), Program: h.Program}
}

func sealedHeader(h proof.Header) sealedblock.Header {
	return sealedblock.Header{Block: h.Block, Kind: h.Kind, Units: int64(h.Size),
		Commitment: draw.Commitment(h.Commitment), Root: draw.Hash(h.Root), Table: draw.Hash(h.Table),
		Game: draw.Hash(h.Game), Program: h.Program}
}
