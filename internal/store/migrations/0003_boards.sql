-- +goose Up
-- The board that a unit of a word game is played on, from 1; 0 for games without boards.
ALTER TABLE instant_units ADD COLUMN board BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE instant_units DROP COLUMN board;
