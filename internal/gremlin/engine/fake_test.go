//go:build linux

package engine_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	golden "github.com/lorimer-dev/lorimer/golden/go/driver"
	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/warm"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// The test binary is the tests, the supervisors that they start, and the harness that those drive.
func TestMain(m *testing.M) {
	platform.Stage()
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "_supervise":
			e := newEngine(os.Environ())
			dieAt(e, "SUPERVISOR_DIES_AT")
			if err := e.Supervise(flagValue("--run"), flagValue("--job")); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		case "_spawn":
			e := newEngine(os.Environ())
			dieAt(e, "COMMAND_DIES_AT")
			if _, err := e.Spawn(engine.SpawnFlags{Run: flagValue("--run"), Base: "B1", Block: "X", Brief: flagValue("--brief")}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		case "-p":
			os.Exit(fake())
		case "--version":
			fmt.Println("9.9.9 (Claude Code)")
			return
		}
	}
	os.Exit(m.Run())
}

// dieAt ends this process before the n-th change that it makes, where the variable says so.
func dieAt(e *engine.Engine, variable string) {
	n, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		return
	}
	e.Before = func(string, string) error {
		if n--; n < 0 {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		return nil
	}
}

func flagValue(name string) string {
	for i, a := range os.Args {
		if a == name && i+1 < len(os.Args) {
			return os.Args[i+1]
		}
	}
	return ""
}

func hasFlag(name string) bool {
	for _, a := range os.Args {
		if a == name {
			return true
		}
	}
	return false
}

func newEngine(env []string) *engine.Engine {
	began, boot := time.Now(), fmt.Sprint(os.Getpid()) // clocks of two processes do not compare, unless they are told to
	drivers := golden.All
	for _, entry := range env {
		if stall, ok := strings.CutPrefix(entry, "STALL="); ok {
			quick := golden.Claude
			quick.Stall, _ = time.ParseDuration(stall)
			drivers = []*harness.Driver{&quick}
		}
		if ms, ok := strings.CutPrefix(entry, "BOOT="); ok {
			n, _ := strconv.ParseInt(ms, 10, 64)
			began, boot = time.UnixMilli(n), ms
		}
	}
	return &engine.Engine{
		Drivers: drivers, Platform: platform.Current, Env: env, Self: os.Args[0], Version: "1.2.3", CWD: "/",
		Now: func() warm.Now {
			return warm.Now{Wall: time.Now(), Up: time.Since(began), Boot: boot}
		},
	}
}

// script is what a prompt makes the fake harness do: a line `FAKE {...}`.
type script struct {
	DelayMS  int            // before its first message
	WorkMS   int            // after it
	Hang     bool           // after it, for ever
	Deaf     bool           // it does not hear TERM
	Children int            // processes that it starts, each in a session of its own, and leaves behind
	Model    string         // that answers, when it is another
	Lines    []string       // printed before the result
	Result   map[string]any // over the usual result's keys
	NoResult bool
	Exit     int
	Die      bool // by SIGKILL, after its first message
	Tool     int  // milliseconds that a tool call of its runs, after its first message
	Read     *int // tokens from the cache
	Write    *int
	Write1h  *int
}

// fake is a harness that speaks Claude Code's stream. It returns its exit code.
func fake() int {
	prompt, _ := io.ReadAll(os.Stdin)
	var s script
	for line := range strings.Lines(string(prompt)) {
		if text, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimSpace(line), "> "), "FAKE "); ok {
			if err := json.Unmarshal([]byte(text), &s); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 70
			}
		}
	}
	if s.Deaf {
		signal.Ignore(syscall.SIGTERM)
	}
	session, resumed := flagValue("--session-id"), flagValue("--resume")
	switch {
	case session == "" && resumed != "" && !hasFlag("--fork-session"):
		session = resumed
	case session == "":
		session = fmt.Sprintf("forked-%d", os.Getpid())
	}
	say := func(v any) { json.NewEncoder(os.Stdout).Encode(v) }
	type object = map[string]any
	say(object{"type": "system", "subtype": "init", "session_id": session})
	time.Sleep(time.Duration(s.DelayMS) * time.Millisecond)
	model := flagValue("--model")
	if s.Model != "" {
		model = s.Model
	}
	read, write, write1h := 0, 1000, 1000
	if resumed != "" {
		read, write, write1h = 1000, 50, 50
	}
	for _, o := range []struct{ to, from *int }{{&read, s.Read}, {&write, s.Write}, {&write1h, s.Write1h}} {
		if o.from != nil {
			*o.to = *o.from
		}
	}
	usage := object{"input_tokens": 3, "output_tokens": 7, "cache_read_input_tokens": read, "cache_creation_input_tokens": write,
		"cache_creation": object{"ephemeral_1h_input_tokens": write1h}}
	say(object{"type": "assistant", "message": object{"id": "m1", "model": model, "usage": usage}})
	if s.Tool > 0 {
		call := object{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": object{"command": "make", "timeout": 60_000}}
		say(object{"type": "assistant", "message": object{"id": "m2", "model": model, "content": []object{call}}})
		time.Sleep(time.Duration(s.Tool) * time.Millisecond)
		say(object{"type": "user", "message": object{"content": []object{{"type": "tool_result", "tool_use_id": "toolu_1", "content": "made"}}}})
	}
	for range s.Children {
		cmd := exec.Command("setsid", "sleep", "120")
		if err := cmd.Start(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	if s.Die {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	for s.Hang {
		time.Sleep(time.Hour)
	}
	time.Sleep(time.Duration(s.WorkMS) * time.Millisecond)
	for _, line := range s.Lines {
		fmt.Println(line)
	}
	if !s.NoResult {
		result := object{"type": "result", "subtype": "success", "is_error": false, "terminal_reason": "completed", "num_turns": 1, "result": "done",
			"permission_denials": []any{}, "usage": usage, "session_id": session, "modelUsage": object{model: object{"contextWindow": 200000}},
			"model_usage_since_last_result": object{model: object{"costUSD": 0.25}}}
		for k, v := range s.Result {
			result[k] = v
		}
		say(result)
	}
	return s.Exit
}
