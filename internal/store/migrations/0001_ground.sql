-- +goose Up
-- The schema is written once for PostgreSQL; dialect.go rewrites it for SQLite.
-- Texts that are looked up compare by their bytes, whatever the language of a server.
-- Times are microseconds since 1970 UTC. Identifiers are given by the program.

CREATE TABLE requests (
	id      BYTEA  NOT NULL,
	actor   TEXT COLLATE "C" NOT NULL,
	digest  BYTEA  NOT NULL,
	at      BIGINT NOT NULL,
	refused BIGINT NOT NULL,
	answer  BYTEA,
	PRIMARY KEY (id, actor)
) /* without rowid */;

CREATE TABLE accounts (
	path    TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	unit    TEXT   NOT NULL,
	floor   BIGINT NOT NULL,
	balance BIGINT NOT NULL,
	moves   BIGINT NOT NULL,
	last    BIGINT NOT NULL -- identifier of the latest movement, 0 before the first
) /* without rowid */;

CREATE TABLE movements (
	id         BIGINT NOT NULL,
	line       BIGINT NOT NULL,
	at         BIGINT NOT NULL,
	kind       TEXT   NOT NULL,
	ref        TEXT   NOT NULL,
	from_path  TEXT COLLATE "C" NOT NULL,
	to_path    TEXT COLLATE "C" NOT NULL,
	unit       TEXT   NOT NULL,
	amount     BIGINT NOT NULL CHECK (amount > 0),
	from_after BIGINT NOT NULL,
	to_after   BIGINT NOT NULL,
	from_prior BIGINT NOT NULL, -- the posting that touched the account before, 0 for the first:
	to_prior   BIGINT NOT NULL, -- a chain from accounts.last, where an index would cost a page a sale
	PRIMARY KEY (id, line)
) /* without rowid */;

CREATE TABLE states (
	name   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	number BIGINT NOT NULL,
	last   BIGINT NOT NULL, -- batch of the latest event, 0 before the first
	body   BYTEA
) /* without rowid */;

CREATE TABLE journal (
	batch   BIGINT NOT NULL,
	place   BIGINT NOT NULL,
	stream  TEXT COLLATE "C" NOT NULL,
	number  BIGINT NOT NULL,
	leaf    BYTEA  NOT NULL,
	salt    BYTEA,
	payload BYTEA,
	PRIMARY KEY (batch, place)
) /* without rowid */;
CREATE UNIQUE INDEX journal_stream ON journal (stream, number);

CREATE TABLE journal_batches (
	id          BIGINT NOT NULL PRIMARY KEY,
	leaves      BIGINT NOT NULL,
	hashes      BYTEA  NOT NULL,
	first_index BIGINT
);
CREATE INDEX journal_batches_open ON journal_batches (id) WHERE first_index IS NULL;
CREATE UNIQUE INDEX journal_batches_index ON journal_batches (first_index);

CREATE TABLE journal_tiles (
	level BIGINT NOT NULL,
	n     BIGINT NOT NULL,
	data  BYTEA  NOT NULL,
	PRIMARY KEY (level, n)
) /* without rowid */;

CREATE TABLE journal_checkpoints (
	size BIGINT NOT NULL PRIMARY KEY,
	root BYTEA  NOT NULL,
	at   BIGINT NOT NULL,
	note TEXT   NOT NULL
);

CREATE TABLE leases (
	scope      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	node       TEXT   NOT NULL,
	epoch      BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
) /* without rowid */;

CREATE TABLE secrets (
	use    TEXT COLLATE "C" NOT NULL,
	id     TEXT COLLATE "C" NOT NULL,
	key_id TEXT  NOT NULL,
	sealed BYTEA NOT NULL,
	PRIMARY KEY (use, id)
) /* without rowid */;

CREATE TABLE due (
	kind TEXT COLLATE "C" NOT NULL,
	ref  TEXT COLLATE "C" NOT NULL,
	at   BIGINT NOT NULL,
	PRIMARY KEY (kind, ref)
) /* without rowid */;
CREATE INDEX due_at ON due (at);

CREATE TABLE people (
	id         BIGINT NOT NULL PRIMARY KEY,
	sign_in    TEXT COLLATE "C" NOT NULL UNIQUE,
	name       TEXT   NOT NULL,
	password   TEXT   NOT NULL,
	born       TEXT   NOT NULL,
	locale     TEXT   NOT NULL,
	created_at BIGINT NOT NULL
);

CREATE TABLE sessions (
	token      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	data       BYTEA  NOT NULL,
	expires_at BIGINT NOT NULL
) /* without rowid */;
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE instant_units (
	block   BIGINT NOT NULL,
	number  BIGINT NOT NULL,
	player  BIGINT NOT NULL,
	sold_at BIGINT NOT NULL,
	outcome BIGINT NOT NULL,
	prize   BIGINT NOT NULL,
	PRIMARY KEY (block, number)
) /* without rowid */;
CREATE INDEX instant_units_player ON instant_units (player, sold_at, number);

-- +goose Down
DROP TABLE instant_units;
DROP TABLE sessions;
DROP TABLE people;
DROP TABLE due;
DROP TABLE secrets;
DROP TABLE leases;
DROP TABLE journal_checkpoints;
DROP TABLE journal_tiles;
DROP TABLE journal_batches;
DROP TABLE journal;
DROP TABLE states;
DROP TABLE movements;
DROP TABLE accounts;
DROP TABLE requests;
