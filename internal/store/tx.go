package store

import (
	"fmt"
	"time"

	"boulier/internal/app"
	"boulier/journal"
	"boulier/ledger"
)

// A transaction is the view of one call on the working state of its group. It writes there
// at once and remembers how to take it back. The writer uses one for all calls in turn.
type transaction struct {
	w       *writer
	keys    *app.Keys
	at      time.Time
	moment  bool  // at is set
	lease   bool  // the lease has been checked
	fault   error // a misuse, which fn cannot hide
	spoiled error // a movement refused, after which fn must not succeed
	answer  []byte
	prior   *app.Answer

	// What undo needs.
	accounts []accountUndo
	states   []stateUndo
	rows     []*table // of each row written
	entries  int      // how many there were before the call
	erasures int
}

type accountUndo struct {
	at  *account
	was account
}

type stateUndo struct {
	at  *state
	was state
}

// begin opens the transaction of a call.
func (w *writer) begin(c *call) *transaction {
	t := &w.tx
	*t = transaction{w: w, keys: &c.keys, entries: len(w.entries), erasures: len(w.erasures),
		accounts: t.accounts[:0], states: t.states[:0], rows: t.rows[:0]}
	if r := c.keys.Request; !r.None() {
		if a, ok := w.requests[requestKey{r.ID, r.Actor}]; ok {
			t.prior = &a
		}
	}
	return t
}

// undo takes back whatever the call has written.
func (t *transaction) undo() {
	for i := len(t.accounts) - 1; i >= 0; i-- {
		*t.accounts[i].at = t.accounts[i].was
	}
	for i := len(t.states) - 1; i >= 0; i-- {
		*t.states[i].at = t.states[i].was
	}
	for _, table := range t.rows {
		t.w.unwrite(table)
	}
	t.rows = t.rows[:0] // what follows, the request and its answer, stays
	t.w.entries = t.w.entries[:t.entries]
	t.w.erasures = t.w.erasures[:t.erasures]
}

// keepAnswer stores what the request was answered, unless it was answered before.
func (t *transaction) keepAnswer(refused bool, body []byte) {
	r := t.keys.Request
	if r.None() || t.prior != nil {
		return
	}
	if body == nil {
		body = []byte{}
	}
	t.w.requests[requestKey{r.ID, r.Actor}] = app.Answer{Digest: r.Digest, Refused: refused, Body: body}
	n := int64(0)
	if refused {
		n = 1
	}
	t.write(insert, requestsTable, r.ID[:], r.Actor, r.Digest[:], t.Now().UnixMicro(), n, body)
}

func (t *transaction) write(o op, table *table, values ...any) {
	t.w.write(o, table, values...)
	t.rows = append(t.rows, table)
}

// wrong remembers a misuse, so that the call fails even if fn goes on.
func (t *transaction) wrong(err error) error {
	if t.fault == nil {
		t.fault = err
	}
	return err
}

func (t *transaction) Now() time.Time {
	if !t.moment {
		t.at, t.moment = t.w.now(), true
	}
	return t.at
}

// NewID returns microseconds and node, or the next free number if several fall together.
func (t *transaction) NewID() int64 {
	return t.w.newID(t.Now())
}

func (w *writer) newID(at time.Time) int64 {
	id := at.UnixMicro()<<nodeBits | int64(w.store.cfg.Node)
	if id <= w.lastID {
		id = w.lastID + 1<<nodeBits
	}
	w.lastID = id
	return id
}

// saw makes later identifiers larger than one of another node, whose clock may be ahead of
// this one's: so identifiers grow along each stream and each account.
func (w *writer) saw(id int64) {
	w.lastID = max(w.lastID, id>>nodeBits<<nodeBits|int64(w.store.cfg.Node))
}

func (t *transaction) Prior() (app.Answer, bool) {
	if t.prior == nil {
		return app.Answer{}, false
	}
	return *t.prior, true
}

func (t *transaction) Answer(body []byte) { t.answer = body }

func (t *transaction) Get(name string, decode func([]byte) (any, error)) (any, error) {
	s, err := t.state(name)
	if err != nil {
		return nil, err
	}
	if !s.decoded {
		if s.raw != nil {
			if s.value, err = decode(s.raw); err != nil {
				return nil, t.wrong(fmt.Errorf("store: state %s: %w", name, err))
			}
		}
		s.decoded = true
	}
	return s.value, nil
}

