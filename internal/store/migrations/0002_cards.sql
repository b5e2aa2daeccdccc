-- +goose Up
-- The cards of the registered series of the 90-ball games (loto:10). numbers are the fifteen
-- of a card, ascending: they are unique, so that no card exists twice in any two series.

CREATE TABLE ninety_cards (
	series  TEXT COLLATE "C" NOT NULL,
	number  BIGINT NOT NULL,
	ref     TEXT COLLATE "C" NOT NULL, -- what its printer calls it, if not by its number
	face    BYTEA  NOT NULL,           -- its fifteen numbers, line by line
	numbers BYTEA  NOT NULL UNIQUE,
	PRIMARY KEY (series, number)
) /* without rowid */;
CREATE INDEX ninety_cards_ref ON ninety_cards (ref, series) WHERE ref <> '';

-- +goose Down
DROP TABLE ninety_cards;
