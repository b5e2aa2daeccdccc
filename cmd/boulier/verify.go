package main

import (
	"fmt"
	"os"
	"strings"

	"boulier/internal/proof"
	"boulier/journal"
)

// verifyCmd checks an exported unit, closed block, round, loto or journal from its file alone. It opens
// no data folder and asks no server.
type verifyCmd struct {
	File  string  `arg:"" help:"An exported unit, block, round, loto or journal."`
	Key   *string `placeholder:"K" help:"The operator's verifier key, or a file that holds it."`
	Since string  `placeholder:"OLD" help:"An older journal or checkpoint, which FILE must extend."`
}

// Run says what the file proves, or returns the first thing that does not hold.
func (c verifyCmd) Run(s streams) error {
	var o proof.Options
	var err error
	if o.Key, err = keyOf(c.Key); err != nil {
		return err
	}
	if c.Since != "" {
		if o.Since, err = readClaim(c.Since); err != nil {
			return err
		}
	}
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := proof.Verify(c.File, f, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s holds\n", c.File)
	for _, line := range r.Lines {
		fmt.Fprintln(s.out, " ", line)
	}
	name, _, _ := strings.Cut(r.Key, "+")
	fmt.Fprintf(s.out, "  journal of %d leaves signed by %s, key %s\n",
		r.Head.Size, name, journal.Fingerprint(r.Key))
	if c.Key == nil {
		fmt.Fprintln(s.out, "  that key is the file's own: "+
			"compare it with the one the operator publishes, or give --key")
	}
	return nil
}

// keyOf returns the verifier key that the flag holds, or that the file it names holds; none
// without the flag.
func keyOf(flag *string) (string, error) {
	if flag == nil {
		return "", nil
	}
	if strings.Contains(*flag, "+") {
		return *flag, nil
	}
	const instead = "give the operator's verifier key, or a file that holds it, or leave --key out"
	if *flag == "" {
		return "", misused("--key is empty, which pins no key: %s", instead)
	}
	text, err := os.ReadFile(*flag)
	if err != nil {
		return "", misused("--key %s is neither a verifier key nor a file to read: %w", *flag, err)
	}
	key := strings.TrimSpace(string(text))
	if key == "" {
		return "", misused("--key %s is an empty file, which pins no key: %s", *flag, instead)
	}
	return key, nil
}

// readClaim reads the checkpoint of an older file.
func readClaim(name string) (*proof.Claim, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return proof.ReadClaim(name, f)
}
