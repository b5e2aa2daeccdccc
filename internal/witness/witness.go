package witness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"boulier/game/bingo"
	"boulier/internal/proof"
	"boulier/internal/snake"
	"boulier/journal"
)

// Timeout bounds each request of a witness.
const Timeout = 5 * time.Second

// How often a witness asks: at once after something was wanted, later when the server fails.
const (
	askEvery   = 500 * time.Millisecond
	askFailing = time.Second
)

// maxAnswer bounds what a witness reads of an answer.
const maxAnswer = 4 << 20

// A Witness takes part in the rounds of a server.
type Witness struct {
	Server string // its address, http:// or https://
	Folder *Folder
	Log    *slog.Logger
	Client *http.Client // nil for one of its own

	head   journal.Head // the latest that was seen
	signed string       // its checkpoint
	key    string       // the operator's
	failed bool         // the last request
}

// Errors after which a witness ends: going on would be wrong, and a person must look.
var (
	// ErrOperator says that the server is of another operator than the one known.
	ErrOperator = errors.New("witness: the server is of another operator than the one known")
	// ErrDishonest says that the server asks for what no honest one does.
	ErrDishonest = errors.New("witness: the server shows what cannot be: its secret stays closed")
)

// Run answers the server until ctx ends. The operator is the verifier key that the server must
// have; empty trusts the key of the first answer, and that one from then on.
func (w *Witness) Run(ctx context.Context, operator string) error {
	if w.Client == nil {
		w.Client = &http.Client{Timeout: Timeout}
	}
	if err := w.restore(operator); err != nil {
		return err
	}
	for {
		err := w.Ask(ctx)
		pause := askEvery
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, ErrOperator), errors.Is(err, ErrDishonest), errors.Is(err, ErrOpened):
			return err
		case err != nil:
			if !w.failed {
				w.Log.Warn("the server does not answer as it should; asking on", "error", err)
			}
			pause = askFailing
		case w.failed:
			w.Log.Info("the server answers again")
		}
		w.failed = err != nil
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil
		}
	}
}

// restore takes up what the folder holds.
func (w *Witness) restore(operator string) (err error) {
	known, err := w.Folder.read(operatorFile)
	if err != nil {
		return err
	}
	w.key = strings.TrimSpace(known)
	if operator != "" {
		if w.key != "" && w.key != operator {
			return fmt.Errorf("%w: its folder knows %s", ErrOperator, w.key)
		}
		w.key = operator
	}
	if w.key != "" {
		if _, err := journal.ParseKey(w.key); err != nil {
			return fmt.Errorf("witness: the operator's key, as given or in %s: %w", operatorFile, err)
		}
	}
	if w.signed, err = w.Folder.read(checkpointFile); err != nil || w.signed == "" {
		return err
	}
	v, err := journal.ParseKey(w.key)
	if err != nil {
		return fmt.Errorf("witness: %s holds no key for %s: %w", operatorFile, checkpointFile, err)
	}
	c, err := journal.Open([]byte(w.signed), v)
	if err != nil {
		return fmt.Errorf("witness: %s: %w", checkpointFile, err)
	}
	w.head = c.Head
	return nil
}

// Ask asks the server once what is wanted, and does it.
func (w *Witness) Ask(ctx context.Context) error {
	body, err := w.call(ctx, http.MethodGet, fmt.Sprintf("work?since=%d", w.head.Size), "")
	if err != nil {
		return err
	}
	var work proof.WitnessWork
	if err := json.Unmarshal(body, &work); err != nil {
		return fmt.Errorf("witness: the answer of the server: %w", err)
	}
	if work.Witness != w.Folder.Key() {
		return fmt.Errorf("witness: the house has not named this witness: a manager enters the key %s", w.Folder.Key())
	}
	if err := w.meet(work.Key); err != nil {
		return err
	}
	if work.Next > 0 {
		if err := w.commit(ctx, work.Next); err != nil {
			return err
		}
	}
	if work.Round > 0 {
		return w.open(ctx, work)
	}
	return nil
}

