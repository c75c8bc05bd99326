//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// client talks to Codex's app-server as an editor does: one JSON object a line.
type client struct {
	*rig.Process
	asked int
}

// serverSays is what the server says: an answer with the id of what was asked, or news with a method.
type serverSays struct {
	ID     int
	Method string
	Error  json.RawMessage
	Result struct{ Thread struct{ ID string } }
	Params json.RawMessage
}

func messages(lines []string) (all []serverSays) {
	for _, l := range lines {
		var m serverSays
		if json.Unmarshal([]byte(l), &m) == nil {
			all = append(all, m)
		}
	}
	return all
}

// call asks and returns the answer.
func (c *client) call(ctx context.Context, t *testing.T, method string, params map[string]any) (answer serverSays) {
	t.Helper()
	c.asked++
	must(t, c.Send(map[string]any{"id": c.asked, "method": method, "params": params}))
	must(t, c.Output(ctx, func(lines []string) bool {
		for _, m := range messages(lines) {
			if m.ID == c.asked && m.Method == "" {
				answer = m
				return true
			}
		}
		return false
	}))
	if answer.Error != nil {
		t.Fatalf("%s: %s", method, answer.Error)
	}
	return answer
}

// heard waits until the server has told n times of something.
func (c *client) heard(ctx context.Context, t *testing.T, n int, method string) {
	t.Helper()
	must(t, c.Output(ctx, func(lines []string) bool { return len(newsOf(lines, method)) >= n }))
}

func newsOf(lines []string, method string) (params []string) {
	for _, m := range messages(lines) {
		if m.Method == method {
			params = append(params, string(m.Params))
		}
	}
	return params
}

// In one session of its app-server, all that exec does not do: it asks before commands, and a hook answers for the user, either way;
// what a hook has to say is told to the client; a compaction is seen, and one that is blocked does not take place.
func TestCodexServed(t *testing.T) {
	ctx, o := codexWorld(t, fakemodel.Steps(shellOf("rmdir hooks/victim"), shellOf("touch allowed"), fakemodel.Say("done")),
		"PermissionRequest", "PreCompact", "PostCompact")
	must(t,
		o.Answer("PermissionRequest", `grep -q victim "$payload" && block 'NOT YOU'; hook '{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}'`),
		o.Answer("UserPromptSubmit", `printf '{"systemMessage":"NOTE — 🐎"}\n'`),
		o.Answer("PreCompact", `[ "$nth" -gt 1 ] && block 'NOT NOW'`))
	p, err := o.Open("app-server")
	must(t, err)
	c := &client{Process: p}
	c.call(ctx, t, "initialize", map[string]any{"clientInfo": map[string]any{"name": "e2e", "version": "1"}})
	must(t, c.Send(map[string]any{"method": "initialized"}))
	thread := c.call(ctx, t, "thread/start", map[string]any{"cwd": o.Clone, "approvalPolicy": "untrusted", "sandbox": "danger-full-access"}).Result.Thread.ID
	c.call(ctx, t, "turn/start", map[string]any{"threadId": thread, "input": []any{map[string]any{"type": "text", "text": prompt}}})
	c.heard(ctx, t, 1, "turn/completed")
	for n := range 2 {
		c.call(ctx, t, "thread/compact/start", map[string]any{"threadId": thread})
		c.heard(ctx, t, n+2, "turn/completed")
	}
	o.exit, err = p.Wait(ctx)
	must(t, err)
	o.log = o.Model.Requests()
	o.holds(t, dispatched("PermissionRequest", 2), there("hooks/victim"), there("allowed"),
		field("PermissionRequest", 0, is("Bash"), "tool_name"),
		field("PermissionRequest", 0, is("rmdir hooks/victim"), "tool_input", "command"),
		reads(2, "NOT YOU"),
		dispatched("PreCompact", 2), dispatched("PostCompact", 1),
		field("PreCompact", 0, is("manual"), "trigger"), field("PostCompact", 0, is("manual"), "trigger"),
		check{what: "the client is told what the hooks have to say", test: func(o *outcome) error {
			hooks := newsOf(strings.Split(o.exit.Stdout, "\n"), "hook/completed")
			for _, want := range []string{"NOTE — 🐎", "NOT NOW"} {
				if !strings.Contains(strings.Join(hooks, "\n"), want) {
					return fmt.Errorf("%q is not in:\n%s", want, strings.Join(hooks, "\n"))
				}
			}
			return nil
		}},
		check{what: "nobody else is asked", test: func(o *outcome) error {
			return same(strings.Join(newsOf(strings.Split(o.exit.Stdout, "\n"), "item/commandExecution/requestApproval"), "\n"), "")
		}})
}
