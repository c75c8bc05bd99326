package arch

import (
	"os/exec"
	"strings"
	"testing"
)

// TestEveryTestBinaryKnowsUpdate: `go test ./... -update` hands the flag to all of them.
func TestEveryTestBinaryKnowsUpdate(t *testing.T) {
	const format = `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}{{end}}`
	out, err := exec.Command("go", "list", "-f", format, module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 20 {
		t.Fatalf("only %d packages with tests", len(lines))
	}
	for _, line := range lines {
		if pkg, imports, _ := strings.Cut(line, " "); !strings.Contains(imports+" ", module+"internal/goldentest ") {
			t.Errorf("%s has tests, but no -update flag; import internal/goldentest there", pkg)
		}
	}
}
