package web

import (
	"os/exec"
	"path/filepath"
	"testing"

	"boulier/internal/web/webtest"
)

// TestModules_TypeCheck holds the ES modules to the types in their comments.
func TestModules_TypeCheck(t *testing.T) {
	t.Parallel()
	dir := webtest.Checks(t)
	for _, project := range []string{"tsconfig.json", "tsconfig.verify.json"} {
		tsc := exec.Command(filepath.Join("node_modules", ".bin", "tsc"), "--project", project)
		tsc.Dir = dir
		if out, err := tsc.CombinedOutput(); err != nil {
			t.Errorf("tsc: %v\n%s", err, out)
		}
	}
}
