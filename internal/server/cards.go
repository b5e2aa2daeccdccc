package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"boulier/internal/app"
	"boulier/internal/vault"
	"boulier/regs"
)

// An Imported is what became of a printer's file: registered, or refused with what is wrong
// with it or by a clause.
type Imported struct {
	Series  app.SeriesState   `json:"series"`
	Faults  []app.SeriesFault `json:"faults,omitempty"`
	Refused *regs.Violation   `json:"refused,omitempty"`
}

// maxSeriesOrder bounds an order with its file, which JSON makes a third longer.
const maxSeriesOrder = 768 << 20

// An importer registers a printer's file: an app.Cards.
type importer interface {
	Import(ctx context.Context, f app.SeriesFile) (app.SeriesState, []app.SeriesFault, error)
}

// importSeries answers the order of a command to register a file.
func importSeries(cards importer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var f app.SeriesFile
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxSeriesOrder)).Decode(&f); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		out, err := imported(r.Context(), cards, f)
		reply(w, out, err)
	}
}

func imported(ctx context.Context, cards importer, f app.SeriesFile) (Imported, error) {
	series, faults, err := cards.Import(ctx, f)
	if v, ok := errors.AsType[*regs.Violation](err); ok {
		return Imported{Refused: v}, nil
	}
	return Imported{Series: series, Faults: faults}, err
}

// ImportSeries has the running program register a printer's series.
func (r *Remote) ImportSeries(ctx context.Context, f app.SeriesFile) (out Imported, err error) {
	err = r.ask(ctx, "/series", f, &out)
	return out, err
}

// ImportSeries registers a printer's series in a house that no program runs.
func (h House) ImportSeries(ctx context.Context, f app.SeriesFile, version string) (Imported, error) {
	keys, err := vault.OpenExisting(h.Keys)
	if err != nil {
		return Imported{}, err
	}
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		return Imported{}, err
	}
	ground := &app.Ground{Store: h.Store, Now: time.Now, Entropy: app.RandomBytes, Sealer: keys,
		Journal: h.Store, Zone: zone, Version: version, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	return imported(ctx, app.NewCards(ground), f)
}
