-- +goose Up
-- With the player, what opens the digest of the buyer in the fact of a sale (instant:2): sixteen
-- random bytes, NULL once they are erased.
ALTER TABLE instant_units ADD COLUMN blind BYTEA;

-- +goose Down
ALTER TABLE instant_units DROP COLUMN blind;
