package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

func rows(t *testing.T, sources map[string]string) []*harness.Runtime {
	t.Helper()
	var all []*descriptor.Descriptor
	for _, id := range []string{"a", "b", "c", "d"} {
		src, ok := sources[id]
		if !ok {
			continue
		}
		d, err := descriptor.LoadFile(id+".yaml", []byte("id: "+id+"\nname: "+strings.ToUpper(id)+"\n"+src))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	p, err := Build(all)
	if err != nil {
		t.Fatal(err)
	}
	return p.Runtimes
}

const polls = "capabilities: [{ hooks: none, startup: polling, gupp: polling, stall: 5m, nudge: 2m }]\n"

// Each is asked before those that it names, else by id; one without capabilities is none of the HAL's.
func TestRuntimesAreAskedInOrder(t *testing.T) {
	got := ""
	for _, r := range rows(t, map[string]string{
		"a": polls,
		"b": polls + "detect: { before: [a] }\n",
		"c": "detect: { env: [{ key: C, present: true }] }\n",
		"d": polls + "detect: { before: [b] }\n",
	}) {
		got += r.ID
	}
	if got != "dba" {
		t.Errorf("asked in the order %q, want dba", got)
	}
}

func TestRuntimeRow(t *testing.T) {
	got := rows(t, map[string]string{"a": `family: b
detect:
  env:
    - { key: A, in: [one, two] }
    - { key: AA, not_in: ["0"] }
    - { key: AAA, match: ^x }
    - { key: AAAA, present: true }
  session_env: [A_SESSION]
  process: [{ exe: a }, { script: a/cli.js }]
  files: [.a]
capabilities:
  - { until: "1.2", as_of: seed, hooks: none, startup: startup_fallback, gupp: startup_fallback, stall: 90s, nudge: 1500ms, session_id_env: "", labels: { startup: by hand } }
  - { hooks: none, startup: startup_fallback, gupp: polling, stall: 1m, nudge: 1s, nudge_support: none, restart: true, context_fork: true, session_id_env: [A_SESSION, GT_SESSION_ID], startup_commands: ["a go {role}"] }
`})
	want := []*harness.Runtime{{
		ID: "a", Name: "A", Family: "b",
		Markers:    []harness.Marker{{Key: "A", In: []string{"one", "two"}}, {Key: "AA", NotIn: []string{"0"}}, {Key: "AAA", Match: "^x"}, {Key: "AAAA"}},
		SessionEnv: []string{"A_SESSION"},
		Processes:  []harness.Process{{Exe: "a"}, {Script: "a/cli.js"}},
		Files:      []string{".a"},
		Ranges: []harness.Range{
			{
				Until: "1.2", AsOf: "seed", Hooks: "none", Startup: "startup_fallback", GUPP: "startup_fallback",
				Stall: 90 * time.Second, Nudge: 1500 * time.Millisecond, NudgeSupport: "filesystem",
				Labels:   []harness.Label{{Cell: "startup", Word: "by hand"}},
				Commands: []harness.Command{{Line: "gt prime"}, {Line: "gt mail check --inject", Autonomous: true}},
			},
			{
				Hooks: "none", Startup: "startup_fallback", GUPP: "polling", Stall: time.Minute, Nudge: time.Second, NudgeSupport: "none",
				ContextFork: true, Restart: true, SessionEnv: []string{"A_SESSION", "GT_SESSION_ID"},
				Commands: []harness.Command{{Line: "a go {role}"}},
			},
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
