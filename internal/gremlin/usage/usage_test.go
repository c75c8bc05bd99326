package usage

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

func ptr[T any](v T) *T { return &v }

// sample is the ledger of testdata/ledger.jsonl.
func sample(t *testing.T, q Query) Report {
	t.Helper()
	r, err := Read("testdata/ledger.jsonl", q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func head(job string) string {
	if job == "j2" {
		return "0123abc"
	}
	return ""
}

func TestMarkdown(t *testing.T) {
	goldentest.Compare(t, "testdata/block.md.golden", sample(t, Query{Block: "P|1"}).BlockTable(head))
	goldentest.Compare(t, "testdata/phase1.md.golden", sample(t, Query{Phase: ptr(1)}).PhaseTable())
	goldentest.Compare(t, "testdata/phase2.md.golden", sample(t, Query{Phase: ptr(2)}).PhaseTable())
	goldentest.Compare(t, "testdata/phase9.md.golden", sample(t, Query{Phase: ptr(9)}).PhaseTable())
}

func TestJSON(t *testing.T) {
	b, err := json.MarshalIndent(sample(t, Query{}), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Compare(t, "testdata/all.json.golden", string(b)+"\n")
}

func TestPage(t *testing.T) {
	p, err := sample(t, Query{}).Page("run.md <& more>")
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Compare(t, "testdata/page.html.golden", string(p))
	for _, outside := range []string{"http://", "https://", "<script", "<link", "@import", "src="} {
		if strings.Contains(string(p), outside) {
			t.Errorf("the page needs something else: %s", outside)
		}
	}
	if !bytes.Contains(p, []byte("run.md &lt;&amp; more&gt;")) {
		t.Error("a title is not escaped")
	}
}

// One call without a price makes every sum that it is in unknown, and no other.
func TestUnknownIsNeverZero(t *testing.T) {
	r := sample(t, Query{})
	if r.TotalUSD != nil || r.Kinds[record.Spawn].CostUSD != nil || r.Kinds[record.Train].CostUSD == nil || *r.Kinds[record.Ping].CostUSD != 0.01 {
		t.Errorf("%+v", r)
	}
	if r, err := Read(t.TempDir()+"/none", Query{}); err != nil || *r.TotalUSD != 0 || r.HitRatio != nil || len(r.Kinds) != len(record.UsageKinds) {
		t.Errorf("%+v", r)
	}
}

func TestTheLedgerOfTheSampleIsAsItIsWritten(t *testing.T) {
	b, err := os.ReadFile("testdata/ledger.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(b) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			continue // the torn one
		}
		var r record.Result
		json.Unmarshal(line, &r)
		again, _ := json.Marshal(r)
		if string(again)+"\n" != string(line) {
			t.Errorf("%s\nis written as\n%s", line, again)
		}
	}
}
