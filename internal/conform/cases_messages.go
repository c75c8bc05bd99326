package conform

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// messageCases: a live session is reachable at the socket that its launcher named, and nobody else is.
func messageCases(*subject) []kase {
	reach := func(name, expected string, needs func(*subject) string, play func(*world) error) kase {
		return kase{
			name: "message: " + name, expected: expected, needs: all(reachable, needs), play: play,
			setup: setup{env: []string{"LORIMER_RENDEZVOUS={socket}"}},
		}
	}
	none := func(*subject) string { return "" }
	return []kase{
		reach("an idle session", "the text, once", none, poked(false)),
		reach("a busy session", "the text, once", none, poked(true)),
		reach("the same one again", "once; without a mid as often as it is sent", none, again),
		reach("one that the host refuses is owed", "nothing, aloud; and then, sent again, the text", none, owed),
		reach("one for a session by its id", "the named one; a strange one gets nothing", none, named),
		reach("what is no message", "ignored, and the next one arrives", none, garbage),
		reach("one that was taken up is no prompt of the user's", "not dispatched", all(plays("inject"), events(harness.UserPromptSubmit)), injected),
		reach("the socket is the user's alone", "mode 0600, and the variable is handed to nobody", events(harness.PreToolUse), private),
		reach("a sub-agent has none", "the main session stays reachable", subagents, agentReachable),
		reach("a loaded-anew shim", "reachable, and knows what it had", plays("reload"), reloaded),
		reach("the end takes the socket with it", "no file", events(harness.SessionEnd), closes),
		reach("the socket keeps nobody alive", "the host ends by itself, with a peer connected", none, endsAlone),
		foreignCase(),
	}
}

func reachable(s *subject) string {
	if why := modules(s); why != "" {
		return why
	}
	if runtime.GOOS == "windows" {
		return "named pipes are not played yet"
	}
	return ""
}

const poke = "POKE — “ß” 🐎 \"double\" \\ back\nsecond line"

// message is a line of the rendezvous.
func message(text string, more map[string]string) string {
	fields := map[string]string{"type": "reply", "text": text}
	for k, v := range more {
		fields[k] = v
	}
	line, _ := json.Marshal(fields) // texts always encode
	return string(line)
}

// send writes lines to the socket. It returns when the session has read them all, and fails when it answers.
func (w *world) send(lines ...string) error {
	c, err := w.dial()
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.WriteString(c, strings.Join(lines, "\n")+"\n"); err != nil {
		return err
	}
	if err := c.CloseWrite(); err != nil {
		return err
	}
	answer, err := io.ReadAll(c)
	if err == nil && len(answer) > 0 {
		err = fmt.Errorf("the session wrote %s", shown(string(answer)))
	}
	return err
}

// dial connects as soon as there is a socket.
func (w *world) dial() (*net.UnixConn, error) {
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: w.socket(), Net: "unix"})
		if err == nil || time.Now().After(deadline) {
			return c, err
		}
	}
}

// arrived collects what was injected until the mark has come, which is sent behind everything else.
func (w *world) arrived() ([]string, error) {
	const mark = "THE MARK"
	if err := w.send(message(mark, nil)); err != nil {
		return nil, err
	}
	var all []string
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		saw, err := w.stage.(*module).do(w.ctx, "look", nil)
		if err != nil {
			return nil, err
		}
		w.loud = append(w.loud, saw.Report...)
		for _, text := range saw.texts(harness.Continue) {
			if text == mark {
				return all, nil
			}
			all = append(all, text)
		}
	}
	return all, errors.New("a message did not arrive within 5 s")
}

func (w *world) receives(want ...string) error {
	got, err := w.arrived()
	if err != nil {
		return err
	}
	w.note("%s", shown(got))
	return equal("what arrived", strings.Join(got, " | "), strings.Join(want, " | "))
}

func (w *world) set(busy, refuses bool) error {
	_, err := w.stage.(*module).do(w.ctx, "set", map[string]bool{"busy": busy, "refuses": refuses})
	return err
}

func poked(busy bool) func(*world) error {
	return func(w *world) error {
		if err := first(w.begin(), w.set(busy, false)); err != nil {
			return err
		}
		if err := w.send(message(poke, map[string]string{"mid": "m1"})); err != nil {
			return err
		}
		return w.receives(poke)
	}
}

func again(w *world) error {
	with, without := message("a", map[string]string{"mid": "m1"}), message("b", nil)
	if err := first(w.begin(), w.send(with, with, without, without), w.send(with)); err != nil {
		return err
	}
	return w.receives("a", "b", "b")
}

func owed(w *world) error {
	m := message(poke, map[string]string{"mid": "m1"})
	if err := first(w.begin(), w.set(false, true), w.send(m), w.waitSaid("could not be handed"), w.set(false, false), w.send(m, m)); err != nil {
		return err
	}
	return w.receives(poke)
}

