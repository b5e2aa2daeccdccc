-- +goose Up
-- The computed rankings of the prediction contests (contest:7, contest:10). A scope is a
-- subject and the run that computed it, so that a correction never changes one that was shown.

CREATE TABLE contest_ranks (
	scope  TEXT COLLATE "C" NOT NULL,
	place  BIGINT NOT NULL, -- from 1: the order of the list
	player BIGINT NOT NULL,
	rank   BIGINT NOT NULL, -- with ties
	points BIGINT NOT NULL,
	share  BIGINT NOT NULL, -- of the pot, in hundredths of nuggets
	PRIMARY KEY (scope, place)
) /* without rowid */;
CREATE INDEX contest_ranks_player ON contest_ranks (scope, player);

-- +goose Down
DROP TABLE contest_ranks;
