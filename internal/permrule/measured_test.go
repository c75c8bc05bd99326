package permrule

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// tooOften are the lines of testdata/measured.json that fit rules here which do not fit in Claude, which follows a variable further:
// a hook runs once too often.
var tooOften = []string{
	"X=rm; true >f; $X n",
	"X=rm; (X=true) || $X n",
	"X=rm; X=true | cat a; $X n",
	"X=rm; read X | cat; $X n",
	"X=rm; export X=a | cat; $X n",
	"X=rm; if (true); then true; fi; $X n",
	"X=a; if (X=b); then rm $X; fi",
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
	if err := json.Unmarshal(src, &rows); err != nil || len(rows) < 150 {
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
