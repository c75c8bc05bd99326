package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

const head = `id: x
name: X
shim:
  file: { project: .x/lorimer.js }
  module: { export: default, params: [api] }
  channels:
    ext: { register: call, target: api.on, args: [e], awaited: true }
  session:
    id: { ext: e.id }
  host: { cwd: e }
limits: { "*": 40s, SessionEnd: 2s }
events:
`

func build(t *testing.T, events string) (*Plan, error) {
	t.Helper()
	d, err := descriptor.LoadFile("x.yaml", []byte(strings.Replace(head, "cwd: e }", "cwd: session.dir }", 1)+events))
	if err != nil {
		t.Fatal(err)
	}
	return Build([]*descriptor.Descriptor{d})
}

func TestBindings(t *testing.T) {
	p, err := build(t, `
  - { host: end, event: SessionEnd }
  - { host: tool, event: PreToolUse, tool: { name: e.n, input: e.i }, blocked: 'return reason', cannot: [context] }
  - { host: tool_two, event: PreToolUse, tool: { name: e.n, input: e.i }, context: e.say(context) }
  - { host: stop, event: Stop, blocked: 'return reason' }
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []harness.Binding{
		{Event: harness.PreToolUse, Host: "tool", Can: []harness.Effect{harness.Block, harness.Context}, Limit: 40 * time.Second},
		{Event: harness.Stop, Host: "stop", Can: []harness.Effect{harness.Block, harness.Continue}, Limit: 40 * time.Second},
		{Event: harness.SessionEnd, Host: "end", Limit: 2 * time.Second},
	}
	got := p.Harnesses[0].Bindings
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i, b := range got {
		if b.Event != want[i].Event || b.Host != want[i].Host || b.Limit != want[i].Limit || !slices.Equal(b.Can, want[i].Can) {
			t.Errorf("got %+v, want %+v", b, want[i])
		}
	}
}

func TestHandlersAreRegisteredForWhatTheyServe(t *testing.T) {
	p, err := build(t, `
  - { host: begin, event: SessionStart, open: true }
  - { host: prompt, event: UserPromptSubmit, fields: { prompt: e.p }, context: { hold: slot } }
  - { host: later, deliver: { slot: slot, with: e.say(context) } }
  - { host: stop, event: Stop }
  - { host: stop, event: SubagentStop }
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		host   string
		wanted string
		always bool
	}{
		{"begin", "SessionStart", true}, {"prompt", "UserPromptSubmit", false},
		{"later", "UserPromptSubmit", false}, {"stop", "Stop SubagentStop", false},
	}
	got := p.Harnesses[0].Handlers
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i, h := range got {
		if h.Host != want[i].host || strings.Join(h.Wanted, " ") != want[i].wanted || h.Always != want[i].always {
			t.Errorf("got %s %v %v, want %+v", h.Host, h.Wanted, h.Always, want[i])
		}
	}
}

func TestRowsThatContradictEachOther(t *testing.T) {
	for _, c := range []struct{ about, events, want string }{
		{"held, never delivered", "  - { host: a, event: SessionStart, context: { hold: s } }\n",
			`x.yaml:13:54: context is held in slot "s", but no row delivers it`},
		{"delivered, never held", "  - { host: a, deliver: { slot: s, with: e.say(context) } }\n",
			`x.yaml:13:33: slot "s" is delivered, but no row holds context in it`},
		{"a key on one side alone", "  - { host: a, event: SessionStart, context: { hold: s, key: e.id } }\n  - { host: b, deliver: { slot: s, with: e.say(context) } }\n",
			`x.yaml:14:33: context is held in slot "s" with a key on one side alone, so it is never found`},
		{"waits for nobody", "  - { host: a, event: Stop, after: SessionStart }\n",
			`x.yaml:13:36: after waits for SessionStart, which no row dispatches`},
	} {
		_, err := build(t, c.events)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.about, err, c.want)
		}
	}
}

