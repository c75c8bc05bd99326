//go:build linux

package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// batches puts rows together that share a start of the host, in one turn of it: those about a tool call, and those about anything
// else. What may end the run has one of its own. A host that takes one prompt after the other needs one start for all.
func (w way) batches(rows []corpusRow) (all [][][]corpusRow) {
	var starts, tools, others, asked []corpusRow
	var alone [][]corpusRow
	for _, row := range rows {
		switch {
		case !w.has(row):
		case w.talks() && row.Event.Text == string(harness.SessionStart):
			starts = append(starts, row)
		case w.alone(row):
			alone = append(alone, []corpusRow{row})
		case row.Call.Text == ungranted && w.host.Asks:
			asked = append(asked, row)
		case row.isTool():
			tools = append(tools, row)
		default:
			others = append(others, row)
		}
	}
	turns := append(append(slices.Collect(slices.Chunk(tools, w.agent.PerStart)), others), alone...)
	if len(asked) > 0 {
		turns = append(turns, asked)
	}
	if w.talks() {
		return [][][]corpusRow{append([][]corpusRow{starts}, turns...)}
	}
	for _, rows := range turns {
		all = append(all, [][]corpusRow{rows})
	}
	return all
}

// alone says whether the row may end the run. Through Lorimer a tool call ends it only where a hook can do that.
func (w way) alone(row corpusRow) bool {
	if w.native || !row.isTool() {
		return row.Alone
	}
	return row.Alone && row.asks(harness.StopAgent) && can(w.host, harness.Event(row.Event.Text), harness.StopAgent)
}

// talks says whether the host takes one prompt after the other.
func (w way) talks() bool { return w.host.Prompts != "" && w.host.Prompts == w.agent.Mode.Text }

