package app

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// readAtOnce is how many states are read in one go.
const readAtOnce = 500

// readCells returns every state whose name is prefix and a number, by that number.
func readCells[T any](ctx context.Context, r Reader, prefix string) ([]T, error) {
	return readNumbered(ctx, r, prefix, func(b []byte) (v T, err error) {
		x, err := decodeCell[T](b)
		if err != nil {
			return v, err
		}
		return x.(T), nil
	})
}

// readNumbered is readCells for states that are kept in another form.
func readNumbered[T any](ctx context.Context, r Reader, prefix string, decode func([]byte) (T, error)) ([]T, error) {
	type numbered struct {
		n int64
		v T
	}
	var list []numbered
	last := ""
	for {
		recs, err := r.States(ctx, prefix, last, readAtOnce)
		if err != nil {
			return nil, err
		}
		for _, rec := range recs {
			last = rec.Name
			n, err := strconv.ParseInt(strings.TrimPrefix(rec.Name, prefix), 10, 64)
			if err != nil || len(rec.Body) == 0 {
				continue
			}
			v, err := decode(rec.Body)
			if err != nil {
				return nil, fmt.Errorf("app: state %s: %w", rec.Name, err)
			}
			list = append(list, numbered{n, v})
		}
		if len(recs) < readAtOnce {
			break
		}
	}
	slices.SortFunc(list, func(a, b numbered) int { return int(a.n - b.n) })
	out := make([]T, len(list))
	for i, x := range list {
		out[i] = x.v
	}
	return out, nil
}
