//go:build unix

package dispatch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// A whole answer counts, however the handler ended.
func TestAnswersCountWhateverTheExitStatus(t *testing.T) {
	for _, end := range []string{"exit 3", "kill -9 $$"} {
		c := newClone(t).handler(harness.PreToolUse, `echo '{"decision":"block","reason":"r"}'; `+end)
		c.blocked(c.run(bash, "native", "PreToolUse"), "r")
	}
}

// A handler that cannot answer, each way: allowed with one loud line, or blocked with the same words where on_error says so.
func TestHandlerFaults(t *testing.T) {
	for name, c := range map[string]struct {
		with  func(c *clone) func(*manifest.Handler)
		words string
	}{
		"missing":            {func(c *clone) func(*manifest.Handler) { return argv("./hooks/absent") }, "/hooks/absent does not exist"},
		"missing, absolute":  {func(c *clone) func(*manifest.Handler) { return argv("/no/such/hook") }, "/no/such/hook does not exist"},
		"missing on PATH":    {func(c *clone) func(*manifest.Handler) { return argv("no-such-hook") }, `"no-such-hook": executable file not found in $PATH`},
		"not executable":     {func(c *clone) func(*manifest.Handler) { c.write("plain", "#!/bin/sh\n"); return argv("./plain") }, "/plain is not executable; chmod +x it"},
		"a directory":        {func(c *clone) func(*manifest.Handler) { return argv("./.lorimer") }, "/.lorimer is a directory, not a program"},
		"no #! line":         {script("echo hi"), "is neither a program nor a script with a #! line"},
		"no interpreter":     {script("#!/no/such/sh\n"), "the interpreter in its first line does not exist"},
		"exit 1":             {script("#!/bin/sh\necho \"it broke\nbadly\" >&2; exit 1"), "exit status 1, saying: it broke badly"},
		"exit 1, silent":     {script("#!/bin/sh\nexit 1"), "exit status 1; it counts"},
		"exit 3 with text":   {script("#!/bin/sh\necho 'x {\"decision\":\"block\",\"reason\":\"r\"}'; exit 3"), "exit status 3"},
		"exit 126":           {func(c *clone) func(*manifest.Handler) { return shellLine("exit 126") }, "exit status 126"},
		"garbage and exit 1": {script("#!/bin/sh\nprintf '\\0\\377{\"decision\"'; exit 1"), "exit status 1"},
		"its stdout closed":  {script("#!/bin/sh\nexec >&-; exit 7"), "exit status 7"},
		"exit 127":           {func(c *clone) func(*manifest.Handler) { return shellLine("no-such-hook") }, "exit status 127, saying: "},
		"killed by a signal": {script("#!/bin/sh\nkill -SEGV $$"), "killed by signal SIGSEGV"},
		"killed after half a verdict": {
			script("#!/bin/sh\necho '{\"decision\":\"block\",\"reason\":\"r\"'; kill -9 $$"), "killed by signal SIGKILL"},
	} {
		t.Run(name, func(t *testing.T) {
			plain := newClone(t)
			plain.handler(harness.PreToolUse, "", c.with(plain)).handler(harness.PreToolUse, "touch ran")
			words := c.words
			strictWords := strings.TrimSuffix(words, "; it counts")
			plain.allowedLoudly(plain.run(bash, "native", "PreToolUse"), "handler h0 on PreToolUse: ", words, "it counts as allowed")
			if !plain.has("ran") {
				t.Error("the other handler did not run")
			}
			strict := newClone(t)
			strict.handler(harness.PreToolUse, "", c.with(strict), onErrorBlock)
			strict.blocked(strict.run(bash, "native", "PreToolUse"), "handler h0 on PreToolUse: ", strictWords)
			if !strings.Contains(strict.log(), strictWords) {
				t.Errorf("not in the log: %q", strict.log())
			}
			observing := newClone(t)
			observing.handler(harness.PreToolUse, "", c.with(observing), onErrorBlock, observer)
			if got := observing.run(bash, "native", "PreToolUse"); got.Exit != 0 {
				t.Errorf("an observer's fault blocked: %+v", got)
			}
		})
	}
}

func script(body string) func(c *clone) func(*manifest.Handler) {
	return func(c *clone) func(*manifest.Handler) {
		c.t.Helper()
		rel := c.script("faulty", "")
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if err := os.WriteFile(filepath.Join(c.root, rel), []byte(body), 0o700); err != nil {
			c.t.Fatal(err)
		}
		return argv("./" + rel)
	}
}

func shellLine(line string) func(*manifest.Handler) {
	return func(h *manifest.Handler) { h.Run = line }
}

