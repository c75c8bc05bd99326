package permrule

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// tooOften are the lines of testdata/measured.json that fit rules here which do not fit in Claude: a hook runs once too often.
var tooOften = []string{
	"true \x07x",           // Claude passes over what cannot be seen
	"rm n\r\n",             // in Claude no rule fits a line with a carriage return at its end
	"X=rm; (X=true); $X n", // Claude follows it further
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
	}
	if err := json.Unmarshal(src, &rows); err != nil || len(rows) < 150 {
		t.Fatalf("%d lines, %v", len(rows), err)
	}
	for _, row := range rows {
		call := Call{Tools: []string{"Bash"}, Command: row.Line, Home: "/home/u", Root: "/home/u/p"}
		for _, rule := range row.Fits {
			if !Fits(rule, call) {
				t.Errorf("%q: %s fits in Claude, and not here", row.Line, rule)
			}
		}
		for _, rule := range row.Not {
			if Fits(rule, call) && !slices.Contains(tooOften, row.Line) {
				t.Errorf("%q: %s fits here, and not in Claude", row.Line, rule)
			}
		}
	}
}
