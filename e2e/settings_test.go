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
	user          string // the user's own settings; empty = they are not asked for
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
	for path, text := range map[string]string{
		filepath.Join(o.Clone, settings): s.shared, filepath.Join(o.Clone, ".claude", "settings.local.json"): s.local, filepath.Join(o.Home, settings): s.user,
	} {
		if text != "" {
			must(t, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(filled(text)), 0o644))
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
	{name: "one command, other rules", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"if":"Bash(echo *)"},{<a>,"if":"Bash(echo x)"}]}]}}`, calls: []toolCall{{shell: "echo x"}},
		want: "a a"},
	{name: "if: rules of a command", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"if":"Bash"},{<b>,"if":"Bash(echo *)"},{<c>,"if":"Bash(echo:*)"},{<d>,"if":"Bash(echo x)"},{<e>,"if":"Bash(*x)"},{<f>,"if":"Bash(rm *)"},{<g>,"if":"Read"},{<h>,"if":"bash(echo *)"},{<i>,"if":"Bash(echo)"},{<j>,"if":"Bash()"},{<k>,"if":"Bash(*)"},{<l>,"if":"nonsense("},{<m>,"if":""},{<n>,"if":"Bash(echo*)"},{<o>,"if":"Bash(ec*)"},{<p>,"if":"*"}]}]}}`, calls: []toolCall{{shell: "echo x"}},
		want: "a b c d e j k m n o"},
	{name: "if: a line of several commands", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"if":"Bash(echo *)"},{<b>,"if":"Bash(true)"},{<c>,"if":"Bash(true *)"},{<d>,"if":"Bash(printf *)"},{<e>,"if":"Bash(FOO=1 printf *)"},{<f>,"if":"Bash(cat *)"},{<g>,"if":"Bash(date *)"},{<h>,"if":"Bash(true && *)"},{<i>,"if":"Bash(expr *)"}]}]}}`, calls: []toolCall{{shell: "true && echo x | cat; FOO=1 printf y; echo $(date +%s); echo `expr 1 + 1`"}},
		want: "a b c d e f g h i"},
	{name: "if: a command without arguments", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"if":"Bash(true *)"},{<b>,"if":"Bash(true:*)"},{<c>,"if":"Bash(true*)"},{<d>,"if":"Bash(tr* )"},{<e>,"if":"Bash(true|false)"},{<f>,"if":"Bash|Write"},{<g>,"if":"Bash( true)"},{<h>,"if":"Bash(TRUE)"}]}]}}`, calls: []toolCall{{shell: "true"}},
		want: "a b c d g"},
	{name: "if: rules of a file", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"if":"Write(*.ts)"},{<b>,"if":"Edit(*.ts)"},{<c>,"if":"Write(src/**)"},{<d>,"if":"Write(src/*.ts)"},{<e>,"if":"Write(/src/**)"},{<f>,"if":"Write(./src/**)"},{<g>,"if":"Write(**/*.ts)"},{<h>,"if":"Write(src)"},{<i>,"if":"Write(*.go)"},{<j>,"if":"Write(src/)"},{<k>,"if":"Write(~/**)"},{<l>,"if":"Write(//**)"},{<m>,"if":"Write(*)"},{<n>,"if":"Write"},{<o>,"if":"Write(a.ts)"},{<p>,"if":"Read(*.ts)"}]}]}}`, calls: []toolCall{{write: "src/a.ts"}},
		want: "a c d e f g h j k l m n o"},
	{name: "if: at an event that is no tool call", shared: `{"hooks":{"Stop":[{"hooks":[{<a>,"if":"Bash(rm *)"},{<b>}]}],"SessionStart":[{"hooks":[{<c>,"if":"Bash"}]}],"UserPromptSubmit":[{"hooks":[{<d>,"if":"*"}]}]}}`,
		want: "b"},
	{name: "if: after the tool", shared: `{"hooks":{"PostToolUse":[{"hooks":[{<a>,"if":"Bash(echo *)"},{<b>,"if":"Bash(rm *)"}]}]}}`, calls: []toolCall{{shell: "echo x"}, {shell: "false"}},
		want: "a"},
	{name: "if: how a line is taken apart", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"if":"Bash(rm *)"},{<b>,"if":"Bash(echo *)"},{<c>,"if":"Bash"}]}]}}`, calls: []toolCall{{shell: "timeout 5 rm -f n"}, {shell: "if true; then rm -f n; fi"}, {shell: "echo 'a; rm x'"}, {shell: "\\rm -f n"}, {shell: "'rm' -f n"}, {shell: "env rm -f n"}, {shell: "nohup rm -f n"}, {shell: "nice rm -f n"}, {shell: "time rm -f n"}, {shell: "command rm -f n"}, {shell: "echo n | xargs rm -f"}, {shell: "A=1 B=2 rm -f n"}, {shell: "/bin/rm -f n"}, {shell: "(rm -f n)"}, {shell: "{ rm -f n; }"}, {shell: "f() { rm -f n; }; f"}, {shell: "while false; do rm -f n; done"}, {shell: "! rm -f n"}, {shell: "cat <<EOF\nrm x\nEOF"}, {shell: "true # rm x"}, {shell: "true \"$(rm -f n)\""}, {shell: "true '$(rm -f n)'"}, {shell: "rm -f n &"}, {shell: "rm   -f n"}, {shell: "true $X"}, {shell: "true $((1+1))"}, {shell: "rm \\\n -f n"}, {shell: "case a in a) rm -f n;; esac"}, {shell: "for i in 1; do rm -f n; done"}, {shell: ">/dev/null rm -f n"}, {shell: "X=$(rm -f n)"}, {shell: "cd . && rm -f n"}, {shell: "eval rm -f n"}, {shell: "true *"}, {shell: "true ${HOME}"}, {shell: "X=5"}},
		want: "a a a a a a a a a a a a a a a a a a a a a b b b b b b b c c c c c c c c c c c c c c c c c c c c c c c c c c c c c c c c c c c c"},
	{name: "if: a file below a directory", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"if":"Write(*.ts)"},{<b>,"if":"Write(src/**)"},{<c>,"if":"Write(src/*.ts)"},{<d>,"if":"Write(/src/*)"},{<e>,"if":"Write(src/**/*.ts)"},{<f>,"if":"Write(deep/**)"},{<g>,"if":"Write(**/deep/*.ts)"},{<h>,"if":"Write(src/*)"},{<i>,"if":"Write(*.{ts,tsx})"},{<j>,"if":"Write(/**/b.ts)"},{<k>,"if":"Write(/b.ts)"},{<l>,"if":"Write(~/project/**)"},{<m>,"if":"Write(deep)"},{<n>,"if":"Write(src/deep)"},{<o>,"if":"Write(deep/b.ts)"},{<p>,"if":"Write(b.*)"}]}]}}`, calls: []toolCall{{write: "src/deep/b.ts"}},
		want: "a b d e g h j l m n p"},
	{name: "if: more of a file", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"if":"Write(/deep/**)"},{<b>,"if":"Write(src/[a-z]*/b.ts)"},{<c>,"if":"Write(src/dee?/b.ts)"},{<d>,"if":"Write(//tmp/**)"},{<e>,"if":"Write(SRC/**)"},{<f>,"if":"Write(!src/**)"},{<g>,"if":"Write(../**)"},{<h>,"if":"Write()"},{<i>,"if":"Write( src/**)"},{<j>,"if":"Write(src/**, x)"},{<k>,"if":"Write(b.ts:*)"}]}]}}`, calls: []toolCall{{write: "src/deep/b.ts"}},
		want: "b c d e h"},
	{name: "if: a file outside of the project", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"if":"Write(*.ts)"},{<b>,"if":"Write(/tmp/**)"},{<c>,"if":"Write(//tmp/**)"},{<d>,"if":"Write(**)"},{<e>,"if":"Write"},{<f>,"if":"Write(../**)"},{<g>,"if":"Write(~/**)"}]}]}}`, calls: []toolCall{{write: "../out.ts"}},
		want: "a c d e g"},
	{name: "permissions of another type", shared: `{"permissions":5,"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, local: `{"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`,
		want: "b"},
	{name: "a model of another type", shared: `{"model":5,"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, local: `{"env":5,"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`,
		want: ""},
	{name: "a status line of another type", shared: `{"statusLine":5,"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, local: `{"cleanupPeriodDays":"x","hooks":{"Stop":[{"hooks":[{<b>}]}]}}`,
		want: ""},
	{name: "values of another type inside", shared: `{"env":{"X":5},"permissions":{"allow":["Bash(",5]},"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`,
		want: "a"},
	{name: "levels: user, project, local", user: `{"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, shared: `{"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`, local: `{"hooks":{"Stop":[{"hooks":[{<c>}]}]}}`,
		want: "a b c"},
	{name: "levels: one command at two", user: `{"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, shared: `{"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`,
		want: "a"},
	{name: "levels: the user disables", user: `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, shared: `{"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`,
		want: ""},
	{name: "levels: the user disables, the project does not", user: `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, shared: `{"disableAllHooks":false,"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`,
		want: "a b"},
	{name: "levels: the project disables", user: `{"disableAllHooks":false,"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, shared: `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`,
		want: ""},
	{name: "levels: the local file disables", user: `{"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, local: `{"disableAllHooks":true}`,
		want: ""},
	{name: "levels: what only an organization may say", user: `{"allowManagedHooksOnly":true,"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, shared: `{"allowManagedHooksOnly":true,"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`,
		want: "a b"},
	{name: "levels: the user's file is void", user: `{"disableAllHooks":true,"hooks":{"PreToolUse":[{"hooks":[{<a>,"timeout":0}]}]}}`, shared: `{"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`,
		want: "b"},
	{name: "levels: a void project file disables nothing", shared: `{"disableAllHooks":true,"hooks":{"PreToolUse":[{"hooks":[{<a>,"timeout":0}]}]}}`, local: `{"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`,
		want: "b"},
	{name: "if: variables, open quotes and braces", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"if":"Bash(rm *)"},{<b>,"if":"Bash(true *)"},{<c>,"if":"Bash(zz *)"},{<d>,"if":"Bash(yy)"}]}]}}`, calls: []toolCall{{shell: "X=rm; $X -f n"}, {shell: "true 'open; rm -f n"}, {shell: "$X -f n"}, {shell: "true a\\ b"}, {shell: "true {a,b}"}, {shell: "true >$HOME/x"}, {shell: "true $(date); true"}, {shell: "true $(date)"}, {shell: "echo n | xargs rm -f"}, {shell: "true && echo x"}},
		want: "a a a a a a a b b b b b b b b c c c c c d d d d d d"},
	{name: "matcher: expressions", shared: `{"hooks":{"PreToolUse":[{"matcher":"^(?!Read).*","hooks":[{<a>}]},{"matcher":"^(?!Bash).*","hooks":[{<b>}]},{"matcher":"(?!mcp__x).*","hooks":[{<c>}]},{"matcher":"(?i)bash","hooks":[{<d>}]},{"matcher":"[","hooks":[{<e>}]},{"matcher":"\\u0042ash","hooks":[{<f>}]},{"matcher":"^(?!Bash$)(?!Read$)","hooks":[{<g>}]},{"matcher":"Ba(?=sh)","hooks":[{<h>}]},{"matcher":"(?<=Ba)sh","hooks":[{<i>}]},{"matcher":"(?<!Ba)sh","hooks":[{<j>}]},{"matcher":"^(?:(x)|Bash)\\1$","hooks":[{<k>}]},{"matcher":"\\x42ash","hooks":[{<l>}]},{"matcher":"^\\p{Lu}ash$","hooks":[{<m>}]},{"matcher":"^B[^]sh$","hooks":[{<n>}]},{"matcher":"(?:Bash","hooks":[{<o>}]},{"matcher":"^(?:(?!Read)\\w)+$","hooks":[{<p>}]}]}}`, calls: []toolCall{{shell: "echo x"}},
		want: "a c f h i k l n p"},
	{name: "asyncRewake is waited for", shared: `{"hooks":{"Stop":[{"hooks":[{<a>,"asyncRewake":true},{<b>}]}]}}`,
		want: "a b"},
	{name: "async is started, too", shared: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"async":true},{<b>}]}]}}`, calls: []toolCall{{shell: "sleep 0.5"}},
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
					ready := materializeAll
					if s.user != "" {
						ready = materializeUsers
					}
					got, o := s.run(t, h, ready)
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
func materializeAll(ctx context.Context, r *rig.Rig) error { return materializeWith(ctx, r) }

// materializeUsers takes the user's own settings for a source, too.
func materializeUsers(ctx context.Context, r *rig.Rig) error {
	return materializeWith(ctx, r, "--user")
}

func materializeWith(ctx context.Context, r *rig.Rig, args ...string) error {
	args = append([]string{"materialize", r.Clone}, args...)
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
