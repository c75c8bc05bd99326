package recorded

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/dispatch"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// source is what each recording begins with: who says that the agent sends this, and when it was recorded or read.
var source = regexp.MustCompile(`^Source: \S.*, \d{4}-\d{2}-\d{2}\b`)

func TestRecorded(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "testdata/"), ".txtar"), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			a := txtar.Parse(src)
			if !source.Match(a.Comment) {
				t.Errorf("it begins with %.80q; expected `Source: who says so, YYYY-MM-DD`", a.Comment)
			}
			if len(a.Files) == 0 {
				t.Fatal("there is no payload; expected one under the name of a neutral event")
			}
			h, event := find(t, filepath.Base(filepath.Dir(file))), harness.Event(a.Files[0].Name)
			a.Files = append(a.Files[:1], answers(t, h, event, a.Files[0].Data)...)
			goldentest.Compare(t, file, string(txtar.Format(a)))
		})
	}
}

// TestEveryEventOfAClaimedHarness: what nobody ran is at least held against a payload of each event.
func TestEveryEventOfAClaimedHarness(t *testing.T) {
	for _, h := range table.All {
		if h.Kind != harness.External || h.Certified != "" {
			continue
		}
		for _, b := range h.Events {
			if !recordedEvent(t, h.ID, b.Event) {
				t.Errorf("%s is claimed, and nothing is recorded of its %s (%s); expected a file in internal/recorded/testdata/%s", h.Name, b.Host, b.Event, h.ID)
			}
		}
	}
}

func recordedEvent(t *testing.T, id string, event harness.Event) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", id, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		a, err := txtar.ParseFile(file)
		return err == nil && len(a.Files) > 0 && a.Files[0].Name == string(event)
	})
}

func find(t *testing.T, id string) *harness.Harness {
	t.Helper()
	i := slices.IndexFunc(table.All, func(h *harness.Harness) bool { return h.ID == id })
	if i < 0 {
		t.Fatalf("there is no harness %q", id)
	}
	return table.All[i]
}

// answers is what lorimer makes of a payload, by the dispatcher's own code.
func answers(t *testing.T, h *harness.Harness, event harness.Event, payload []byte) []txtar.File {
	t.Helper()
	trial, err := dispatch.Try(context.Background(), dispatch.Question{
		Table: table.All, Harness: h, Event: event, Root: t.TempDir(), Payload: payload, Native: true, Look: true,
	})
	if err != nil {
		return []txtar.File{{Name: "not served", Data: []byte(err.Error() + "\n")}}
	}
	files := []txtar.File{{Name: "handlers read", Data: append(trial.Payload, '\n')}}
	b, _ := h.Binding(event)
	for _, v := range verdicts {
		if v.effect == "" || b.Has(v.effect) {
			files = append(files, txtar.File{Name: v.name, Data: []byte(said(h.Answer(event, v.verdict)))})
		}
	}
	return files
}

// reason has in it what shells and JSON spoil.
const reason = "no: \"that\" <is> & stays — 🐎\nsecond line"

var verdicts = []struct {
	name    string
	effect  harness.Effect
	verdict harness.Verdict
}{
	{"allowed", "", harness.Verdict{}},
	{"blocked", harness.Block, harness.Verdict{Blocked: true, Reason: reason}},
	{"asked", harness.Ask, harness.Verdict{Ask: true, Reason: reason}},
	{"waved through", harness.Allow, harness.Verdict{Allow: true}},
	{"context", harness.Context, harness.Verdict{Context: reason}},
	{"another input", harness.RewriteInput, harness.Verdict{Input: `{"command":"true"}`}},
	{"another output", harness.RewriteOutput, harness.Verdict{Output: `"fine"`}},
	{"run ended", harness.StopAgent, harness.Verdict{Stop: true, Why: reason}},
	{"notice", harness.Notify, harness.Verdict{Notice: reason}},
}

func said(r harness.Reply) string {
	text := fmt.Sprintf("exit %d\n", r.Exit)
	for _, x := range []struct{ name, text string }{{"stdout", r.Stdout}, {"stderr", r.Stderr}} {
		if x.text != "" {
			text += fmt.Sprintf("%s: %q\n", x.name, x.text)
		}
	}
	return text
}