func (w *world) waitSaid(words string) (err error) {
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if err = w.said(words); err == nil {
			return nil
		}
	}
	return err
}

func named(w *world) error {
	if err := w.begin(); err != nil {
		return err
	}
	to := func(id string) string { return message("to "+id, map[string]string{"session_id": id}) }
	if err := w.send(to("nobody"), to("s1")); err != nil {
		return err
	}
	return w.receives("to s1")
}

func garbage(w *world) error {
	noise := []string{"not JSON", "null", "[]", `{"type":"other","text":"x"}`, `{"type":"reply"}`, `{"type":"reply","text":7}`, "\x00\xff", `{"type":"reply","text":"cut`}
	if err := first(w.begin(), w.send(noise...)); err != nil {
		return err
	}
	return w.receives()
}

func injected(w *world) error {
	if err := w.begin(); err != nil {
		return err
	}
	before := len(w.board.calls("UserPromptSubmit"))
	if err := first(w.send(message(poke, nil)), w.receives(poke)); err != nil {
		return err
	}
	if _, err := w.fire("inject", act{Text: poke}); err != nil {
		return err
	}
	return w.count(harness.UserPromptSubmit, before)
}

func private(w *world) error {
	if _, err := w.reach(harness.PreToolUse, act{}); err != nil {
		return err
	}
	c, err := w.dial()
	if err != nil {
		return err
	}
	c.Close()
	info, err := os.Stat(w.socket())
	if err != nil {
		return err
	}
	calls := w.board.calls("PreToolUse")
	if len(calls) != 1 {
		return fmt.Errorf("handlers of PreToolUse ran %d times", len(calls))
	}
	w.note("%v", info.Mode())
	return first(equal("the socket's mode", info.Mode().Perm(), fs.FileMode(0o600)), equal("LORIMER_RENDEZVOUS of a child", calls[0].Env["LORIMER_RENDEZVOUS"], ""))
}

func agentReachable(w *world) error {
	if err := w.enterAgent(); err != nil {
		return err
	}
	if w.fake.Plays[string(harness.SubagentStop)] != nil {
		if _, err := w.fire(string(harness.SubagentStop), act{Session: w.child()}); err != nil {
			return err
		}
	}
	if err := w.send(message("to the child", map[string]string{"session_id": "c1"}), message("to the main", nil)); err != nil {
		return err
	}
	return w.receives("to the main")
}

func reloaded(w *world) error {
	m := message(poke, map[string]string{"mid": "m1"})
	if err := first(w.begin(), w.send(m), w.receives(poke)); err != nil {
		return err
	}
	if _, err := w.fire("reload", act{}); err != nil {
		return err
	}
	if _, err := w.stage.(*module).do(w.ctx, "load", nil); err != nil {
		return err
	}
	how := "resume"
	if w.fake.Plays[how] == nil {
		how = string(harness.SessionStart)
	}
	if err := first(w.beginIn(w.main(), how), w.send(m, message("new", nil))); err != nil {
		return err
	}
	return w.receives("new")
}

func closes(w *world) error {
	if err := w.begin(); err != nil {
		return err
	}
	c, err := w.dial()
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := w.fire(string(harness.SessionEnd), act{}); err != nil {
		return err
	}
	if _, err := os.Lstat(w.socket()); !errors.Is(err, fs.ErrNotExist) {
		return errors.New("the socket is still there")
	}
	return nil
}

func endsAlone(w *world) error {
	if err := w.begin(); err != nil {
		return err
	}
	c, err := w.dial()
	if err != nil {
		return err
	}
	defer c.Close()
	m := w.stage.(*module)
	if _, err := m.do(w.ctx, "leave", nil); err != nil {
		return err
	}
	return m.ends(5 * time.Second)
}

// foreignCase: whoever listens at the place already keeps it, and the session goes on.
func foreignCase() kase {
	var other net.Listener
	e := harness.PreToolUse
	return kase{
		name: "message: a socket that is somebody else's", expected: "left alone, aloud, and the gate holds",
		needs: all(reachable, events(e)), claims: effect(e, harness.Block), setup: setup{env: []string{"LORIMER_RENDEZVOUS={socket}"}},
		before: func(w *world) (err error) {
			other, err = net.Listen("unix", filepath.Join(w.tmp(), "s"))
			return err
		},
		play: func(w *world) error {
			defer other.Close()
			if err := w.answer(e, blocking(text)); err != nil {
				return err
			}
			saw, err := w.reach(e, act{})
			if err != nil {
				return err
			}
			return first(w.waitSaid("another process listens"), w.sees(saw.reasons(), text))
		},
	}
}
