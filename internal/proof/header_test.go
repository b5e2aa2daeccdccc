package proof

import (
	"testing"

	"boulier/draw"
	"boulier/internal/gamefile"
	"boulier/internal/sealedblock"
)

// TestNewHeader_OfABlockThatWasMade checks that what packages sealedblock and proof say of
// a block agrees, since they share no code: the salt, the table, the order, the root.
func TestNewHeader_OfABlockThatWasMade(t *testing.T) {
	t.Parallel()
	f, faults := gamefile.Parse("game.toml", []byte(`title = "Trois pareils"
kind = "three-alike"
block = 600
price = "2.00"
[[prizes]]
count = 1
amount = "50.00"
[[prizes]]
count = 20
amount = "5.00"
[[prizes]]
count = 100
amount = "2.00"
`))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	secret := draw.Secret{1, 2, 3}
	made, err := sealedblock.Make(f, "block-1", "v0.1.0", secret)
	if err != nil {
		t.Fatal(err)
	}
	b := Block{Table: []Prize{{1, 5000}, {20, 500}, {100, 200}}}
	h := NewHeader(made.Header, f.Game.Price)
	if err := h.check(); err != nil {
		t.Error(err)
	}
	if _, err := b.drawAgain(h, secret); err != nil {
		t.Error(err)
	}
}