func (t *transaction) Put(name string, value any, encode func(any) ([]byte, error)) {
	s, err := t.state(name)
	if err != nil {
		return // the fault is kept
	}
	t.states = append(t.states, stateUndo{s, *s})
	s.value, s.encode, s.decoded, s.dirty = value, encode, true, true
}

func (t *transaction) state(name string) (*state, error) {
	for _, key := range t.keys.States {
		if key == name {
			return t.w.states[name], nil
		}
	}
	return nil, t.wrong(fmt.Errorf("%w: state %s", app.ErrKey, name))
}

func (t *transaction) Append(stream, kind string, payload []byte) (uint64, error) {
	s, err := t.state(stream)
	if err != nil {
		return 0, err
	}
	if err := t.checkLease(); err != nil {
		return 0, err
	}
	t.states = append(t.states, stateUndo{s, *s})
	s.number++
	s.dirty, s.appended = true, true
	var salt journal.Salt
	t.w.store.cfg.Entropy(salt[:])
	header := journal.Header{Stream: journal.Stream(stream), Number: int64(s.number), At: t.Now(),
		Kind: journal.Kind(kind)}
	leaf, err := journal.NewLeaf(header, salt, payload)
	if err != nil {
		return 0, t.wrong(err)
	}
	t.w.entries = append(t.w.entries, entry{stream, s.number, leaf, salt[:], payload})
	return s.number, nil
}

// checkLease refuses to act under a lease that is no longer this node's.
func (t *transaction) checkLease() error {
	want := t.keys.Lease
	if want.Scope == "" || t.lease {
		return nil
	}
	l := t.w.leases[want.Scope]
	if l.epoch != want.Epoch || l.node != t.w.store.node() || l.expires <= t.Now().UnixMicro() {
		return t.wrong(fmt.Errorf("%w: %s", app.ErrLease, want.Scope))
	}
	t.lease = true
	return nil
}

func (t *transaction) account(path ledger.Path) (*account, error) {
	for _, key := range t.keys.Accounts {
		if key == path {
			return t.w.accounts[path], nil
		}
	}
	return nil, t.wrong(fmt.Errorf("%w: account %s", app.ErrKey, path))
}

func (t *transaction) Account(path ledger.Path) (ledger.Account, error) {
	a, err := t.account(path)
	if err != nil {
		return ledger.Account{}, err
	}
	return a.Account, nil
}

func (t *transaction) Post(p app.Posting) (int64, error) {
	if err := t.checkLease(); err != nil {
		return 0, err
	}
	id, at := t.NewID(), t.Now().UnixMicro()
	for line, m := range p.Moves {
		from, err := t.account(m.From)
		if err != nil {
			return 0, err
		}
		to, err := t.account(m.To)
		if err != nil {
			return 0, err
		}
		t.accounts = append(t.accounts, accountUndo{from, *from}, accountUndo{to, *to})
		if err := ledger.Move(&from.Account, &to.Account, m); err != nil {
			t.spoiled = err
			return 0, err
		}
		from.touch(id)
		to.touch(id)
		t.write(insert, movementsTable, id, int64(line+1), at, p.Kind, p.Ref, string(m.From),
			string(m.To), string(m.Amount.Unit), m.Amount.Count, from.Balance, to.Balance,
			from.prior, to.prior)
	}
	return id, nil
}

func (t *transaction) SetFloor(path ledger.Path, floor int64) error {
	a, err := t.account(path)
	if err != nil {
		return err
	}
	t.accounts = append(t.accounts, accountUndo{a, *a})
	a.Floor, a.dirty = floor, true
	return nil
}

func (t *transaction) Erase(stream string, number uint64) error {
	if _, err := t.state(stream); err != nil {
		return err
	}
	t.w.erasures = append(t.w.erasures, stream, int64(number))
	return nil
}

func (t *transaction) Insert(rows ...app.Row) {
	for _, r := range rows {
		table, values := spread(r)
		t.write(insert, table, values...)
	}
}

func (t *transaction) Save(rows ...app.Row) {
	for _, r := range rows {
		table, values := spread(r)
		t.write(save, table, values...)
	}
}

func (t *transaction) Delete(rows ...app.Row) {
	for _, r := range rows {
		table, values := spread(r)
		t.write(remove, table, values[:table.key]...)
	}
}
