package proof

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestDocs_CommandsGiveWhatTheySay runs the commands of docs/verify.md, which begin with
// « $ » in a block between fences, in one shell, and compares what follows each.
func TestDocs_CommandsGiveWhatTheySay(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	var script, want strings.Builder
	script.WriteString("set -eu\n")
	fenced, commands := false, 0
	for line := range strings.Lines(string(text)) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced && isCommand:
			script.WriteString(command)
			commands++
		case fenced && commands > 0:
			want.WriteString(line)
		}
	}
	if commands < 8 {
		t.Fatalf("%d commands in the document", commands)
	}
	cmd := exec.Command("sh", "-c", script.String())
	cmd.Dir = "../.."
	got, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("is openssl 3 installed? %v\n%s", err, got)
	}
	if string(got) != want.String() {
		t.Errorf("the commands give\n%s\nthe document says\n%s", got, want.String())
	}
}