// meet holds that the operator is the one known, and remembers a first one.
func (w *Witness) meet(key string) error {
	if _, err := journal.ParseKey(key); err != nil {
		return fmt.Errorf("witness: the key of the server: %w", err)
	}
	if w.key != "" && w.key != key {
		return fmt.Errorf("%w: it signs by %s, known is %s", ErrOperator, journal.Fingerprint(key), journal.Fingerprint(w.key))
	}
	w.key = key
	known, err := w.Folder.read(operatorFile)
	if err != nil || known != "" {
		return err
	}
	return w.Folder.write(operatorFile, []byte(key+"\n"))
}

// commit sends the commitment to a round.
func (w *Witness) commit(ctx context.Context, id bingo.RoundID) error {
	p, err := w.Folder.commit(id)
	if err != nil {
		return err
	}
	if _, err := w.call(ctx, http.MethodPost, "commit", p.Signed); err != nil {
		return err
	}
	w.Log.Info("committed", "round", id, "commitment", p.Commitment)
	return nil
}

// open sends the secret of a round, if everything shows that its sale is closed. That it is
// opened, and for which closing, is kept before it leaves.
func (w *Witness) open(ctx context.Context, work proof.WitnessWork) error {
	p, err := w.Folder.part(work.Round)
	if err != nil {
		return err
	}
	if p.Signed == "" {
		return fmt.Errorf("%w: round %d has no commitment of this witness", ErrDishonest, work.Round)
	}
	if p.Closed != "" && p.Closed != work.Closed.Leaf {
		return fmt.Errorf("%w: it closes the sale of round %d a second time", ErrDishonest, work.Round)
	}
	head, err := w.check(work, p)
	if err != nil {
		return fmt.Errorf("%w: round %d: %w", ErrDishonest, work.Round, err)
	}
	p.Closed, p.Checkpoint = work.Closed.Leaf, work.Checkpoint
	if err := w.Folder.keep(work.Round, p); err != nil {
		return err
	}
	if err := w.Folder.write(checkpointFile, []byte(work.Checkpoint)); err != nil {
		return err
	}
	w.head, w.signed = head, work.Checkpoint
	form := url.Values{"round": {fmt.Sprint(work.Round)}, "secret": {p.Secret}}
	if _, err := w.call(ctx, http.MethodPost, "open", form.Encode()); err != nil {
		return err
	}
	w.Log.Info("opened", "round", work.Round)
	return nil
}

// check holds that a signed checkpoint, which extends the one seen before, has the round with
// this witness's own commitment, and after it the closing of its sale.
func (w *Witness) check(work proof.WitnessWork, p Part) (journal.Head, error) {
	v, err := journal.ParseKey(w.key)
	if err != nil {
		return w.head, err
	}
	now, err := journal.Open([]byte(work.Checkpoint), v)
	if err != nil {
		return w.head, err
	}
	if w.head.Size > 0 {
		if err := journal.VerifyConsistency(w.head, now.Head, work.Consistency.Proof()); err != nil {
			return w.head, err
		}
	}
	stream := proof.RoundStream(work.Round)
	if _, err := work.Committed.Open(now.Head, stream, 2, journal.Kind(bingo.RoundCommitted{}.Kind())); err != nil {
		return w.head, err
	}
	var c bingo.RoundCommitted
	if err := snake.Decode([]byte(work.Committed.Payload), &c); err != nil {
		return w.head, err
	}
	if c.Witness != p.Commitment || c.Signed != p.Signed || c.Key != w.Folder.Key() {
		return w.head, errors.New("the round has another commitment of this witness")
	}
	if _, err := work.Closed.Open(now.Head, stream, 0, journal.Kind(bingo.SaleClosed{}.Kind())); err != nil {
		return w.head, err
	}
	if work.Closed.Index <= work.Committed.Index {
		return w.head, errors.New("the sale closes before the round is committed")
	}
	return now.Head, nil
}

// call sends a request and returns the body of a good answer.
func (w *Witness) call(ctx context.Context, method, name, body string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(w.Server, "/")+Path+name, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	answer, err := w.Client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	if answer.StatusCode/100 != 2 {
		return nil, fmt.Errorf("witness: the server answers %s: %s", answer.Status, strings.TrimSpace(string(text[:min(len(text), 300)])))
	}
	return text, nil
}
