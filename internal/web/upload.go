package web

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"time"

	"github.com/google/uuid"
)

// formRoom is how many bytes a form may have besides the file that it brings.
const formRoom = 64 << 10

// An Upload is a file that came with a form.
type Upload struct {
	Name string // as its sender calls it
	Body []byte
}

// Upload reads a form that brings a file of at most max bytes in the field name. A form
// without a file has an empty upload, which is wrong in words.
func (v *Visit) Upload(name string, max int64) (*Form, Upload, error) {
	form, files, err := v.Uploads(name, max)
	if err != nil {
		return nil, Upload{}, err
	}
	if len(files) == 0 {
		form.Wrong(name, v.T("form.file"))
		return form, Upload{}, nil
	}
	return form, files[0], nil
}

// Uploads reads a form that may bring files in the field name, of at most max bytes
// together. Empty ones, such as the field of a form sends when none is chosen, are left out.
func (v *Visit) Uploads(name string, max int64) (*Form, []Upload, error) {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, max+formRoom)
	if err := v.r.ParseMultipartForm(max + formRoom); err != nil {
		if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, nil, large
		}
		return nil, nil, &Refusal{Status: http.StatusBadRequest, Detail: err.Error()}
	}
	values := v.r.PostForm
	id, err := uuid.Parse(values.Get("request"))
	if err != nil || id.Version() != 7 {
		return nil, nil, &Refusal{Status: http.StatusBadRequest, Detail: "no request identifier in the form"}
	}
	form := &Form{Request: id, visit: v, values: values, wrong: make(map[string]string)}
	var files []Upload
	for _, header := range v.r.MultipartForm.File[name] {
		body, err := readUpload(header)
		if err != nil {
			return nil, nil, err
		}
		if max -= int64(len(body)); max < 0 {
			return nil, nil, &http.MaxBytesError{Limit: max + int64(len(body))}
		}
		if len(body) > 0 {
			files = append(files, Upload{header.Filename, body})
		}
	}
	return form, files, nil
}

func readUpload(header *multipart.FileHeader) ([]byte, error) {
	file, err := header.Open()
	if err != nil {
		return nil, &Refusal{Status: http.StatusBadRequest, Detail: err.Error()}
	}
	defer file.Close()
	return io.ReadAll(file)
}

// Stream begins an answer that is a file too large to hold, such as a journal. What goes
// wrong afterwards cuts the answer short, so that it is never taken for whole.
func (v *Visit) Stream(name, kind string) io.Writer {
	h := v.w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", `attachment; filename="`+fileName(name)+`"`)
	v.sent = true
	v.w.WriteHeader(http.StatusOK)
	return streamed{v.w, http.NewResponseController(v.w)}
}

// Cut ends an answer that was begun and cannot be finished: the connection is closed.
func (v *Visit) Cut(err error) error {
	if err == nil || !v.sent {
		return err
	}
	v.log().Error("an answer was cut short", "error", err)
	panic(http.ErrAbortHandler)
}

// streamed writes with the time limit of a server put off at each step, for as long as the
// reader takes what it is given.
type streamed struct {
	w       io.Writer
	control *http.ResponseController
}

func (s streamed) Write(b []byte) (int, error) {
	err := s.control.SetWriteDeadline(time.Now().Add(writeLimit))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	return s.w.Write(b)
}
