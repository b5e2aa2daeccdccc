// Package static holds the files that every page needs: style sheets, ES modules, fonts
// and drawings. They are part of the program; addresses carry the digest of all of them,
// so that a browser keeps them for ever and never mixes two versions.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"boulier/verify"
)

//go:embed css js fonts *.svg
var files embed.FS

// sheets are joined into one boulier.css in this order.
var sheets = []string{"tokens", "base", "layout", "components", "games", "words", "contest", "staff", "print"}

// Apart are the sheets that only the pages of one game load, joined into GAME.css, after
// boulier.css.
var Apart = map[string][]string{"bingo": {"ninety", "bingo", "bingo-house"}, "loto": {"ninety", "loto"}}

// forReaders is what a style sheet has for people only: comments and indentation, two
// kilobytes of a first visit.
var forReaders = regexp.MustCompile(`(?s)/\*.*?\*/|(?m:^[ \t]+)`)

// remarks are the lines of a module that only comment: half of what the verifier weighs.
var remarks = regexp.MustCompile(`(?m)^[ \t]*(?:/\*\*(?:[^*]|\*+[^*/])*\*+/|//[^\n]*)[ \t]*\n`)

// Prefix is the address under which Handler must be mounted.
const Prefix = "/static/"

// asset is a file ready to be sent.
type asset struct {
	kind   string
	plain  []byte
	packed func() []byte // gzip, or nil when packing does not help; made when first asked for
}

// shelf is all files, and the digest of them.
type shelf struct {
	assets map[string]asset
	digest string
}

// all is read when a page first needs it: most commands of the program have no page.
var all = sync.OnceValue(load)

// Digest names this version of the files: sixteen hexadecimal digits.
func Digest() string { return all().digest }

// URL returns the address of a file such as "boulier.css" or "js/app.js". A name that
// does not exist is a fault of the program, so URL panics.
func URL(name string) string {
	s := all()
	if _, ok := s.assets[name]; !ok {
		panic("static: no file " + name)
	}
	return Prefix + s.digest + "/" + name
}

// Handler serves the files under Prefix. A file asked for under the digest of another
// version is sent as it is now, and is not to be kept.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		version, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, Prefix), "/")
		s := all()
		a, ok := s.assets[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", a.kind)
		h.Set("Cache-Control", "no-cache")
		if version == s.digest {
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		body := a.plain
		if packed := a.packed(); packed != nil {
			h.Set("Vary", "Accept-Encoding")
			if AcceptsGzip(r) {
				h.Set("Content-Encoding", "gzip")
				body = packed
			}
		}
		h.Set("Content-Length", fmt.Sprint(len(body)))
		if r.Method != http.MethodHead {
			w.Write(body)
		}
	})
}

// AcceptsGzip reports whether the answer to r may be packed.
func AcceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(name, "gzip") {
			return !slices.Contains([]string{"q=0", "q=0.0", "q=0.00", "q=0.000"},
				strings.ReplaceAll(weight, " ", ""))
		}
	}
	return false
}

func load() shelf {
	found := make(map[string][]byte)
	err := fs.WalkDir(files, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(p, ".LICENSE") {
			return err
		}
		found[p], err = files.ReadFile(p)
		return err
	})
	if err != nil {
		panic(err)
	}
	stranger, err := verify.Modules.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, e := range stranger {
		if found["verify/"+e.Name()], err = verify.Modules.ReadFile(e.Name()); err != nil {
			panic(err)
		}
	}
	var joined bytes.Buffer
	for _, name := range sheets {
		joined.Write(forReaders.ReplaceAll(found["css/"+name+".css"], nil))
		delete(found, "css/"+name+".css")
	}
	found["boulier.css"] = joined.Bytes()
	for game, parts := range Apart {
		var own bytes.Buffer
		for _, name := range parts {
			own.Write(forReaders.ReplaceAll(found["css/"+name+".css"], nil))
		}
		found[game+".css"] = own.Bytes()
	}
	for _, parts := range Apart {
		for _, name := range parts {
			delete(found, "css/"+name+".css")
		}
	}
	for name, text := range found {
		if ext := path.Ext(name); ext == ".js" || ext == ".mjs" {
			found[name] = remarks.ReplaceAll(text, nil)
		}
	}
	sum := sha256.New()
	assets := make(map[string]asset, len(found))
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(sum, "%s %d\n", name, len(found[name]))
		sum.Write(found[name])
		assets[name] = ready(name, found[name])
	}
	return shelf{assets, hex.EncodeToString(sum.Sum(nil))[:16]}
}

// ready says what a file is and how it is packed.
func ready(name string, body []byte) asset {
	a := asset{plain: body, packed: sync.OnceValue(func() []byte { return pack(body) })}
	switch path.Ext(name) {
	case ".css":
		a.kind = "text/css; charset=utf-8"
	case ".js", ".mjs":
		a.kind = "text/javascript; charset=utf-8"
	case ".woff2":
		a.kind = "font/woff2"
		a.packed = func() []byte { return nil } // already packed
	case ".svg":
		a.kind = "image/svg+xml"
	default:
		a.kind = mime.TypeByExtension(path.Ext(name))
	}
	return a
}

func pack(body []byte) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is a constant of the package
	}
	z.Write(body)
	z.Close()
	if b.Len() >= len(body) {
		return nil
	}
	return b.Bytes()
}
