package app

import "boulier/internal/snake"

// encodeSnake and decodeSnake write and read values of the domain; see package snake.
func encodeSnake(v any) ([]byte, error)    { return snake.Encode(v) }
func decodeSnake(b []byte, into any) error { return snake.Decode(b, into) }

// A snakeCell is a named state of a domain type, kept as encodeSnake writes it.
type snakeCell[T any] string

func (c snakeCell[T]) decode(b []byte) (any, error) {
	var v T
	err := decodeSnake(b, &v)
	return v, err
}

// Get returns the state as it stands in the transaction.
func (c snakeCell[T]) Get(tx Tx) (T, error) {
	var none T
	v, err := tx.Get(string(c), c.decode)
	if err != nil || v == nil {
		return none, err
	}
	return v.(T), nil
}

// Put replaces the state.
func (c snakeCell[T]) Put(tx Tx, v T) { tx.Put(string(c), v, encodeSnake) }
