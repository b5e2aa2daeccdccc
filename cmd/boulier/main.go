// Command boulier runs games by their own rulebooks: see README.md. Each subcommand
// stands in a file of its own; this one wires them to the command line.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	_ "time/tzdata" // dates are right on machines without a zone database

	"github.com/alecthomas/kong"
)

// cli is the whole command line. Every command is a struct with a Run method that takes
// the streams.
type cli struct {
	Config kong.ConfigFlag `help:"TOML file of settings: a flag's name and its value." placeholder:"FILE" env:"BOULIER_CONFIG"`

	Contest contestCmd `cmd:"" help:"Score and rank prediction contests from files."`
	Instant instantCmd `cmd:"" help:"Check games and prize tables, make and audit blocks."`
	Regs    regsCmd    `cmd:"" help:"Print the register of clauses."`
	Cards   cardsCmd   `cmd:"" help:"Make, check, print and register cards of the 90-ball games."`
	Demo    demoCmd    `cmd:"" help:"Show everything with invented people, in a temporary folder."`
	Serve   serveCmd   `cmd:"" help:"Run the platform for real."`
	Backup  backupCmd  `cmd:"" help:"Copy the database and the keys, also while the platform runs."`
	Restore restoreCmd `cmd:"" help:"Make an empty house what a backup holds."`
	Witness witnessCmd `cmd:"" help:"Mix a secret of this machine into the balls of a house's bingo."`
	Doctor  doctorCmd  `cmd:"" help:"Examine a house: program, settings, clock, durability, ledger, journal, keys."`

	Verify verifyCmd `cmd:"" help:"Check an exported unit, block, round, loto or journal from its file alone."`
}

// streams are what a command may read and write besides the files it is given.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// refused is returned by a command whose answer is no: everything to say has been
// written, and the exit code is 1.
type refused struct{}

func (refused) Error() string { return "refused" }

// misuse is returned by a command that was given what it cannot mean: the exit code is 2.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// misused refuses the value of a flag.
func misused(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

func main() { os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})) }

// run executes the command line and returns the exit code: 0 done, 1 the answer is no or
// something failed, 2 the command was misspelt or given a value that it cannot mean.
func run(args []string, s streams) (code int) {
	parser, err := newParser(s)
	if err == nil {
		err = keepPrivate()
	}
	if err != nil {
		fmt.Fprintln(s.err, "boulier:", err)
		return 2
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case exit:
			code = int(p)
		default:
			panic(p)
		}
	}()
	ctx, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintln(s.err, "boulier:", err)
		return 2
	}
	err = ctx.Run(s)
	switch {
	case err == nil:
		return 0
	case errors.As(err, new(refused)): // kong wraps what a command returns
		return 1
	case errors.As(err, new(misuse)):
		fmt.Fprintln(s.err, "boulier:", err)
		return 2
	default:
		fmt.Fprintln(s.err, "boulier:", err)
		return 1
	}
}

// newParser returns the command line, ready to parse.
func newParser(s streams) (*kong.Kong, error) {
	return kong.New(new(cli),
		kong.Name("boulier"),
		kong.Description("Games run by their own rulebooks, so that anyone can check them."),
		kong.Writers(s.out, s.err),
		kong.Exit(func(c int) { panic(exit(c)) }),
		kong.UsageOnError(),
		kong.Configuration(loadSettings),
	)
}

// exit carries the exit code that kong asks for (after --help).
type exit int
