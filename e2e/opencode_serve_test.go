//go:build linux

package e2e

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// One server has many sessions. What is injected into one keeps its agent, its model, its tools and its system prompt: a
// continuation must not do what the turn before it was not allowed to.
func TestOpencodeServer(t *testing.T) {
	t.Parallel()
	ctx, o := opencodeWorld(t, "serve", fakemodel.Steps(fakemodel.Say("early"), fakemodel.Say("done"), fakemodel.Fail(400, "no such luck")),
		"PreCompact", "PostCompact", "StopFailure")
	must(t, o.Answer("Stop", `first_stop && block 'NOT YET'`))
	must(t, o.Answer("UserPromptSubmit", `printf '{"systemMessage":"NOTICE"}\n'`))
	must(t, serve(ctx, o, func(s *rig.Server) error {
		events := listen(ctx, t, s)
		id, err := s.Session(ctx, "")
		must(t, err, s.Prompt(ctx, id, prompt, map[string]any{
			"agent": "plan", "model": map[string]string{"providerID": "fake", "modelID": "gpt-5-fake"},
			"system": "SYSTEM OF THE CALLER", "tools": map[string]bool{"bash": false},
		}), s.Settled(ctx))
		must(t, s.Do(ctx, "POST", "/session/"+id+"/summarize", map[string]string{"providerID": "fake", "modelID": "fake-1"}, nil), s.Settled(ctx))
		if text := events(); !strings.Contains(text, `"tui.toast.show"`) || !strings.Contains(text, `"message":"NOTICE"`) {
			t.Errorf("no toast:\n%.2000s", text)
		}

		failing, err := s.Session(ctx, "")
		must(t, err, s.Prompt(ctx, failing, "fail", nil), s.Settled(ctx))
		must(t, s.Do(ctx, "DELETE", "/session/"+failing, nil, nil))
		return o.WaitCalls(ctx, "SessionEnd", 1)
	}))
	o.holds(t, exits(0), quiet(), sessions(2), requests(3),
		dispatched("SessionStart", 2), dispatched("SessionEnd", 2), dispatched("UserPromptSubmit", 2), dispatched("Stop", 2),
		request(2, "the continuation keeps what the prompt had", func(_ *outcome, r fakemodel.Request) error {
			last := r.Last().Text() // opencode itself reminds a session of its agent "plan"
			if r.Model != "gpt-5-fake" || !strings.Contains(r.Text(), "SYSTEM OF THE CALLER") || slices.Contains(r.Tools, "bash") || !strings.Contains(last, "Plan Mode") {
				return fmt.Errorf("model %s, tools %v, %s", r.Model, r.Tools, last)
			}
			return nil
		}),
		reads(2, "NOT YET"),
		dispatched("PreCompact", 1), dispatched("PostCompact", 1),
		dispatched("StopFailure", 1), field("StopFailure", 0, is("no such luck"), "error"),
	)
	for i, c := range o.Calls("SessionEnd") { // the deleted one first
		if same := c.Get("session_id") == o.Calls("StopFailure")[0].Get("session_id"); same != (i == 0) {
			t.Errorf("end %d is that of %s", i, c.Get("session_id"))
		}
	}
}

