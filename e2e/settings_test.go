//go:build linux

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// settingsCase is a project whose hooks stand in Claude's own settings alone. In shared and local, `<name>` is short for a
// command entry that notes name.
type settingsCase struct {
	name          string
	shared, local string // the settings files; empty = there is none
	calls         []toolCall
	want          string // the names that were noted, sorted
}

// toolCall is a call of the shell tool, or of the tool that writes a file.
type toolCall struct{ shell, write string }

func (s settingsCase) script(o *outcome) fakemodel.Script {
	var steps []fakemodel.Step
	for _, c := range s.calls {
		if c.write != "" {
			steps = append(steps, fakemodel.Use(o.Host.Write, map[string]any{
				o.Host.WritePath: filepath.Join(o.Clone, c.write), "content": "x\n"}))
			continue
		}
		steps = append(steps, shell(o, c.shell))
	}
	return fakemodel.Steps(append(steps, fakemodel.Say("done"))...)
}

// run runs the host in the project, prepared, and returns the names that were noted.
func (s settingsCase) run(t *testing.T, h *rig.Host, prepare ...func(context.Context, *rig.Rig) error) (string, *outcome) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	o := &outcome{mode: h.Modes[0]}
	var script fakemodel.Script
	o.Rig = bareWorld(t, h, func(r fakemodel.Request) fakemodel.Step { return script(r) })
	script = s.script(o)
	for name, text := range map[string]string{"settings.json": s.shared, "settings.local.json": s.local} {
		if text != "" {
			must(t, os.MkdirAll(filepath.Join(o.Clone, ".claude"), 0o755), os.WriteFile(filepath.Join(o.Clone, ".claude", name), []byte(filled(text)), 0o644))
		}
	}
	for _, p := range prepare {
		must(t, p(ctx, o.Rig))
	}
	must(t, once(ctx, o, rig.Options{}))
	o.log = o.Model.Requests()
	got := labels(o)
	slices.Sort(got)
	return strings.Join(got, " "), o
}

// filled writes the short forms out.
func filled(settings string) string {
	for _, name := range strings.Fields("a b c d e f g h i j k l m n o p") {
		settings = strings.ReplaceAll(settings, "<"+name+">", `"type":"command","command":"./hooks/handler `+name+`"`)
	}
	return settings
}

