package web

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A cursor is the number of the last fact that a page has, by topic.
type cursor map[string]int64

// String writes the cursor as an event id: "bingo/17:42,wallet/9:7".
func (c cursor) String() string {
	var b strings.Builder
	for i, topic := range slices.Sorted(maps.Keys(c)) {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s:%d", topic, c[topic])
	}
	return b.String()
}

// parseCursor reads what String writes: one to sixteen topics, each once.
func parseCursor(s string) (cursor, error) {
	c := make(cursor)
	for part := range strings.SplitSeq(s, ",") {
		i := strings.LastIndexByte(part, ':')
		if i <= 0 {
			return nil, fmt.Errorf("cursor %q: no topic and number", part)
		}
		topic := part[:i]
		n, err := strconv.ParseInt(part[i+1:], 10, 64)
		if err != nil || n < 0 || part[i+1:] != strconv.FormatInt(n, 10) {
			return nil, fmt.Errorf("cursor %q: not a number", part)
		}
		if _, twice := c[topic]; twice {
			return nil, fmt.Errorf("cursor: topic %q twice", topic)
		}
		for _, r := range topic {
			if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
				r == '/' || r == '-' || r == '_') {
				return nil, fmt.Errorf("cursor: topic %q has a strange character", topic)
			}
		}
		c[topic] = n
	}
	if len(c) > maxTopics {
		return nil, fmt.Errorf("cursor: %d topics, at most %d", len(c), maxTopics)
	}
	return c, nil
}
