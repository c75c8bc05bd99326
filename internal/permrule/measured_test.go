package permrule

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// tooOften are the lines of testdata/measured.json that fit rules here which do not fit in Claude, which follows a variable into a
// loop, and text that stands behind a line: a hook runs once too often.
var tooOften = []string{
	"X=zz; while true; do $X n; done",
	"X=zz; for i in 1; do $X n; done",
	"X=zz; until true; do $X n; done",
	"X=zz; true || cat | $X n",
	"X=zz; eval true; $X n",
	"X=zz; cat <<< $X",
	"cat <<'EOF2'\nrm -rf x\nEOF2",
	"cat <<'E'\nrm -rf x\nE",
	"cat > f <<'E'\nrm -rf x\nE",
	"cat <<'E'\na\nE\nrm -rf y",
}

// TestMeasured holds the reader against what the real program made of each line and rule. No rule may fit in Claude and not
// here: a guard would be asked too seldom.
func TestMeasured(t *testing.T) {
	src, err := os.ReadFile("testdata/measured.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Line string
		Fits []string
		Not  []string
		// Claude refuses the line, for its control characters, before it asks any hook. Elsewhere it may be run.
		Refused bool
	}
	if err := json.Unmarshal(src, &rows); err != nil || len(rows) < 400 {
		t.Fatalf("%d lines, %v", len(rows), err)
	}
	for _, row := range rows {
		call := Call{Tools: []string{"Bash"}, Command: row.Line, Home: "/home/u", Root: "/home/u/p"}
		if row.Refused && strings.Contains(row.Line, "rm") && !Fits("Bash(rm *)", call) {
			t.Errorf("%q: no rule is asked about it", row.Line)
		}
		fitsToo := ""
		for _, rule := range row.Fits {
			if !Fits(rule, call) {
				t.Errorf("%q: %s fits in Claude, and not here", row.Line, rule)
			}
		}
		for _, rule := range row.Not {
			if Fits(rule, call) {
				fitsToo = rule
			}
		}
		if known := slices.Contains(tooOften, row.Line); (fitsToo != "") != known {
			t.Errorf("%q: %q fits here, and not in Claude; known: %v", row.Line, fitsToo, known)
		}
	}
}

// TestMeasuredFiles does the same for calls of other tools. A rule about what is no file, such as a host, fits here whatever it says.
func TestMeasuredFiles(t *testing.T) {
	src, err := os.ReadFile("testdata/measured-files.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Tool, File string
		Fits, Not  []string
	}
	if err := json.Unmarshal(src, &rows); err != nil || len(rows) < 20 {
		t.Fatalf("%d calls, %v", len(rows), err)
	}
	for _, row := range rows {
		call := Call{Tools: []string{row.Tool}, Root: "/tmp/u/project", Home: "/tmp/u"}
		if row.File != "" {
			call.Files = []string{row.File}
		}
		for _, rule := range row.Fits {
			if !Fits(rule, call) {
				t.Errorf("%s %s: %s fits in Claude, and not here", row.Tool, row.File, rule)
			}
		}
		for _, rule := range row.Not {
			if Fits(rule, call) && (row.File != "" || !strings.Contains(rule, "(")) {
				t.Errorf("%s %s: %s fits here, and not in Claude", row.Tool, row.File, rule)
			}
		}
	}
}
