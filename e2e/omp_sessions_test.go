//go:build linux

package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// A sub-agent is told as one, with and without session files: its events are the main session's with an agent_id, it has its
// own stop, which can be gated, no prompt and no socket: a message that comes while it works is the main session's.
func TestOmpSubagents(t *testing.T) {
	need(t)
	for name, args := range map[string][]string{"with files": nil, "without": {"--no-session"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var o *outcome
			steps := []fakemodel.Step{
				fakemodel.Use("task", map[string]any{"context": "c", "tasks": []any{map[string]any{"task": "TASK", "name": "Kid"}}}),
				fakemodel.Use("bash", map[string]any{"command": "echo sub"}),
				fakemodel.Use("yield", map[string]any{"data": "EARLY"}),
				fakemodel.Use("yield", map[string]any{"data": "LATER"}),
				fakemodel.Say("done"),
				fakemodel.Say("poked"),
			}
			ctx, o := ompWorld(t, "print", func(r fakemodel.Request) fakemodel.Step {
				s := fakemodel.Steps(steps...)(r)
				if r.Turn == 2 {
					s.Until = o.hold
				}
				return s
			}, on("SubagentStart"), on("SubagentStop"))
			must(t, o.Answer("SubagentStart", `hook '{"additionalContext":"ABOUT-THE-TASK"}'`), o.Answer("SubagentStop", "first_stop && block 'NOT YET, KID'"))
			p, err := o.Start(rig.Options{Mode: "print", Prompt: prompt, Args: args})
			must(t, err, asked(ctx, o, 2), poke(ctx, o.Socket(), message(poked, "m1")))
			close(o.hold)
			o.exit, err = p.Wait(ctx)
			must(t, err)
			main := func(o *outcome) string { return o.Calls("SessionStart")[0].Get("session_id") }
			hold(t, o, exits(0), quiet(), requests(6), reads(2, "ABOUT-THE-TASK"), reads(4, "NOT YET, KID"), reads(6, poked), socketGone,
				dispatched("SessionStart", 1), dispatched("SessionEnd", 1), dispatched("UserPromptSubmit", 1), dispatched("Stop", 1),
				dispatched("SubagentStart", 1), dispatched("SubagentStop", 2), dispatched("PreToolUse", 2), dispatched("PostToolUse", 2),
				field("SubagentStart", 0, main, "session_id"), field("SubagentStart", 0, is("task"), "agent_type"),
				field("PreToolUse", 1, main, "session_id"), field("PreToolUse", 1, is("echo sub"), "tool_input", "command"),
				field("SubagentStop", 0, is("false"), "stop_hook_active"), field("SubagentStop", 1, is("true"), "stop_hook_active"),
				field("SubagentStop", 1, is("LATER"), "last_assistant_message"),
				check{what: "agent_id", test: subagentIDs})
		})
	}
}

// subagentIDs: the main session's payloads have none, and the sub-agent's all have the same.
func subagentIDs(o *outcome) error {
	starts := o.Calls("SubagentStart")
	if len(starts) == 0 {
		return errors.New("no sub-agent began")
	}
	id := starts[0].Get("agent_id")
	for _, c := range o.Calls("") {
		want := ""
		if strings.HasPrefix(c.Label, "Subagent") || strings.Contains(c.Payload, "echo sub") {
			want = id
		}
		if c.Get("agent_id") != want || id == "" {
			return fmt.Errorf("%s: %s", c.Label, c.Payload)
		}
	}
	return nil
}

// Another session in the same process ends the one before it, and has gate and socket too.
func TestOmpNewSessionInTheSameProcess(t *testing.T) {
	need(t)
	t.Parallel()
	ctx, o := ompWorld(t, "rpc", fakemodel.Steps(fakemodel.Say("parent"), fakemodel.Say("early"), fakemodel.Say("done")))
	must(t, o.Answer("Stop", `[ "$nth" -gt 1 ] && first_stop && block `+quoted(reason)))
	p, err := o.Start(rig.Options{Mode: "rpc"})
	must(t, err, say(ctx, p, "first"), p.Send(map[string]string{"id": "n", "type": "new_session"}))
	must(t, o.WaitCalls(ctx, "SessionStart", 2), say(ctx, p, prompt), bound(ctx, o))
	before := len(p.Lines())
	must(t, poke(ctx, o.Socket(), message(poked, "m1")), p.Output(ctx, func(l []string) bool { return settled(l[before:]) }))
	o.exit, err = p.Wait(ctx)
	must(t, err)
	hold(t, o, exits(0), quiet(), sessions(2), requests(5), goesOn(3, reason), reads(4, poked), socketGone, wellFormed,
		dispatched("SessionStart", 2), dispatched("SessionEnd", 2), dispatched("Stop", 5),
		field("SessionStart", 1, is("clear"), "source"), field("SessionEnd", 0, is("clear"), "reason"),
		field("Stop", 1, is("false"), "stop_hook_active"), field("Stop", 2, is("true"), "stop_hook_active"),
		field("Stop", 3, is("false"), "stop_hook_active"), field("Stop", 4, is("true"), "stop_hook_active"))
}

// A session that is taken up again is no new one.
func TestOmpResume(t *testing.T) {
	need(t)
	t.Parallel()
	ctx, o := ompWorld(t, "json", fakemodel.Steps(fakemodel.Say("FIRST-ANSWER"), fakemodel.Say("done")))
	must(t, once(ctx, o, rig.Options{}))
	ended(ctx, t, o, rig.Options{Args: []string{"-c"}}, exits(0), quiet(), reads(2, "FIRST-ANSWER"), dispatched("SessionStart", 2),
		field("SessionStart", 0, is("startup"), "source"), field("SessionStart", 1, is("resume"), "source"),
		field("SessionStart", 1, func(o *outcome) string { return o.Calls("SessionStart")[0].Get("session_id") }, "session_id"))
}

// A compaction can be held up, and is told when it is done.
func TestOmpCompaction(t *testing.T) {
	need(t)
	t.Parallel()
	ctx, o := ompWorld(t, "rpc", fakemodel.Steps(fakemodel.Say("one "+strings.Repeat("word ", 3000)), fakemodel.Say("SUMMARY")), on("PreCompact"), on("PostCompact"))
	must(t, o.Answer("PreCompact", `[ "$nth" = 1 ] && block 'NOT NOW'`),
		os.WriteFile(filepath.Join(o.Clone, ".omp", "config.yml"), []byte("compaction: { keepRecentTokens: 100 }\n"), 0o644))
	p, err := o.Start(rig.Options{Mode: "rpc"})
	must(t, err, say(ctx, p, "first"), say(ctx, p, "second"))
	for i := range 2 {
		must(t, p.Send(map[string]string{"id": "c", "type": "compact", "customInstructions": "KEEP"}))
		must(t, p.Output(ctx, func(lines []string) bool {
			return strings.Count(strings.Join(lines, "\n"), `"command":"compact"`) == i+1
		}))
	}
	o.exit, err = p.Wait(ctx)
	must(t, err)
	hold(t, o, exits(0), quiet(), dispatched("PreCompact", 2), dispatched("PostCompact", 1), field("PreCompact", 0, is("manual"), "trigger"),
		field("PreCompact", 0, is("KEEP"), "custom_instructions"), field("PostCompact", 0, is("manual"), "trigger"))
	if !strings.Contains(o.exit.Stdout, "NOT NOW") {
		t.Error("the reason was not shown")
	}
}