// has says whether the host has the event at all, and can be brought to it.
func (w way) has(row corpusRow) bool {
	_, ok := w.row().Binding(harness.Event(row.Event.Text))
	return ok && (row.Call.Text != ungranted || w.host.Ungranted != nil)
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

// runCorpus starts the host once for the rows of one turn or several, and adds what became of them.
func runCorpus(t *testing.T, w way, turns [][]corpusRow, to *effects) {
	t.Helper()
	rows := slices.Concat(turns...)
	ctx, cancel := context.WithTimeout(t.Context(), 4*limit+time.Duration(len(rows))*10*time.Second) // the machine may be busy
	defer cancel()
	o := &outcome{mode: w.agent.Mode.Text}
	var script fakemodel.Script
	c := rig.Config{Install: install, Bin: bin, Host: w.host, Files: files(rows), NoYAML: !w.yaml,
		Script: func(r fakemodel.Request) fakemodel.Step { return script(r) }}
	if hooks := hooksOf(t, w, turns); w.yaml {
		c.YAML = "version: 1\nharnesses: [" + w.host.ID + "]\nhooks: " + hooks + "\n"
	} else {
		c.Files[settings] = `{"hooks":` + hooks + "}\n"
	}
	for _, f := range w.agent.Files {
		c.Files[f.Key] = f.Value.Text
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
	if !w.native {
		args := []string{"materialize", o.Clone, "--harness", w.host.ID}
		if w.host.Trusts {
			args = append(args, "--trust")
		}
		_, err = o.Lorimer(ctx, args...)
		must(t, err)
	}
	var logs []fakemodel.Log
	if w.talks() {
		logs = conversation(ctx, t, o, turns, &script)
	} else {
		script = calls(o, rows)
		must(t, once(ctx, o, rig.Options{Prompt: corpusPrompt(0), Ask: rows[0].Call.Text == ungranted && w.host.Asks}))
		logs = []fakemodel.Log{o.Model.Requests()}
	}
	to.mu.Lock()
	defer to.mu.Unlock()
	maps.Copy(to.all, effectsOf(o, w.agent, turns, logs))
}

// conversation runs the host through several turns and returns what the model was asked in each.
func conversation(ctx context.Context, t *testing.T, o *outcome, turns [][]corpusRow, script *fakemodel.Script) (logs []fakemodel.Log) {
	t.Helper()
	p, err := o.Start(rig.Options{Mode: o.mode})
	must(t, err)
	asked := 0
	for i, rows := range turns {
		before, say := asked, calls(o, rows)
		*script = func(r fakemodel.Request) fakemodel.Step {
			r.Turn -= before
			return say(r)
		}
		must(t, p.Prompt(ctx, corpusPrompt(i)))
		log := o.Model.Requests()
		logs, asked = append(logs, log[asked:]), len(log)
	}
	must(t, p.CloseInput())
	o.exit, err = p.Wait(ctx)
	must(t, err)
	return logs
}

// corpusPrompt is what the user says in the turn.
func corpusPrompt(turn int) string { return fmt.Sprintf("PROMPT %d.", turn) }

// act is the tool that the model uses: it leaves a note of what it was told to do.
const act = "#!/bin/sh\nprintf '%s\\n' \"$*\" >>\"$E2E/acted.$1\"\necho \"RAN $*\"\n[ \"$2\" != fails ]\n"

// at runs a handler when the payload has the text as the end of a value: of a stop the model's last word, of a prompt its own.
const at = "#!/bin/sh\npayload=$(cat)\ncase $payload in *\"$1\\\"\"*) printf '%s' \"$payload\" | \"$2\" ;; esac\n"

// nth runs a handler of Stop at its n-th call alone.
const nth = "#!/bin/sh\nn=$(cat \"$2.calls\" 2>/dev/null)\necho $((n + 1)) >\"$2.calls\"\n[ $((n + 1)) -ne \"$1\" ] || exec \"$2\"\n"

func files(rows []corpusRow) map[string]string {
	all := map[string]string{"act": act, "hooks/at": at, "hooks/nth": nth}
	for _, row := range rows {
		maps.Copy(all, row.scripts)
		if row.Call.Text == ungranted {
			all[row.Name.Text+".txt"] = "original"
		}
	}
	return all
}

// word is the model's last word before the stop that the row is about: a blocked one is followed by the next row's.
func (row corpusRow) word() string {
	if row.goesOn() || row.Alone {
		return "AT " + row.Name.Text
	}
	return lastWord
}

const lastWord = "AT the end"

// ungranted is the call that the user would be asked about.
const ungranted = "ungranted"

// hooksOf is the "hooks" of Claude's settings for the rows: a group each.
func hooksOf(t *testing.T, w way, turns [][]corpusRow) string {
	t.Helper()
	hooks := map[string][]any{}
	for turn, rows := range turns {
		for i, row := range rows {
			before := w.before(turns, turn, rows[:i])
			var entries []any
			for _, path := range slices.Sorted(maps.Keys(row.scripts)) {
				entries = append(entries, row.entry(before+"./"+path))
			}
			if len(entries) == 0 {
				entries = append(entries, row.entry(""))
			}
			hooks[row.Event.Text] = append(hooks[row.Event.Text], map[string]any{"hooks": entries})
		}
	}
	b, err := json.Marshal(hooks)
	must(t, err)
	return string(b)
}

// before stands before the command of a row's handlers, to keep away the stops, and the prompts, of other rows.
func (w way) before(turns [][]corpusRow, turn int, earlier []corpusRow) string {
	row := turns[turn][len(earlier)]
	switch event := harness.Event(row.Event.Text); {
	case event == harness.UserPromptSubmit && len(turns) > 1 && row.Alone:
		return "./hooks/at " + quoted(corpusPrompt(turn)) + " "
	case event != harness.Stop || row.Alone && len(turns) == 1:
		return ""
	case w.agent.Counted:
		n := 1
		for _, x := range turns[turn] {
			if x.goesOn() && (!row.goesOn() || slices.ContainsFunc(earlier, func(e corpusRow) bool { return e.Name == x.Name })) {
				n++
			}
		}
		return fmt.Sprintf("./hooks/nth %d ", n)
	}
	return "./hooks/at " + quoted(row.word()) + " "
}

// entry is one handler of the row. What stands in it beside the command keeps the calls of other rows away.
func (row corpusRow) entry(command string) map[string]any {
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
	case ungranted:
		return "Edit(" + row.Name.Text + ".txt)"
	case "write":
		return "Write(" + row.Name.Text + ".txt)"
	}
	return "Bash(./act " + row.Name.Text + " *)"
}

// calls is the model: a tool call for each row that is about one, a word for each stop that is to be blocked, and the last.
func calls(o *outcome, rows []corpusRow) fakemodel.Script {
	var steps []fakemodel.Step
	last := lastWord
	for _, row := range rows {
		if row.Alone && len(rows) == 1 {
			last = row.word()
		}
		if row.isTool() {
			steps = append(steps, row.call(o))
		} else if row.goesOn() {
			steps = append(steps, fakemodel.Say(row.word()))
		}
	}
	return fakemodel.Steps(append(steps, fakemodel.Say(last))...)
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
	case ungranted:
		return o.Host.Ungranted(file, "original", "edited")
	}
	return shell(o, "./act "+name)
}