// listen reads the server's events; the function returns them.
func listen(ctx context.Context, t *testing.T, s *rig.Server) func() string {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", s.URL+"/event", nil)
	must(t, err)
	res, err := http.DefaultClient.Do(req)
	must(t, err)
	t.Cleanup(func() { res.Body.Close() })
	var mu sync.Mutex
	var text strings.Builder
	go func() {
		b := make([]byte, 1<<16)
		for {
			n, err := res.Body.Read(b)
			mu.Lock()
			text.Write(b[:n])
			mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return func() string { mu.Lock(); defer mu.Unlock(); return text.String() }
}

// A run that is attached to a server loads no plugin: the server has it, once, and goes on after the run has ended.
func TestOpencodeAttached(t *testing.T) {
	t.Parallel()
	ctx, o := opencodeWorld(t, "serve", fakemodel.Steps(fakemodel.Say("early"), fakemodel.Say("done")))
	must(t, o.Answer("Stop", "first_stop && block "+quoted(reason)))
	must(t, serve(ctx, o, func(s *rig.Server) error {
		p, err := o.Start(rig.Options{Mode: "json", Prompt: prompt, Args: []string{"--attach", s.URL}})
		must(t, err)
		exit, err := p.Wait(ctx)
		if err != nil || exit.Code != 0 || exit.Stderr != "" {
			t.Errorf("%v %+v", err, exit)
		}
		must(t, o.WaitCalls(ctx, "Stop", 2))
		return s.Settled(ctx)
	}))
	o.holds(t, exits(0), quiet(), sessions(1), requests(2), goesOn(2, reason), wellFormed,
		dispatched("SessionStart", 1), dispatched("UserPromptSubmit", 1), dispatched("Stop", 2), dispatched("SessionEnd", 1))
}

// An idle session starts a turn for a message, also one that was never asked anything, and a message may name its session.
func TestOpencodeRendezvousIdle(t *testing.T) {
	t.Parallel()
	ctx, o := opencodeWorld(t, "serve", fakemodel.Steps(fakemodel.Say("done")))
	must(t, serve(ctx, o, func(s *rig.Server) error {
		first, err := s.Session(ctx, "")
		must(t, err, bound(ctx, o))
		must(t, poke(ctx, o.Socket(), "not JSON", message(poked, "m1")), asked(ctx, o, 1), s.Settled(ctx))
		_, err = s.Session(ctx, "")
		must(t, err, o.WaitCalls(ctx, "SessionStart", 2))
		must(t, poke(ctx, o.Socket(), message(poked, "m1"), fmt.Sprintf(`{"type":"reply","text":"ANOTHER","mid":"m2","session_id":%q}`, first)))
		must(t, asked(ctx, o, 2))
		return s.Settled(ctx)
	}))
	o.holds(t, exits(0), quiet(), requests(2), reads(1, poked), reads(2, poked), reads(2, "ANOTHER"), socketGone,
		dispatched("SessionStart", 2), dispatched("UserPromptSubmit", 0), dispatched("Stop", 2), dispatched("SessionEnd", 2), wellFormed)
}

// A busy session takes a message up within its turn, in a run too; no child of it could have answered in its place.
func TestOpencodeRendezvousBusy(t *testing.T) {
	t.Parallel()
	var o *outcome
	ctx, o := opencodeWorld(t, "json", func(r fakemodel.Request) fakemodel.Step {
		if r.Turn == 1 {
			return fakemodel.Step{Calls: shell(o, "env").Calls, Until: o.hold}
		}
		return fakemodel.Say("done")
	})
	p, err := o.Start(rig.Options{Mode: "json", Prompt: prompt})
	must(t, err, asked(ctx, o, 1))
	idle, err := net.Dial("unix", o.Socket()) // a peer that stays must keep nobody from ending
	must(t, err)
	defer idle.Close()
	must(t, poke(ctx, o.Socket(), message(poked, "m1"), message(poked, "m1")))
	close(o.hold)
	o.exit, err = p.Wait(ctx)
	must(t, err)
	o.holds(t, exits(0), quiet(), reads(2, poked), socketGone, dispatched("UserPromptSubmit", 1), dispatched("SessionEnd", 1), wellFormed,
		check{what: "the variable is not handed down", test: func(o *outcome) error {
			rs := o.log.Results()
			if len(rs) != 1 || !strings.Contains(rs[0].Text, "OPENCODE=1") || strings.Contains(rs[0].Text, "RENDEZVOUS") {
				return fmt.Errorf("%v", rs)
			}
			return nil
		}})
}

// A shim that is found by three ways works once, and what its dependencies are for is there: npm is not asked.
func TestOpencodeLoadsTheShimOnce(t *testing.T) {
	t.Parallel()
	ctx, o := opencodeWorld(t, "json", fakemodel.Steps(shell(&outcome{Rig: &rig.Rig{Host: rig.Opencode}}, "echo ran"), fakemodel.Say("done")))
	shim := filepath.Join(o.Clone, ".opencode", "plugin", "lorimer.js")
	users := filepath.Join(o.Home, ".config", "opencode", "plugin")
	must(t, os.MkdirAll(users, 0o700), os.Symlink(shim, filepath.Join(users, "other.js")))
	configure(t, o, map[string]any{"plugin": []string{"file://" + shim}})
	must(t, once(ctx, o, rig.Options{}))
	o.holds(t, exits(0), quiet(), dispatched("SessionStart", 1), dispatched("UserPromptSubmit", 1), dispatched("PreToolUse", 1),
		dispatched("PostToolUse", 1), dispatched("Stop", 1), dispatched("SessionEnd", 1), wellFormed)
	if log := hostLog(o); log == "" || strings.Contains(log, "dependency install") {
		t.Errorf("npm was asked:\n%s", log)
	}
	must(t, clean(ctx, o.Rig))
	err := filepath.WalkDir(filepath.Join(o.Clone, ".opencode"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != ".gitignore" { // which is opencode's own
			t.Errorf("left behind: %s", path)
		}
		return err
	})
	must(t, err)
}

// What goes wrong in the shim costs its hook and is said; it does not hang the host, which no exception from its bus survives,
// and does not reach its streams.
func TestOpencodeSurvivesTheShim(t *testing.T) {
	t.Parallel()
	ctx, o := opencodeWorld(t, "json", fakemodel.Steps(fakemodel.Say("done")))
	inShim(t, o, `bus["session.status"] = async (p) => {`, `bus["session.status"] = async (p) => { throw new Error("A FAULT OF THE BUS");`)
	inShim(t, o, `hooks["experimental.chat.system.transform"]`, `bus["session.updated"] = () => { throw new Error("ANOTHER"); };
  hooks["experimental.chat.system.transform"]`)
	must(t, once(ctx, o, rig.Options{}))
	o.holds(t, exits(0), quiet(), requests(1), dispatched("Stop", 1), dispatched("SessionEnd", 1))
	for _, fault := range []string{"A FAULT OF THE BUS", "ANOTHER"} {
		if !strings.Contains(o.StateLog(), fault) || !strings.Contains(hostLog(o), fault) {
			t.Errorf("%s is not said:\n%s", fault, o.StateLog())
		}
	}
}

// An export beside the one function makes opencode drop the whole file, and nothing says so: that is why there is none.
func TestOpencodeDropsAFileWithAnotherExport(t *testing.T) {
	t.Parallel()
	ctx, o := opencodeWorld(t, "json", fakemodel.Steps(fakemodel.Say("done")))
	inShim(t, o, "export const Lorimer = ", "export const VERSION = \"1\";\nexport const Lorimer = ")
	must(t, once(ctx, o, rig.Options{}))
	o.holds(t, exits(0), quiet(), requests(1), dispatched("SessionStart", 0))
}