// A handler that does not answer in time is ended with all that it started.
func TestHandlerTimeout(t *testing.T) {
	hang := `sleep 60 & echo $! > child; echo $$ > pid; wait`
	c := newClone(t).handler(harness.PreToolUse, hang, timeout(300*time.Millisecond)).handler(harness.PreToolUse, `touch later`, order(1))
	begin := time.Now()
	c.allowedLoudly(c.run(bash, "native", "PreToolUse"), "handler h0", "no answer within 300ms")
	if d := time.Since(begin); d < 300*time.Millisecond || d > 2*time.Second {
		t.Errorf("took %v", d)
	}
	if !c.has("later") {
		t.Error("the handler after it did not run")
	}
	ends(t, c, "pid", "child")
	strict := newClone(t).handler(harness.PreToolUse, hang, timeout(300*time.Millisecond), onErrorBlock)
	strict.blocked(strict.run(bash, "native", "PreToolUse"), "handler h0", "no answer within 300ms")
}

// A grandchild that keeps the pipes open does not hold the verdict, and does not live on.
func TestGrandchildHoldsThePipe(t *testing.T) {
	slow(t)
	for _, code := range []int{0, 2, 1} {
		t.Run(fmt.Sprint("exit ", code), func(t *testing.T) {
			c := newClone(t).handler(harness.PreToolUse,
				fmt.Sprintf(`sleep 60 & echo $! > child; date +%%s%%N > end; echo said >&2; exit %d`, code))
			got := c.run(bash, "native", "PreToolUse")
			end, _ := strconv.ParseInt(strings.TrimSpace(c.read("end")), 10, 64)
			if held := time.Since(time.Unix(0, end)); end == 0 || held > 2*time.Second {
				t.Errorf("the verdict came %v after the handler's end", held)
			}
			if (got.Exit == 2) != (code == 2) || !strings.Contains(got.Stderr, "said") && code != 0 {
				t.Errorf("got %+v", got)
			}
			ends(t, c, "child")
		})
	}
	// In a session of its own it cannot be ended with the group; it is not waited for either.
	t.Run("escaped", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `setsid sh -c 'echo $$ > child; exec sleep 5' & while [ ! -s child ]; do sleep 0.01; done; exit 2`)
		begin := time.Now()
		c.blocked(c.run(bash, "native", "PreToolUse"), "h0")
		if d := time.Since(begin); d > 2*time.Second {
			t.Errorf("took %v", d)
		}
		if pid, err := strconv.Atoi(strings.TrimSpace(c.read("child"))); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	// One that holds nothing is let be: a formatter's daemon.
	t.Run("a daemon", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `sleep 5 >/dev/null 2>&1 </dev/null & echo $! > child`)
		begin := time.Now()
		c.silent(c.run(bash, "native", "PreToolUse"))
		if d := time.Since(begin); d >= grace {
			t.Errorf("took %v", d)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(c.read("child")))
		if err != nil || !lives(pid) {
			t.Errorf("the daemon %d was ended: %v", pid, err)
		}
		_ = syscall.Kill(pid, syscall.SIGKILL)
	})
}

// ends waits until the processes, whose ids stand in files, are gone or have ended and wait for init.
func ends(t *testing.T, c *clone, files ...string) {
	t.Helper()
	for _, f := range files {
		pid, err := strconv.Atoi(strings.TrimSpace(c.read(f)))
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		for end := time.Now().Add(10 * time.Second); lives(pid); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s %d lives on", f, pid)
			}
		}
	}
}

func lives(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		_, rest, _ := bytes.Cut(stat, []byte(") "))
		return !bytes.HasPrefix(rest, []byte("Z"))
	}
	return syscall.Kill(pid, 0) == nil
}

// A handler may end its own streams and go on working; its end is what counts.
func TestHandlerClosesItsStreams(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `exec >/dev/null 2>&1; sleep 0.2; exit 2`).
		handler(harness.PreToolUse, `exec >/dev/null 2>&1; sleep 60`, timeout(300*time.Millisecond), order(1), observer)
	begin := time.Now()
	c.blocked(c.run(bash, "native", "PreToolUse"), "blocked by h0, which gave no reason")
	if d := time.Since(begin); d < 500*time.Millisecond || d > 2*time.Second {
		t.Errorf("took %v", d)
	}
	if !strings.Contains(c.log(), "no answer within 300ms") {
		t.Errorf("log %q", c.log())
	}
}

// A payload that nobody reads is no fault, however big; the exit code answers.
func TestHandlerIgnoresStdin(t *testing.T) {
	big := `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"` + strings.Repeat("x", 4<<20) + `"}}`
	for name, c := range map[string]struct {
		script string
		exit   int
	}{
		"at once": {`exit 0`, 0}, "closed first": {`exec <&-; sleep 0.1; echo no >&2; exit 2`, 2}, "some of it": {`head -c 100 >/dev/null; exit 2`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			clone := newClone(t).handler(harness.PreToolUse, c.script)
			if got := clone.run(big, "native", "PreToolUse"); got.Exit != c.exit || strings.Contains(clone.log(), "h0 on") {
				t.Errorf("got exit %d, log %q", got.Exit, clone.log())
			}
		})
	}
	t.Run("all of it is there for one that reads", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `sleep 0.1; cat > got`)
		c.silent(c.run(big, "native", "PreToolUse"))
		if c.read("got") != big {
			t.Errorf("got %d bytes of %d", len(c.read("got")), len(big))
		}
	})
}

