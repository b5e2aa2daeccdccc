package main

import (
	"encoding/json"
	"fmt"

	"boulier/regs"
)

// regsCmd prints the register of clauses.
type regsCmd struct {
	Game string `help:"Only this regulation: instant, loto, bingo or contest." enum:"instant,loto,bingo,contest," default:""`
	JSON bool   `help:"One array of objects with ref, who, status and tests."`
}

// clauseRow is a clause as programs read it.
type clauseRow struct {
	Ref    regs.Ref    `json:"ref"`
	Who    regs.Who    `json:"who"`
	Status regs.Status `json:"status"`
	Tests  []string    `json:"tests"`
}

// Run prints the clauses asked for, in the order of the register.
func (c regsCmd) Run(s streams) error {
	rows := []clauseRow{}
	for _, clause := range regs.All() {
		if c.Game != "" && clause.Ref.Game() != c.Game {
			continue
		}
		tests := regs.Tests(clause.Ref)
		if tests == nil {
			tests = []string{}
		}
		rows = append(rows, clauseRow{clause.Ref, clause.Who, clause.Status, tests})
		if !c.JSON {
			fmt.Fprintf(s.out, "%-22s %-4s %-13s %s\n", clause.Ref, clause.Who, clause.Status, clause.Duty)
		}
	}
	if !c.JSON {
		return nil
	}
	enc := json.NewEncoder(s.out)
	enc.SetIndent("", "  ")
	return enc.Encode(rows)
}
