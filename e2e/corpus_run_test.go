//go:build linux

package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// batches puts rows together that share a start of the host, unless they may end the run: those about a tool call, and those
// about anything else.
func (w way) batches(rows []corpusRow) (all [][]corpusRow) {
	var tools, others []corpusRow
	for _, row := range rows {
		switch {
		case !w.has(row):
		case row.Alone:
			all = append(all, []corpusRow{row})
		case row.isTool():
			tools = append(tools, row)
		default:
			others = append(others, row)
		}
	}
	return append(append(slices.Collect(slices.Chunk(tools, w.agent.PerStart)), others), all...)
}

// has says whether the host has the event at all, and can be brought to it.
func (w way) has(row corpusRow) bool {
	_, ok := w.row().Binding(harness.Event(row.Event.Text))
	return ok && (row.Call.Text != "ungranted" || w.host.Ungranted != nil)
}

// row is what Lorimer knows of the host.
func (w way) row() *harness.Harness { return rowOf(w.host) }

func rowOf(h *rig.Host) *harness.Harness {
	return table.All[slices.IndexFunc(table.All, func(row *harness.Harness) bool { return row.ID == h.ID })]
}

// can says whether an answer to the event has the effect in the host.
func can(h *rig.Host, event harness.Event, e harness.Effect) bool {
	binding, _ := rowOf(h).Binding(event)
	return binding.Has(e)
}

func (row corpusRow) isTool() bool { return harness.Event(row.Event.Text).Tool() }

// goesOn: the row blocks a stop that it shares a session with other stops with.
func (row corpusRow) goesOn() bool {
	return row.Event.Text == string(harness.Stop) && !row.Alone && row.asks(harness.Continue)
}

func (row corpusRow) asks(e harness.Effect) bool {
	return slices.ContainsFunc(row.Asks, func(s strictyaml.Str) bool { return s.Text == string(e) })
}

// effects are what became of each row, by its name.
type effects struct {
	mu  sync.Mutex
	all map[string]effect
}

// runCorpus runs the rows and adds what became of them.
func runCorpus(t *testing.T, w way, rows []corpusRow, to *effects) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience(w.host))
	defer cancel()
	o := &outcome{mode: w.agent.Mode.Text}
	var script fakemodel.Script
	c := rig.Config{Install: install, Bin: bin, Host: w.host, Files: files(rows), NoYAML: !w.yaml,
		Script: func(r fakemodel.Request) fakemodel.Step { return script(r) }}
	if hooks := hooksOf(t, rows); w.yaml {
		c.YAML = "version: 1\nharnesses: [" + w.host.ID + "]\nhooks: " + hooks + "\n"
	} else {
		c.Files[settings] = `{"hooks":` + hooks + "}\n"
	}
	var err error
	o.Rig, err = rig.New(c)
	must(t, err)
	t.Cleanup(func() {
		if t.Failed() && os.Getenv("LORIMER_E2E_KEEP") != "" {
			t.Logf("kept: %s", o.Dir)
			must(t, o.Rig.Stop())
			return
		}
		must(t, o.Rig.Close())
	})
	script = calls(o, rows)
	if !w.native {
		args := []string{"materialize", o.Clone, "--harness", w.host.ID}
		if w.host.Trusts {
			args = append(args, "--trust")
		}
		_, err = o.Lorimer(ctx, args...)
		must(t, err)
	}
	must(t, once(ctx, o, rig.Options{Prompt: corpusPrompt}))
	o.log = o.Model.Requests()
	to.mu.Lock()
	defer to.mu.Unlock()
	maps.Copy(to.all, effectsOf(o, w.agent, rows))
}

const corpusPrompt = "PROMPT"

// act is the tool that the model uses: it leaves a note of what it was told to do.
const act = "#!/bin/sh\nprintf '%s\\n' \"$*\" >>\"$E2E/acted.$1\"\necho \"RAN $*\"\n[ \"$2\" != fails ]\n"

// at runs a handler of Stop when the model's last word was the given one.
const at = "#!/bin/sh\npayload=$(cat)\ncase $payload in *\"$1\\\"\"*) printf '%s' \"$payload\" | \"$2\" ;; esac\n"

func files(rows []corpusRow) map[string]string {
	all := map[string]string{"act": act, "hooks/at": at}
	for _, row := range rows {
		maps.Copy(all, row.scripts)
		if row.Call.Text == "ungranted" {
			all[row.Name.Text+".txt"] = "original"
		}
	}
	return all
}

// word is the model's last word before the stop that the row is about: a blocked one is followed by the next row's.
func (row corpusRow) word() string {
	if row.goesOn() {
		return "AT " + row.Name.Text
	}
	return lastWord
}

const lastWord = "AT the end"

// hooksOf is the "hooks" of Claude's settings for the rows: a group each.
func hooksOf(t *testing.T, rows []corpusRow) string {
	t.Helper()
	hooks := map[string][]any{}
	for _, row := range rows {
		var entries []any
		for _, path := range slices.Sorted(maps.Keys(row.scripts)) {
			entries = append(entries, row.entry("./"+path))
		}
		if len(entries) == 0 {
			entries = append(entries, row.entry(""))
		}
		hooks[row.Event.Text] = append(hooks[row.Event.Text], map[string]any{"hooks": entries})
	}
	b, err := json.Marshal(hooks)
	must(t, err)
	return string(b)
}

// entry is one handler of the row. What stands in it beside the command keeps the calls and the stops of other rows away.
func (row corpusRow) entry(command string) map[string]any {
	if row.Event.Text == string(harness.Stop) && !row.Alone {
		command = "./hooks/at " + quoted(row.word()) + " " + command
	}
	entry := map[string]any{"type": "command", "command": command}
	if row.isTool() {
		entry["if"] = row.rule()
	}
	for _, x := range row.Hook.Object {
		entry[x.Key] = plain(x.Value)
	}
	return entry
}

func plain(t strictyaml.Tree) any {
	switch t.Kind {
	case strictyaml.Bool:
		return t.Text == "true"
	case strictyaml.Number:
		return json.Number(t.Text)
	}
	return t.Text
}

func (row corpusRow) rule() string {
	switch row.Call.Text {
	case "ungranted":
		return "Edit(" + row.Name.Text + ".txt)"
	case "write":
		return "Write(" + row.Name.Text + ".txt)"
	}
	return "Bash(./act " + row.Name.Text + " *)"
}

// calls is the model: a tool call for each row that is about one, a word for each stop that is to be blocked, and the last.
func calls(o *outcome, rows []corpusRow) fakemodel.Script {
	var steps []fakemodel.Step
	for _, row := range rows {
		if row.isTool() {
			steps = append(steps, row.call(o))
		} else if row.goesOn() {
			steps = append(steps, fakemodel.Say(row.word()))
		}
	}
	return fakemodel.Steps(append(steps, fakemodel.Say(lastWord))...)
}

func (row corpusRow) call(o *outcome) fakemodel.Step {
	name := row.Name.Text
	file := filepath.Join(o.Clone, name+".txt")
	switch row.Call.Text {
	case "write":
		if o.Host.Patch != nil {
			return o.Host.Patch(name+".txt", "original")
		}
		return fakemodel.Use(o.Host.Write, map[string]any{o.Host.WritePath: file, cmp.Or(o.Host.WriteText, "content"): "original"})
	case "fails":
		return shell(o, "./act "+name+" fails")
	case "ungranted":
		return o.Host.Ungranted(file, "original", "edited")
	}
	return shell(o, "./act "+name)
}