// bareWorld is a world whose project has no lorimer.yaml.
func bareWorld(t *testing.T, h *rig.Host, script fakemodel.Script) *rig.Rig {
	t.Helper()
	r, err := rig.New(rig.Config{Install: install, Bin: bin, Host: h, Script: script, NoYAML: true})
	must(t, err)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

var settingsCases = []settingsCase{
	{name: "a comment voids the file", shared: "// c\n{\"hooks\":{\"Stop\":[{\"hooks\":[{<a>}]}]}}",
		want: ""},
	{name: "a trailing comma voids the file", shared: `{"hooks":{"Stop":[{"hooks":[{<a>},]}]},}`,
		want: ""},
	{name: "a byte order mark", shared: "\ufeff" + `{"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`,
		want: "a"},
	{name: "one command in two files", shared: `{"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, local: `{"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`,
		want: "a"},
	{name: "one command with two timeouts", shared: `{"hooks":{"Stop":[{"hooks":[{<a>,"timeout":5},{<a>,"timeout":6}]}]}}`,
		want: "a"},
	{name: "one command, other args", shared: `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"./hooks/handler","args":["a"]},{"type":"command","command":"./hooks/handler","args":["b"]}]}]}}`,
		want: "a b"},
	{name: "one command, and its shell named", shared: `{"hooks":{"Stop":[{"hooks":[{<a>},{<a>,"shell":"bash"}]}]}}`,
		want: "a"},
	{name: "one command under two matchers that fit", shared: `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{<a>}]},{"matcher":"*","hooks":[{<a>}]}]}}`, calls: []toolCall{{shell: "echo x"}},
		want: "a"},
	{name: "an invalid hook at Stop goes alone", shared: `{"hooks":{"Stop":[{"hooks":[{<a>},{<b>,"timeout":0}]},{"hooks":[{<c>}]}],"SessionStart":[{"hooks":[{<d>}]}]}}`,
		want: "a c d"},
	{name: "an invalid group at Stop goes alone", shared: `{"hooks":{"Stop":[{"hooks":[{<a>}],"matcher":5},{"hooks":[{<c>}]}],"SessionStart":[{"hooks":[{<d>}]}]}}`,
		want: "c d"},
	{name: "Stop is no list", shared: `{"hooks":{"Stop":{"hooks":[{<a>}]},"SessionStart":[{"hooks":[{<d>}]}]}}`,
		want: "d"},
	{name: "PreToolUse is no list", shared: `{"hooks":{"PreToolUse":{"hooks":[{<a>}]},"SessionStart":[{"hooks":[{<d>}]}]}}`,
		want: ""},
	{name: "an invalid hook at PreToolUse voids its file", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<b>,"timeout":0}]}],"SessionStart":[{"hooks":[{<d>}]}]}}`, local: `{"hooks":{"Stop":[{"hooks":[{<e>}]}]}}`,
		want: "e"},
	{name: "an unknown type at PreToolUse voids its file", shared: `{"hooks":{"PreToolUse":[{"hooks":[{"type":"pigeon","command":"x"},{<a>}]}],"SessionStart":[{"hooks":[{<d>}]}]}}`, calls: []toolCall{{shell: "echo x"}},
		want: ""},
	{name: "timeout string at stop", shared: `{"hooks":{"Stop":[{"hooks":[{<a>,"timeout":"5"},{<b>}]}]}}`,
		want: "b"},
	{name: "timeout fraction", shared: `{"hooks":{"Stop":[{"hooks":[{<a>,"timeout":0.5},{<b>}]}]}}`,
		want: "a b"},
	{name: "if number", shared: `{"hooks":{"Stop":[{"hooks":[{<a>,"if":5},{<b>}]}]}}`,
		want: "b"},
	{name: "once string", shared: `{"hooks":{"Stop":[{"hooks":[{<a>,"once":"yes"},{<b>}]}]}}`,
		want: "b"},
	{name: "onFailure bad", shared: `{"hooks":{"Stop":[{"hooks":[{<a>,"onFailure":"stop"},{<b>}]}]}}`,
		want: "b"},
	{name: "shell bad", shared: `{"hooks":{"Stop":[{"hooks":[{<a>,"shell":"fish"},{<b>}]}]}}`,
		want: "b"},
	{name: "args bad", shared: `{"hooks":{"Stop":[{"hooks":[{<a>,"args":[5]},{<b>}]}]}}`,
		want: "b"},
	{name: "empty command", shared: `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":""},{<b>}]}]}}`,
		want: "b"},
	{name: "no command", shared: `{"hooks":{"Stop":[{"hooks":[{"type":"command"},{<b>}]}]}}`,
		want: "b"},
	{name: "extra key", shared: `{"hooks":{"Stop":[{"hooks":[{<a>,"x":5},{<b>}],"y":1}]}}`,
		want: "a b"},
	{name: "matcher null", shared: `{"hooks":{"Stop":[{"matcher":null,"hooks":[{<a>}]},{"hooks":[{<b>}]}]}}`,
		want: "b"},
	{name: "matcher on stop", shared: `{"hooks":{"Stop":[{"matcher":"Nope","hooks":[{<a>}]},{"hooks":[{<b>}]}]}}`,
		want: "a b"},
	{name: "unknown event", shared: `{"hooks":{"Nonsense":[{"hooks":[{<a>}]}],"Nonsense2":5,"Stop":[{"hooks":[{<b>}]}]}}`,
		want: "b"},
	{name: "of equal keys the last counts", shared: `{"hooks":{"Stop":[{"hooks":[{<a>}]}],"Stop":[{"hooks":[{<b>}]}]}}`,
		want: "b"},
	{name: "disable in shared", shared: `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, local: `{"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`,
		want: ""},
	{name: "disable in local", shared: `{"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, local: `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`,
		want: ""},
	{name: "disable shared, enable local", shared: `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, local: `{"disableAllHooks":false,"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`,
		want: "a b"},
	{name: "disableAllHooks is a text", shared: `{"disableAllHooks":"true","hooks":{"Stop":[{"hooks":[{<a>}]}]}}`,
		want: ""},
	{name: "once is ignored", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"once":true},{<b>}]}]}}`, calls: []toolCall{{shell: "echo x"}, {shell: "echo y"}},
		want: "a a b b"},
	{name: "project dir in args", shared: `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"${CLAUDE_PROJECT_DIR}/hooks/handler","args":["a"]},{"type":"command","command":"./hooks/handler","args":["b"]}]}]}}`,
		want: "a b"},
}

// TestSettings holds what Claude makes of its settings: its own program says what is right, and a host that Lorimer serves must
// start the same handlers.
func TestSettings(t *testing.T) {
	need(t)
	for _, s := range settingsCases {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			for _, h := range rig.Hosts {
				t.Run(h.ID, func(t *testing.T) {
					t.Parallel()
					got, o := s.run(t, h, materializeAll)
					if got != s.want {
						t.Errorf("ran %q, want %q", got, s.want)
					}
					if err := exits(0).test(o); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// materializeAll serves every host; a project without a lorimer.yaml names none, and not all are on the rig's PATH.
func materializeAll(ctx context.Context, r *rig.Rig) error {
	args := []string{"materialize", r.Clone}
	for _, h := range rig.Hosts {
		args = append(args, "--harness", h.ID)
	}
	_, err := r.Lorimer(ctx, args...)
	return err
}

// realHooks is what people have: a guard, a formatter and a gate for the stop, as Claude wants them.
const realHooks = `{
  "cleanupPeriodDays": 30,
  "hooks": {
    "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./hooks/handler guard"}]}],
    "PostToolUse": [{"matcher": "Write|Edit", "hooks": [{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/hooks/handler format", "timeout": 30}]}],
    "Stop": [{"hooks": [{"type": "command", "command": "${CLAUDE_PROJECT_DIR}/hooks/handler", "args": ["gate"]}]}]
  }
}
`

// TestHooksInPlace is a person with three hooks in Claude's settings and nothing else: after materialize each agent obeys all
// three, each runs once an event, and no file of the person's has changed.
func TestHooksInPlace(t *testing.T) {
	modes(t, rig.Hosts, func(t *testing.T, h *rig.Host, mode string) {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		o := &outcome{mode: mode}
		o.Rig = bareWorld(t, h, fakemodel.Steps(
			fakemodel.Use(h.Shell, map[string]any{"command": "rmdir hooks/victim"}),
			fakemodel.Use(h.Write, map[string]any{h.WritePath: "a.txt", "content": "x\n"}),
			fakemodel.Say("early"), fakemodel.Say("done"),
		))
		victim(t, o.Rig)
		file := filepath.Join(o.Clone, settings)
		must(t, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(realHooks), 0o644))
		must(t, o.Answer("guard", "grep -q rmdir \"$payload\" && block "+quoted(reason)))
		must(t, o.Answer("format", "echo formatted >>a.txt"))
		must(t, o.Answer("gate", "first_stop && block 'NOT YET'"))
		must(t, materializeAll(ctx, o.Rig))
		must(t, once(ctx, o, rig.Options{}))
		o.log = o.Model.Requests()
		for _, k := range []check{
			exits(0), quiet(), requests(4),
			dispatched("guard", 1), dispatched("format", 1), dispatched("gate", 2),
			there("hooks/victim"), reads(2, reason), reads(4, "NOT YET"),
			holds("a.txt", "x\nformatted\n"), holds(settings, realHooks),
		} {
			if err := k.test(o); err != nil {
				t.Errorf("%s:\n%v", k.what, err)
			}
		}
	})
}

// holds holds when the project's file has exactly that text.
func holds(path, text string) check {
	return check{what: path + " holds what it should", test: func(o *outcome) error {
		b, err := os.ReadFile(filepath.Join(o.Clone, path))
		if err != nil {
			return err
		}
		return same(string(b), text)
	}}
}
