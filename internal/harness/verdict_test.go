package harness

import (
	"encoding/json"
	"os"
	"testing"
)

// TestShimAnswer holds what is said to shims; the runtime's own tests read the same table and hold what is understood.
func TestShimAnswer(t *testing.T) {
	src, err := os.ReadFile("../../runtime-js/testdata/answers.json")
	if err != nil {
		t.Fatal(err)
	}
	var table []struct {
		Name    string
		Event   Event
		Verdict Verdict
		Reply   Reply
	}
	if err := json.Unmarshal(src, &table); err != nil {
		t.Fatal(err)
	}
	if len(table) < 8 {
		t.Errorf("only %d answers", len(table))
	}
	for _, c := range table {
		if got := ShimAnswer(c.Event, c.Verdict); got != c.Reply {
			t.Errorf("%s:\n got %+v\nwant %+v", c.Name, got, c.Reply)
		}
	}
}
