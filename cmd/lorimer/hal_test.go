package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/halvector"
)

// printed is what `lorimer hal show --json` prints, in the words of the vectors.
type printed struct {
	Provider  string              `json:"provider"`
	By        string              `json:"by"`
	SessionID *string             `json:"session_id"`
	Startup   string              `json:"startup_strategy"`
	GUPP      string              `json:"gupp_strategy"`
	Hooks     bool                `json:"supports_hooks"`
	Nudge     bool                `json:"supports_nudge"`
	Restart   bool                `json:"supports_restart"`
	Stall     float64             `json:"stall_threshold"`
	Interval  float64             `json:"nudge_interval"`
	Commands  map[string][]string `json:"startup_commands"`
	Warnings  []string            `json:"warnings"`
}

// TestHALVectors: the command line answers what the Go package and the JavaScript module answer, a process a vector.
func TestHALVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each vector")
	}
	for _, v := range halvector.Load(t, "../../hal/testdata/vectors.json") {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			got := halShow(t, v)
			a := halvector.Answers{
				Startup: got.Startup, GUPP: got.GUPP, Hooks: got.Hooks, Nudge: got.Nudge, Restart: got.Restart,
				Stall: got.Stall, Interval: got.Interval, Person: got.Commands["crew"], Autonomous: got.Commands["polecat"],
			}
			if diff := cmp.Diff(v.Want.Common, a); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if got.Provider != v.Want.Provider || got.By != v.Want.By || !cmp.Equal(got.SessionID, v.Want.Session) || len(got.Warnings) != v.Want.Warnings {
				t.Errorf("got %+v\nwant %+v", got, v.Want)
			}
		})
	}
}

func halShow(t *testing.T, v halvector.Vector) (p printed) {
	t.Helper()
	tree := v.Ancestors
	if tree == nil {
		tree = []byte("[]")
	}
	file := filepath.Join(t.TempDir(), "tree.json")
	if err := os.WriteFile(file, tree, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("lorimer", "hal", "show", "--json", "--ancestors", file, "--runtime", v.Runtime, "--runtime-version", v.Version)
	cmd.Dir, cmd.Env = v.World(t), []string{}
	for name, value := range v.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", err, err.(*exec.ExitError).Stderr)
	}
	if err := json.Unmarshal(out, &p); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p
}
