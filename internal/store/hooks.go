package store

import "sync/atomic"

// hooks let tests stand between the writer and the engine.
type hooks struct {
	// commit carries out do, which commits; a test may wait before it, or lose its answer.
	commit func(do func() error) error
}

// counters say what the writer has done since it was opened.
type counters struct {
	commits atomic.Int64
	rows    [32]atomic.Int64 // written, by table
}

// count adds the rows of a group that is committed.
func (w *writer) count() {
	for _, t := range tables {
		for _, r := range w.runs[t.id] {
			w.store.rows[t.id].Add(int64(len(r.flat) / len(t.columns(r.op))))
		}
	}
}

// Waiting returns how many requests wait for the writer.
func (s *Store) Waiting() int { return len(s.queue) }

// Counts are figures for benchmarks and metrics.
type Counts struct {
	Commits int64
	Rows    map[string]int64 // written, by table
}

// Counts returns what the writer has done since it was opened.
func (s *Store) Counts() Counts {
	c := Counts{Commits: s.commits.Load(), Rows: map[string]int64{}}
	for _, t := range tables {
		c.Rows[t.name] = s.rows[t.id].Load()
	}
	return c
}
