package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"boulier/internal/app"
)

// backupOrder asks for a backup into a folder.
type backupOrder struct {
	Folder string `json:"folder"`
	Name   string `json:"name"`
}

// control answers commands on the socket of the data folder until ctx ends.
func (s *Server) control(ctx context.Context) error {
	path, elsewhere, err := socketPath(s.config.Data)
	if err != nil {
		return fmt.Errorf("server: the control socket: %w", err)
	}
	if elsewhere {
		folder := filepath.Dir(path)
		if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
			return fmt.Errorf("server: the control socket: %w", err)
		}
		if err := checkSocketFolder(folder); err != nil {
			return err
		}
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err // the lock of the folder says that nobody else is there
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return fmt.Errorf("server: the control socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return errors.Join(err, l.Close())
	}
	orders := orders(s.house(), s.Cards, s.config.Version)
	srv := &http.Server{Handler: orders, ReadHeaderTimeout: 5 * time.Second}
	s.work.Go(func() {
		<-ctx.Done()
		srv.Close()
		if elsewhere {
			os.Remove(filepath.Dir(path)) // a later start makes it anew
		}
	})
	s.work.Go(func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.config.Log.Error("the control socket ended", "error", err)
		}
	})
	return nil
}

// A keeper does what commands ask of a house that runs: a House.
type keeper interface {
	Doctor(ctx context.Context, version string) []Finding
	Backup(ctx context.Context, folder, name string) ([]app.CopiedFile, error)
}

// orders answers commands.
func orders(house keeper, cards importer, version string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /doctor", func(w http.ResponseWriter, r *http.Request) {
		reply(w, house.Doctor(r.Context(), version), nil)
	})
	mux.HandleFunc("POST /backup", func(w http.ResponseWriter, r *http.Request) {
		var o backupOrder
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&o); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		files, err := house.Backup(r.Context(), o.Folder, o.Name)
		reply(w, files, err)
	})
	mux.HandleFunc("POST /series", importSeries(cards))
	return mux
}

func reply(w http.ResponseWriter, v any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	json.NewEncoder(w).Encode(v)
}

// A Remote speaks to the program that owns a data folder.
type Remote struct{ client http.Client }

// Reach returns the program that owns the data folder, nil if none answers.
func Reach(data string) *Remote {
	path, elsewhere, err := socketPath(data)
	if err != nil || elsewhere && checkSocketFolder(filepath.Dir(path)) != nil {
		return nil
	}
	c, err := net.DialTimeout("unix", path, time.Second)
	if err != nil {
		return nil
	}
	c.Close()
	return &Remote{http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		},
	}}}
}

// answerWithin is how long a program that runs may take to say that it does.
const answerWithin = 5 * time.Second

// ErrSilent says that a program owns the data folder and does nothing.
var ErrSilent = errors.New("server: a program owns this data folder and does not answer: it is stopped or overloaded; " +
	"let it go on, or end it and start it again")

// greet sees that the program answers at all. What it is asked then may take as long as it needs.
func (r *Remote) greet(ctx context.Context) error {
	ctx, end := context.WithTimeout(ctx, answerWithin)
	defer end()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://house/", nil)
	if err != nil {
		return err
	}
	answer, err := r.client.Do(req)
	if errors.Is(err, context.DeadlineExceeded) {
		return ErrSilent
	}
	if err != nil {
		return fmt.Errorf("server: the running program does not answer: %w", err)
	}
	return answer.Body.Close()
}

func (r *Remote) ask(ctx context.Context, what string, order, into any) error {
	if err := r.greet(ctx); err != nil {
		return err
	}
	body, err := json.Marshal(order)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://house"+what, bytes.NewReader(body))
	if err != nil {
		return err
	}
	answer, err := r.client.Do(req)
	if err != nil {
		return fmt.Errorf("server: the running program does not answer: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<16))
		return fmt.Errorf("server: the running program refused: %s", bytes.TrimSpace(text))
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

// Backup has the running program write a backup.
func (r *Remote) Backup(ctx context.Context, folder, name string) (files []app.CopiedFile, err error) {
	err = r.ask(ctx, "/backup", backupOrder{folder, name}, &files)
	return files, err
}

// Doctor has the running program examine itself.
func (r *Remote) Doctor(ctx context.Context) (found []Finding, err error) {
	err = r.ask(ctx, "/doctor", struct{}{}, &found)
	return found, err
}
