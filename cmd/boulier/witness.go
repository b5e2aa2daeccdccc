package main

import (
	"fmt"
	"log/slog"
	"net/url"

	"boulier/internal/witness"
	"boulier/journal"
)

// witnessCmd is the second machine of the draws of the bingo.
type witnessCmd struct {
	Server string  `help:"Address of the house, http:// or https://." required:"" placeholder:"URL" env:"BOULIER_SERVER"`
	Key    *string `help:"The house's verifier key, or a file that holds it; the first one seen when left out." placeholder:"K" env:"BOULIER_KEY"`
	Data   string  `help:"Folder of the witness: its key, its secrets, what it has seen." required:"" placeholder:"DIR" env:"BOULIER_DATA_DIR"`
	Name   string  `help:"Name of the witness, fixed when its key is made." default:"witness.local" env:"BOULIER_NAME"`
}

// Run takes part in the rounds of the house until it is told to stop.
func (c witnessCmd) Run(s streams) error {
	at, err := url.Parse(c.Server)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return misused("--server is not an address that begins with http:// or https://")
	}
	operator, err := keyOf(c.Key)
	if err != nil {
		return err
	}
	if operator != "" {
		if _, err := journal.ParseKey(operator); err != nil {
			return misused("--key: %w", err)
		}
	}
	folder, err := witness.OpenFolder(c.Data, c.Name)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "The key of this witness, by which a manager of the house names it:\n%s\n", folder.Key())
	ctx, stop := signals()
	defer stop()
	log := slog.New(slog.NewTextHandler(s.err, nil))
	w := witness.Witness{Server: c.Server, Folder: folder, Log: log}
	return w.Run(ctx, operator)
}