const external = `id: x
name: X
hooks:
  files: { shared: .x/hooks.json }
  at: [hooks, "{host_event}"]
  group: "{entry}"
  entry: { command: "{command}" }
  quote: shell
  timeout: { unit: s, default: 30s }
payload: { session_id: id }
events:
  - { host: prompt, event: UserPromptSubmit }
`

// What rows of one event bring is brought once, and has to be there.
func TestBrought(t *testing.T) {
	build := func(rows string) (*Plan, error) {
		d, err := descriptor.LoadFile("x.yaml", []byte(external+rows))
		if err != nil {
			t.Fatal(err)
		}
		return Build([]*descriptor.Descriptor{d})
	}
	p, err := build("  - { host: end, event: Stop, where: [{ key: a, present: true }], brings: [UserPromptSubmit] }\n  - { host: stop, event: Stop, brings: [UserPromptSubmit, Stop] }\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Harnesses[0].Bindings[1]; !slices.Equal(got.Brings, []harness.Event{harness.UserPromptSubmit, harness.Stop}) {
		t.Errorf("got %+v", got)
	}
	_, err = build("  - { host: stop, event: Stop, brings: [PreToolUse] }\n")
	if want := "x.yaml:13:41: Stop brings PreToolUse, which no row dispatches"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// One event of the host may be several of ours, and several may be one; an entry of the config is for one of the host's.
func TestSlots(t *testing.T) {
	build := func(rows string) (*Plan, error) {
		d, err := descriptor.LoadFile("x.yaml", []byte(external+rows))
		if err != nil {
			t.Fatal(err)
		}
		return Build([]*descriptor.Descriptor{d})
	}
	const tool = "tool: { name: t, input: i } }\n"
	p, err := build("  - { host: after, event: PostToolUseFailure, where: [{ key: failed, present: true }], " + tool +
		"  - { host: after, event: PostToolUse, " + tool +
		"  - { host: failure, event: PostToolUseFailure, " + tool +
		"  - { host: read, event: PreToolUse, " + tool +
		"  - { host: write, event: PreToolUse, " + tool)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range p.Harnesses[0].Slots {
		got = append(got, fmt.Sprintf("%s=%s/%d", s.Host, s.Event, len(s.Rows)))
	}
	if want := "prompt=UserPromptSubmit/1 read=PreToolUse/1 write=PreToolUse/1 after=PostToolUse/2 failure=PostToolUseFailure/1"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	got = nil
	for _, b := range p.Harnesses[0].Bindings {
		got = append(got, fmt.Sprintf("%s %v %v", b.Event, b.Hosts(), b.Turns))
	}
	const want = "UserPromptSubmit [prompt] []; PreToolUse [read write] []; PostToolUse [after] [PostToolUseFailure]; PostToolUseFailure [after failure] []"
	if strings.Join(got, "; ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	for rows, want := range map[string]string{
		"  - { host: after, event: PostToolUse, " + tool + "  - { host: after, event: PostToolUseFailure, " + tool: "an earlier row takes every after",
		"  - { host: read, event: PostToolUse, " + tool + "  - { host: after, event: PostToolUseFailure, where: [{ key: failed, present: true }], " + tool +
			"  - { host: after, event: PostToolUse, " + tool: "after may be PostToolUseFailure, and other events of the host are PostToolUse, too",
		"  - { host: read, event: PreToolUse, " + tool + "  - { host: write, event: PreToolUse, tool: { name: other, input: i } }\n": "write has another `tool` here than in the first row of PreToolUse",
	} {
		if _, err := build(rows); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestIDsThatGiveOneGoName(t *testing.T) {
	var all []*descriptor.Descriptor
	for _, id := range []string{"a-b", "aB"} {
		all = append(all, &descriptor.Descriptor{File: id, ID: descriptor.Str{Text: id, Pos: descriptor.Pos{Line: 1, Col: 5}}})
	}
	if _, err := Build(all); err == nil || !strings.Contains(err.Error(), "give one Go name, AB") {
		t.Errorf("error = %v", err)
	}
}