func TestBigOutput(t *testing.T) {
	zeros := func(n int) string { return fmt.Sprintf(`head -c %d /dev/zero | tr '\0' x`, n) }
	t.Run("a reason of 50 KB", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, zeros(50_000)+` >&2; exit 2`)
		if got := c.run(bash, "native", "PreToolUse"); got.Stderr != strings.Repeat("x", 50_000)+"\n" {
			t.Errorf("got %d bytes", len(got.Stderr))
		}
	})
	t.Run("a reason of 2 MiB on stdout, noise on stderr", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `printf '{"decision":"block","reason":"'; `+zeros(2<<20)+`; printf '"}'; `+zeros(2<<20)+` >&2`)
		if got := c.run(bash, "native", "PreToolUse"); got.Exit != 2 || got.Stderr != strings.Repeat("x", 2<<20)+"\n" {
			t.Errorf("got exit %d and %d bytes", got.Exit, len(got.Stderr))
		}
	})
	t.Run("more than is kept", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, zeros(maxOutput+100_000)+`; echo no >&2; exit 2`)
		c.blocked(c.run(bash, "native", "PreToolUse"), "no")
	})
	t.Run("an answer that is more than is kept", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `printf '{"decision":"block","reason":"'; `+zeros(maxOutput)+`; printf '"}'`, onErrorBlock)
		c.blocked(c.run(bash, "native", "PreToolUse"), "longer than 16 MiB")
	})
}

// The host's limit, less a margin, bounds all handlers together; on_limit says what holds for one that it cuts short.
func TestHostLimit(t *testing.T) {
	slow(t)
	limit := func(p manifest.Policy) func(*manifest.Handler) { return func(h *manifest.Handler) { h.OnLimit = p } }
	c := newClone(t).
		handler(harness.PreToolUse, `sleep 60`, timeout(time.Minute)).
		handler(harness.PreToolUse, `touch late`, order(1), limit(manifest.BlockOnFault))
	begin := time.Now()
	got := c.run(bash, "quick", "PreToolUse")
	if d := time.Since(begin); d < 1400*time.Millisecond || d > 1950*time.Millisecond {
		t.Errorf("took %v of the host's 2 s", d)
	}
	c.blocked(got, "handler h1", "used up the 1.5s", "the quick host")
	if c.has("late") || !strings.Contains(c.log(), "handler h0 on PreToolUse: no answer within 1.") {
		t.Errorf("late %v, log %q", c.has("late"), c.log())
	}
}

func TestOnLimit(t *testing.T) {
	allow, block := manifest.AllowOnFault, manifest.BlockOnFault
	for _, c := range []struct {
		onError, onLimit manifest.Policy
		cut              bool
		blocks           bool
	}{
		{allow, "", true, false}, {block, "", true, true}, {allow, block, true, true}, {block, allow, true, false},
		{allow, block, false, false}, {block, allow, false, true}, {"", "", true, false},
	} {
		call := &call{event: harness.Stop}
		got := call.afterFault(manifest.Handler{Name: "h", Block: true, OnError: c.onError, OnLimit: c.onLimit}, errTimeout, c.cut)
		if got.Blocked != c.blocks || len(call.loud) != 1 {
			t.Errorf("%+v: got %+v", c, got)
		}
	}
	// A handler that is not there was not cut short.
	gone := newClone(t).handler(harness.PreToolUse, "", argv("./absent"), onErrorBlock, func(h *manifest.Handler) { h.OnLimit = allow })
	gone.blocked(gone.run(bash, "quick", "PreToolUse"), "does not exist")
	// Its own time being up is not the host's limit.
	c := newClone(t).handler(harness.PreToolUse, `sleep 60`, timeout(100*time.Millisecond), func(h *manifest.Handler) { h.OnLimit = block })
	c.allowedLoudly(c.run(bash, "quick", "PreToolUse"), "no answer within 100ms")
}

// When the caller gives up, the handlers are ended with all that they started.
func TestInterrupted(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `sleep 60 & echo $! > child; echo $$ > pid; wait`)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !c.has("pid") {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	reply := Run(ctx, Options{Args: []string{"--root", c.root, "native", "PreToolUse"}, Stdin: strings.NewReader(bash), Table: rows()})
	c.allowedLoudly(reply, "handler h0", "the host ended lorimer-dispatch")
	ends(t, c, "pid", "child")
}

func TestErrTimeoutIsTold(t *testing.T) {
	p := program{line: "sleep 60", dir: "/", timeout: 20 * time.Millisecond}
	if _, err := p.run(func() bool { return false }); !errors.Is(err, errTimeout) {
		t.Errorf("got %v", err)
	}
}
