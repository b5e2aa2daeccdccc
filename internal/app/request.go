package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"boulier/regs"
)

// A RequestID identifies one changing request for ever. It is made with the form that
// sends it, as a UUIDv7, so that an index of them grows at its end.
type RequestID [16]byte

// NewRequestID makes an identifier.
func NewRequestID() RequestID { return RequestID(uuid.Must(uuid.NewV7())) }

// ParseRequestID reads the form of String, and only a UUIDv7.
func ParseRequestID(s string) (RequestID, error) {
	id, err := uuid.Parse(s)
	if err != nil || id.Version() != 7 || len(s) != 36 {
		return RequestID{}, ErrRequestID.With("%q is not a UUIDv7", s)
	}
	return RequestID(id), nil
}

func (id RequestID) String() string { return uuid.UUID(id).String() }

// A Request is one changing request of one actor. The zero Request is none: work of the
// program itself, which is made once by other means.
type Request struct {
	ID     RequestID
	Actor  string   // "person/9"; two actors may use one identifier without meeting
	Digest [32]byte // of what is asked, so that an identifier cannot serve twice
}

// NewRequest returns the request of an actor for an action with its parameters, which
// must be encodable as JSON.
func NewRequest(id RequestID, actor, action string, params any) Request {
	body, err := json.Marshal(params)
	if err != nil {
		panic(fmt.Sprintf("app: request %s cannot be digested: %v", action, err))
	}
	h := sha256.New()
	h.Write([]byte(action))
	h.Write([]byte{'\n'})
	h.Write(body)
	return Request{ID: id, Actor: actor, Digest: [32]byte(h.Sum(nil))}
}

// None reports whether r is the zero Request.
func (r Request) None() bool { return r.ID == RequestID{} }

// An Answer is what a request was answered.
type Answer struct {
	Digest  [32]byte
	Refused bool   // the body is a violation
	Body    []byte // nil once the 90 days are over
}

// The violations of repeated requests.
var (
	ErrRequestID     = &regs.Violation{Ref: "std:43", Code: "request_malformed"}
	ErrRequestReused = &regs.Violation{Ref: "std:43", Code: "request_reused"}
	ErrAlreadyDone   = &regs.Violation{Ref: "std:43", Code: "already_done"}
)

// Do runs fn once for each request: a repeated one gets the first answer, success or
// violation, whatever has changed since; the same identifier with other content is
// refused. Faults are not kept.
func Do[T any](ctx context.Context, s Store, keys Keys, fn func(tx Tx) (T, error)) (T, error) {
	var out T
	err := s.Update(ctx, keys, func(tx Tx) error {
		var none T
		out = none
		if prior, ok := tx.Prior(); ok {
			return prior.decode(keys.Request, &out)
		}
		got, err := fn(tx)
		if err != nil {
			return err
		}
		if !keys.Request.None() {
			body, err := json.Marshal(got)
			if err != nil {
				return fmt.Errorf("app: encoding the answer: %w", err)
			}
			tx.Answer(body)
		}
		out = got
		return nil
	})
	if err != nil {
		var none T
		return none, err
	}
	return out, nil
}

// decode gives a stored answer again.
func (a Answer) decode(r Request, out any) error {
	switch {
	case a.Digest != r.Digest:
		return ErrRequestReused.With("request %s was made for something else", hex.EncodeToString(r.ID[:]))
	case a.Body == nil:
		return ErrAlreadyDone.With("request %s was answered long ago", hex.EncodeToString(r.ID[:]))
	case a.Refused:
		v, err := DecodeViolation(a.Body)
		if err != nil {
			return err
		}
		return v
	}
	return json.Unmarshal(a.Body, out)
}

// storedViolation is a violation as the table of requests keeps it.
type storedViolation struct {
	Ref    regs.Ref `json:"ref"`
	Code   string   `json:"code"`
	Detail string   `json:"detail,omitempty"`
}

// EncodeViolation returns the bytes that are kept of a violation.
func EncodeViolation(v *regs.Violation) []byte {
	b, err := json.Marshal(storedViolation(*v))
	if err != nil {
		panic(err) // three strings always encode
	}
	return b
}

// DecodeViolation reads what EncodeViolation wrote.
func DecodeViolation(b []byte) (*regs.Violation, error) {
	var s storedViolation
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, errors.Join(errors.New("app: a stored violation is damaged"), err)
	}
	v := regs.Violation(s)
	return &v, nil
}
