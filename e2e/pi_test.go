//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// piWorld makes a materialized world for pi, with a rendezvous socket.
func piWorld(t *testing.T, mode string, script fakemodel.Script) (context.Context, *outcome) {
	t.Helper()
	o := &outcome{mode: mode, hold: make(chan struct{})}
	o.Rig = world(t, rig.Pi, script, "")
	o.Extra = []string{"LORIMER_RENDEZVOUS=" + o.Socket()}
	victim(t, o.Rig)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	if err := materialize(ctx, o.Rig); err != nil {
		t.Fatal(err)
	}
	return ctx, o
}

// poke sends lines to the socket and returns when the session has taken them in: it closes its side when it has read ours
// to the end, and has never written a byte.
func poke(ctx context.Context, socket string, lines ...string) error {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return err
	}
	defer c.Close()
	if deadline, ok := ctx.Deadline(); ok {
		c.SetDeadline(deadline)
	}
	if _, err := io.WriteString(c, strings.Join(lines, "\n")+"\n"); err != nil {
		return err
	}
	if err := c.(*net.UnixConn).CloseWrite(); err != nil {
		return err
	}
	answer, err := io.ReadAll(c)
	if err == nil && len(answer) > 0 {
		err = fmt.Errorf("the session wrote %q", answer)
	}
	return err
}

// message is a line of the rendezvous protocol.
func message(text, mid string) string {
	b, _ := json.Marshal(map[string]string{"type": "reply", "text": text, "mid": mid})
	return string(b)
}

// bound waits until the session listens. Nothing tells when that is, so the file is looked for.
func bound(ctx context.Context, o *outcome) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for {
		if _, err := os.Stat(o.Socket()); err == nil {
			return nil
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return errors.New("no socket was bound")
		}
	}
}

// asked waits until the model was asked n times.
func asked(ctx context.Context, o *outcome, n int) error {
	return o.Model.Wait(ctx, func(l fakemodel.Log) bool { return len(l) >= n })
}

// socketGone holds when the session has taken its socket with it.
var socketGone = check{what: "the socket is gone", test: func(o *outcome) error {
	if _, err := os.Lstat(o.Socket()); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%v", err)
	}
	return nil
}}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

const poked = "POKE — “ß” 🐎 \"double\" \\ back\nsecond line"

// An idle session starts a run for a message, also one that was never asked anything; the same message comes once.
func TestPiRendezvousIdle(t *testing.T) {
	need(t)
	t.Parallel()
	ctx, o := piWorld(t, "rpc", fakemodel.Steps(fakemodel.Say("done")))
	p, err := o.Start(rig.Options{Mode: "rpc"})
	must(t, err, bound(ctx, o))
	info, err := os.Stat(o.Socket())
	must(t, err)
	if m := info.Mode().Perm(); m != 0o600 {
		t.Errorf("the socket's mode is %o", m)
	}

	must(t, poke(ctx, o.Socket(), "not JSON", `{"type":"other","text":"no"}`, message(poked, "m1")))
	must(t, asked(ctx, o, 1), p.Output(ctx, settled))
	before := len(p.Lines())
	must(t, poke(ctx, o.Socket(), message(poked, "m1"), message("ANOTHER", "m2")))
	must(t, asked(ctx, o, 2), p.Output(ctx, func(l []string) bool { return settled(l[before:]) }))
	o.exit, err = p.Wait(ctx)
	must(t, err)

	o.log = o.Model.Requests()
	for _, k := range []check{
		exits(0), quiet(), requests(2), reads(1, poked), reads(2, poked), reads(2, "ANOTHER"), socketGone,
		dispatched("SessionStart", 1), dispatched("UserPromptSubmit", 0), dispatched("Stop", 2), dispatched("SessionEnd", 1), wellFormed,
	} {
		if err := k.test(o); err != nil {
			t.Errorf("%s:\n%v", k.what, err)
		}
	}
}

// A busy session takes a message up when its run would end, in every mode; then it ends by itself, and no child of it could
// have answered in its place.
func TestPiRendezvousBusy(t *testing.T) {
	modes(t, []*rig.Host{rig.Pi}, func(t *testing.T, h *rig.Host, mode string) {
		var o *outcome
		ctx, o := piWorld(t, mode, func(r fakemodel.Request) fakemodel.Step {
			if r.Turn == 1 {
				return fakemodel.Step{Calls: shell(o, "env").Calls, Until: o.hold}
			}
			return fakemodel.Say("done")
		})
		p, err := o.Start(rig.Options{Mode: mode, Prompt: prompt})
		must(t, err)
		if mode == h.Talk {
			must(t, p.Send(map[string]string{"id": "p", "type": "prompt", "message": prompt}))
		}
		must(t, asked(ctx, o, 1))
		idle, err := net.Dial("unix", o.Socket()) // a peer that stays must keep nobody from ending
		must(t, err)
		defer idle.Close()
		must(t, poke(ctx, o.Socket(), message(poked, "m1"), message(poked, "m1")))
		close(o.hold)
		if mode == h.Talk {
			must(t, p.Output(ctx, settled))
		}
		o.exit, err = p.Wait(ctx)
		must(t, err)

		o.log = o.Model.Requests()
		for _, k := range []check{
			exits(0), quiet(), requests(3), reads(3, poked), socketGone, dispatched("UserPromptSubmit", 1), dispatched("SessionEnd", 1), wellFormed,
			{what: "the variable is not handed down", test: func(o *outcome) error {
				rs := o.log.Results()
				if len(rs) != 1 || !strings.Contains(rs[0].Text, "PI_SESSION_ID=") || strings.Contains(rs[0].Text, "RENDEZVOUS") {
					return fmt.Errorf("%v", rs)
				}
				return nil
			}},
		} {
			if err := k.test(o); err != nil {
				t.Errorf("%s:\n%v", k.what, err)
			}
		}
	})
}

