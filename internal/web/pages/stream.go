package pages

import (
	"io"

	"boulier/internal/web"
)

// StreamTo is a file that begins when its first byte is ready.
func StreamTo(v *web.Visit, name string) func() io.Writer {
	return func() io.Writer { return v.Stream(name, "application/x-ndjson; charset=utf-8") }
}
