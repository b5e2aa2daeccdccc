package proof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// lines reads a file line by line and knows where it stands.
type lines struct {
	file string
	r    *bufio.Reader
	n    int // number of the last line read, from 1
}

func newLines(file string, r io.Reader) *lines {
	return &lines{file: file, r: bufio.NewReaderSize(r, 64<<10)}
}

// next returns the next line without its line feed, or io.EOF after the last. Every line
// must end with a line feed and hold at most maxLine bytes. The bytes are good until the
// next call.
func (l *lines) next() ([]byte, error) {
	var long []byte
	for {
		part, err := l.r.ReadSlice('\n')
		if len(long)+len(part) > maxLine {
			l.n++
			return nil, l.fault("a line of more than %d bytes", maxLine)
		}
		switch {
		case err == nil && long == nil:
			l.n++
			return part[:len(part)-1], nil
		case err == nil:
			l.n++
			long = append(long, part...)
			return long[:len(long)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, part...)
		case errors.Is(err, io.EOF) && len(long)+len(part) == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			l.n++
			return nil, l.fault("the file ends in the middle of a line")
		default:
			return nil, &Fault{l.file, 0, err}
		}
	}
}

// fault returns what does not hold on the line last read.
func (l *lines) fault(format string, args ...any) error {
	return &Fault{l.file, l.n, fmt.Errorf(format, args...)}
}

// end returns a fault unless the file ends here.
func (l *lines) end() error {
	_, err := l.next()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	return l.fault("more than the file should hold")
}