// A session that replaces another in the same process has gate and socket too: pi loads the shim anew for it.
func TestPiCloneInTheSameProcess(t *testing.T) {
	need(t)
	t.Parallel()
	ctx, o := piWorld(t, "rpc", fakemodel.Steps(fakemodel.Say("parent"), fakemodel.Say("early"), fakemodel.Say("done")))
	must(t, o.Answer("Stop", `[ "$nth" -gt 1 ] && first_stop && block `+quoted(reason)))
	p, err := o.Start(rig.Options{Mode: "rpc"})
	must(t, err, say(ctx, p, "first"))
	must(t, p.Send(map[string]string{"id": "c", "type": "clone"}))
	must(t, p.Output(ctx, func(lines []string) bool {
		return strings.Contains(strings.Join(lines, "\n"), `"command":"clone","success":true`)
	}))
	must(t, o.WaitCalls(ctx, "SessionStart", 2), say(ctx, p, prompt), bound(ctx, o))
	before := len(p.Lines())
	must(t, poke(ctx, o.Socket(), message(poked, "m1")), p.Output(ctx, func(l []string) bool { return settled(l[before:]) }))
	o.exit, err = p.Wait(ctx)
	must(t, err)

	o.log = o.Model.Requests()
	for _, k := range []check{
		exits(0), quiet(), sessions(2), requests(5), reads(3, reason), reads(4, poked), socketGone, wellFormed,
		dispatched("SessionStart", 2), dispatched("SessionEnd", 2), dispatched("Stop", 5),
		field("SessionStart", 1, is("fork"), "source"),
		field("Stop", 1, is("false"), "stop_hook_active"),
		field("Stop", 2, is("true"), "stop_hook_active"),
		field("Stop", 3, is("false"), "stop_hook_active"), // the message began a run of its own
		field("Stop", 4, is("true"), "stop_hook_active"),
	} {
		if err := k.test(o); err != nil {
			t.Errorf("%s:\n%v", k.what, err)
		}
	}
}

// A shim that does not load stops pi before the model is asked: it fails closed.
func TestPiStopsWhenTheShimDoesNotLoad(t *testing.T) {
	need(t)
	t.Parallel()
	ctx, o := piWorld(t, "print", fakemodel.Steps(fakemodel.Say("done")))
	must(t, os.WriteFile(filepath.Join(o.Clone, ".pi", "extensions", "lorimer.js"), []byte("export default 1 +;\n"), 0o644))
	verify(ctx, t, o, exits(1), requests(0), dispatched("SessionStart", 0))
}

// A project that the user has not trusted is run without its extensions, and pi says nothing of it.
func TestPiIgnoresAnUntrustedProject(t *testing.T) {
	need(t)
	t.Parallel()
	ctx, o := piWorld(t, "print", fakemodel.Steps(fakemodel.Say("done")))
	must(t, once(ctx, o, rig.Options{Untrusted: true}))
	o.log = o.Model.Requests()
	for _, k := range []check{exits(0), quiet(), requests(1), dispatched("SessionStart", 0)} {
		if err := k.test(o); err != nil {
			t.Errorf("%s:\n%v", k.what, err)
		}
	}
}

// What a handler has for the user is shown by pi where it has a user interface, which in rpc is the other program's; else it
// is a line on standard error.
func TestPiShowsNotices(t *testing.T) {
	modes(t, []*rig.Host{rig.Pi}, func(t *testing.T, h *rig.Host, mode string) {
		ctx, o := piWorld(t, mode, fakemodel.Steps(fakemodel.Say("done")))
		must(t, o.Answer("Stop", `printf '{"systemMessage":"LOOK"}\n'`), once(ctx, o, rig.Options{}))
		shown := strings.Contains(o.exit.Stdout, `"method":"notify","message":"LOOK"`)
		line := o.exit.Stderr == "lorimer: LOOK\n"
		if rpc := mode == h.Talk; shown != rpc || line == rpc {
			t.Errorf("stdout: %s\nstderr: %s", o.exit.Stdout, o.exit.Stderr)
		}
	})
}
