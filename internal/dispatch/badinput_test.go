package dispatch

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// Every row of the failure policy that concerns the dispatcher, each three times: by itself (allowed, one loud line), with a
// handler that is on_error: block, and under --fail-closed (blocked, with a reason that names the fault).

func TestBadPayload(t *testing.T) {
	big := func(n int64) io.Reader { return io.LimitReader(endless{}, n) }
	for name, c := range map[string]struct {
		stdin func() io.Reader
		words string
	}{
		"not JSON":                {text(`{"tool_name":"Bash"`), "not JSON"},
		"two objects":             {text(`{}{}`), "not JSON"},
		"noise around":            {text("debug\n{}"), "not JSON"},
		"empty":                   {text(""), "empty"},
		"white space":             {text(" \n\t"), "empty"},
		"64 MiB and one byte":     {func() io.Reader { return big(MaxPayload + 1) }, "bigger than 64 MiB"},
		"invalid UTF-8":           {text("{\"prompt\":\"\xff\"}"), "not valid UTF-8"},
		"a raw surrogate":         {text("{\"prompt\":\"\xed\xa0\xbd\"}"), "not valid UTF-8"},
		"a list":                  {text(`[{"tool_name":"Bash"}]`), "not an object"},
		"a string":                {text(`"{}"`), "not an object"},
		"null":                    {text(`null`), "not an object"},
		"nested too deep":         {text(strings.Repeat("[", 3_000_000)), "nested deeper than 10000"},
		"nested too deep, closed": {text(`{"a":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + "}"), "nested deeper than 10000"},
		"cut short":               {func() io.Reader { return iotest.ErrReader(errors.New("the pipe broke")) }, "the pipe broke"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, h := range []string{"native", "gen"} {
				if name == "64 MiB and one byte" && (h == "gen" || testing.Short()) {
					continue // once is slow enough
				}
				plain := newClone(t).handler(harness.PreToolUse, `touch ran`)
				plain.allowedLoudly(plain.runIn(c.stdin(), "--root", plain.root, h, "PreToolUse"), "PreToolUse", c.words)
				plain.blocked(plain.runIn(c.stdin(), "--root", plain.root, "--fail-closed", h, "PreToolUse"), "PreToolUse", c.words)
				strict := newClone(t).handler(harness.PreToolUse, `touch ran`).handler(harness.PreToolUse, `touch ran`, onErrorBlock)
				strict.blocked(strict.runIn(c.stdin(), "--root", strict.root, h, "PreToolUse"), "PreToolUse", c.words)
				if plain.has("ran") || strict.has("ran") {
					t.Error("a handler ran")
				}
			}
		})
	}
	t.Run("an observer's on_error cannot block", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `touch ran`, onErrorBlock, observer)
		c.allowedLoudly(c.run("", "native", "PreToolUse"), "empty")
	})
	t.Run("64 MiB are read, and what is beyond is drained", func(t *testing.T) {
		if testing.Short() {
			t.Skip("slow")
		}
		c := newClone(t).handler(harness.PreToolUse, `touch ran`)
		c.silent(c.runIn(io.MultiReader(big(MaxPayload-2), strings.NewReader("{}")), "--root", c.root, "native", "PreToolUse"))
		beyond := strings.NewReader("the rest")
		c.runIn(io.MultiReader(big(MaxPayload+5), beyond), "--root", c.root, "native", "PreToolUse")
		if beyond.Len() > 0 || !c.has("ran") {
			t.Errorf("%d bytes are left; ran %v", beyond.Len(), c.has("ran"))
		}
	})
}

func text(s string) func() io.Reader { return func() io.Reader { return strings.NewReader(s) } }

// endless gives blanks.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return copy(b, bytes.Repeat([]byte{' '}, len(b))), nil }

// A payload that Claude would not send is served all the same, as long as it can be read.
func TestOddPayload(t *testing.T) {
	for name, payload := range map[string]string{
		"no session_id": `{"tool_name":"Bash"}`, "no tool_name": `{"tool_input":{}}`, "no tool_input": `{"tool_name":"Bash"}`,
		"an empty object": `{}`, "a number as session_id": `{"session_id":7,"tool_name":"Bash"}`, "blanks around": " \n{ } \n",
		"a session_id that is a path": `{"session_id":"../../etc"}`, "null everywhere": `{"session_id":null,"cwd":null,"tool_name":null,"tool_input":null}`,
	} {
		t.Run(name, func(t *testing.T) {
			c := newClone(t).handler(harness.PreToolUse, `cat > got; echo no >&2; exit 2`, matcher("Bash"))
			c.blocked(c.run(payload, "native", "PreToolUse"), "no")
			if c.read("got") != payload {
				t.Errorf("the handler got %q", c.read("got"))
			}
		})
	}
}

func TestBadArguments(t *testing.T) {
	for name, c := range map[string]struct{ args, words string }{
		"no event":          {"native", "usage:"},
		"a third word":      {"native Stop now", "usage:"},
		"unknown flag":      {"--verbose native Stop", "--verbose"},
		"--root, no value":  {"native Stop --root", "--root"},
		"unknown harness":   {"nobody Stop", "nobody"},
		"unknown event":     {"native stop", `"stop"`},
		"event of no table": {"native TeammateIdle", "TeammateIdle"},
	} {
		t.Run(name, func(t *testing.T) {
			clone := newClone(t).handler(harness.Stop, `touch ran`)
			args := strings.Fields(c.args)
			clone.allowedLoudly(clone.runIn(unread{t}, args...), c.words)
			clone.blocked(clone.runIn(unread{t}, append([]string{"--fail-closed"}, args...)...), c.words)
			if clone.has("ran") {
				t.Error("a handler ran")
			}
		})
	}
	t.Run("--fail-closed behind the fault", func(t *testing.T) {
		c := newClone(t)
		c.blocked(c.runIn(unread{t}, "--verbose", "native", "Stop", "--fail-closed"), "--verbose")
	})
	t.Run("--root=DIR", func(t *testing.T) {
		c := newClone(t).handler(harness.Stop, `touch ran`)
		c.silent(c.runIn(strings.NewReader("{}"), "--root="+c.root, "native", "Stop"))
		if !c.has("ran") {
			t.Error("the handler did not run")
		}
	})
}

func TestBadManifest(t *testing.T) {
	for name, c := range map[string]struct {
		spoil   func(c *clone)
		words   string
		forgets bool // what was agreed to before is gone, too
	}{
		"gone":             {func(c *clone) { os.Remove(manifest.Path(c.root)) }, "no manifest there any more", false},
		"garbage":          {func(c *clone) { c.write(".lorimer/manifest.json", "\x00{") }, "not one JSON object", false},
		"cut short":        {func(c *clone) { c.write(".lorimer/manifest.json", string(c.m.Encode()[:80])) }, "not one JSON object", false},
		"empty":            {func(c *clone) { c.write(".lorimer/manifest.json", "") }, "not one JSON object", false},
		"a directory":      {func(c *clone) { os.Remove(manifest.Path(c.root)); os.Mkdir(manifest.Path(c.root), 0o700) }, "not a manifest", false},
		"endless":          {func(c *clone) { os.Truncate(manifest.Path(c.root), 1<<30) }, "not a manifest", false},
		"another protocol": {func(c *clone) { c.write(".lorimer/manifest.json", `{"protocol":2}`) }, "protocol 2", false},
		"no protocol":      {func(c *clone) { c.write(".lorimer/manifest.json", `{}`) }, "protocol none", false},
		"changed":          {func(c *clone) { c.write(".lorimer/manifest.json", string(c.m.Encode())+" ") }, "changed since you agreed", false},
		"a handler left out": {func(c *clone) {
			c.m.Events["PreToolUse"] = nil
			c.write(".lorimer/manifest.json", string(c.m.Encode()))
		}, "changed since you agreed", false},
		"never trusted":  {func(c *clone) { os.RemoveAll(filepath.Join(c.home, "trusted")) }, "nobody agreed", true},
		"a bad handler":  {func(c *clone) { c.m.Events["PreToolUse"][0].Name = ""; c.materialize() }, "without a name", true},
		"neither":        {func(c *clone) { c.m.Events["PreToolUse"][0].Argv = nil; c.materialize() }, "exactly one of argv and run", true},
		"a wrong policy": {func(c *clone) { c.m.Events["PreToolUse"][0].OnError = "ignore"; c.materialize() }, `on_error "ignore"`, true},
		"not a list": {func(c *clone) {
			src := []byte(`{"protocol":1,"harnesses":["native"],"events":{"PreToolUse":{}}}`)
			c.write(".lorimer/manifest.json", string(src))
			trust.Record(c.home, c.root, src)
		}, "not a list", true},
	} {
		t.Run(name, func(t *testing.T) {
			clone := newClone(t).handler(harness.PreToolUse, `touch ran`)
			c.spoil(clone)
			remedy := "lorimer materialize " + clone.root
			if strings.Contains(c.words, "agreed") { // somebody else's manifest may be there, so it is to be looked at
				remedy = "lorimer trust " + clone.root
			}
			clone.allowedLoudly(clone.run(bash, "native", "PreToolUse"), c.words, remedy)
			clone.blocked(clone.run(bash, "--fail-closed", "native", "PreToolUse"), c.words, remedy)
			strict := newClone(t).handler(harness.PreToolUse, `touch ran`, onErrorBlock)
			c.spoil(strict)
			if reply := strict.run(bash, "native", "PreToolUse"); c.forgets {
				strict.allowedLoudly(reply, c.words)
			} else {
				strict.blocked(reply, c.words)
			}
			if clone.has("ran") || strict.has("ran") {
				t.Error("a handler ran")
			}
		})
	}
	t.Run("unreadable", func(t *testing.T) {
		if os.Geteuid() == 0 {
			t.Skip("root reads everything")
		}
		c := newClone(t).handler(harness.PreToolUse, `touch ran`)
		os.Chmod(manifest.Path(c.root), 0)
		c.allowedLoudly(c.run(bash, "native", "PreToolUse"), "permission denied")
	})
	t.Run("no state home", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `touch ran`)
		t.Setenv("LORIMER_HOME", "relative")
		if got := c.run(bash, "native", "PreToolUse"); got.Exit != 0 || !strings.Contains(got.Stderr, "LORIMER_HOME") || c.has("ran") {
			t.Errorf("got %+v", got)
		}
		c.blocked(c.run(bash, "--fail-closed", "native", "PreToolUse"), "LORIMER_HOME")
	})
}

// A strict handler counts where CI trusts its checkout without a record, and what cannot be blocked is said all the same.
func TestStrictnessWithoutARecord(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `touch ran`, onErrorBlock)
	for _, record := range []string{"trusted", "agreed"} {
		os.RemoveAll(filepath.Join(c.home, record))
	}
	t.Setenv("LORIMER_TRUST", "1")
	c.blocked(c.run("", "native", "PreToolUse"), "empty")
	c.handler(harness.SessionStart, `touch ran`, onErrorBlock)
	c.run("", "native", "SessionStart")
	if !strings.Contains(c.log(), "SessionStart was blocked, but the native host cannot block it: blocked, because the hooks could not be asked") || c.has("ran") {
		t.Errorf("log %q, ran %v", c.log(), c.has("ran"))
	}
}

func TestPanics(t *testing.T) {
	t.Run("in the answer", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `true`)
		c.allowedLoudly(c.run(bash, "broken", "PreToolUse"), "no answer today")
		c.blocked(c.run(bash, "--fail-closed", "broken", "PreToolUse"), "no answer today")
		c.handler(harness.PreToolUse, `true`, onErrorBlock)
		c.blocked(c.run(bash, "broken", "PreToolUse"), "no answer today")
	})
	t.Run("while several handlers run", func(t *testing.T) {
		for _, policy := range []manifest.Policy{manifest.AllowOnFault, manifest.BlockOnFault} {
			c := rewriting(t, `{"tool_name":"Write","tool_input":{"file_path":"a"}}`)
			c.Table = []*harness.Harness{nil} // which the guard that is built in does not survive
			guard := job{Handler: manifest.Handler{Name: "guard", Block: true, OnError: policy}}
			for _, p := range c.runAll(t.Context(), []job{guard, guard, {Handler: says(0, "h", "true")}})[:2] {
				if p.Outcome.Blocked != (policy == manifest.BlockOnFault) || len(c.loud) != 2 || !strings.Contains(c.loud[0], "itself failed") {
					t.Errorf("got %+v, said %v", p, c.loud)
				}
			}
		}
	})
	t.Run("in a step", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `true`)
		c.allowedLoudly(c.runIn(panicking{}, "--root", c.root, "native", "PreToolUse"), "stdin is haunted")
		c.blocked(c.runIn(panicking{}, "--root", c.root, "--fail-closed", "native", "PreToolUse"), "stdin is haunted")
	})
}

// A panic in a process's last steps, or in a handler's own goroutine, where nobody else would catch it, is none either: Go's own exit
// code for it is the one that blocks.
func TestPanicsWhereNobodyElseCatches(t *testing.T) {
	var none *call
	none.leaveReceipts(nil, harness.Reply{})
	if s := none.runOne(nil, job{}, nil, nil); s.fault == nil || !strings.Contains(s.fault.Error(), "itself failed") {
		t.Errorf("got %+v", s)
	}
}

// A person who starts it in a terminal, without a word, is not made to type a payload.
func TestBareInATerminal(t *testing.T) {
	device, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	c := &call{Options: Options{Stdin: device, Table: rows()}}
	if err := c.readBare(); err == nil || !strings.Contains(err.Error(), "usage:") || c.heard {
		t.Errorf("%v; read: %v", err, c.heard)
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("stdin is haunted") }

func TestCwdGone(t *testing.T) {
	gone := t.TempDir()
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Skip(err)
	}
	t.Setenv("PWD", gone)
	t.Run("the clone is named", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo "$LORIMER_CWD" > cwd`)
		c.silent(c.run(`{"cwd":"`+gone+`"}`, "native", "PreToolUse"))
		if c.read("cwd") != c.root+"\n" {
			t.Errorf("LORIMER_CWD was %q", c.read("cwd"))
		}
	})
	t.Run("the clone is not named", func(t *testing.T) {
		c := newClone(t)
		c.allowedLoudly(c.runIn(unread{t}, "native", "PreToolUse"), "working directory is gone")
		c.blocked(c.runIn(unread{t}, "--fail-closed", "native", "PreToolUse"), "working directory is gone")
	})
	_ = os.Mkdir(gone, 0o700) // where the test comes from
}
