// Package fakeagent is an agent without a model: it speaks the stream of the agent that gremlins were first made for, and does what
// its prompt's line `FAKE {...}` says. The engine's tests, the benchmark and the soak test run it in place of a real one, from
// their own programs, which call [Main] first.
package fakeagent

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Version is what it prints for --version.
const Version = "9.9.9 (Claude Code)"

// Main is the agent and ends the program, when that was started as one; else it returns.
func Main() {
	if len(os.Args) < 2 {
		return
	}
	switch os.Args[1] {
	case "-p":
		os.Exit(Run(os.Args[1:]))
	case "--version":
		fmt.Println(Version)
		os.Exit(0)
	}
}

// BillTo is the variable with a file to which each run adds a line right before it prints its result: a [Bill] as JSON.
const BillTo = "FAKEAGENT_BILL"

// Script is what it does. The zero value answers at once, and all is well.
type Script struct {
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

// Brief is a brief that has the script in it.
func (s Script) Brief() (string, error) {
	b, err := json.Marshal(s)
	return "Do it.\nFAKE " + string(b) + "\n", err
}

// Bill is what a run says that it has used, and when it said so.
type Bill struct {
	Job                  string // the mark of its processes, which begins with the job's id and a dot
	Input, Output        int64
	CacheRead, CacheMade int64
	At                   time.Time
}

type object = map[string]any

// Run is the agent: args are its arguments, the prompt is on standard input. It returns the exit status.
func Run(args []string) int {
	prompt, _ := io.ReadAll(os.Stdin)
	s, err := scriptIn(string(prompt))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 70
	}
	if s.Deaf {
		signal.Ignore(syscall.SIGTERM)
	}
	a := agent{script: s, args: args}
	a.say(object{"type": "system", "subtype": "init", "session_id": a.session()})
	time.Sleep(time.Duration(s.DelayMS) * time.Millisecond)
	a.work()
	for _, line := range s.Lines {
		fmt.Println(line)
	}
	if !s.NoResult {
		a.end()
	}
	return s.Exit
}

// scriptIn finds the script in a prompt, in which the brief may be quoted.
func scriptIn(prompt string) (s Script, err error) {
	for line := range strings.Lines(prompt) {
		if text, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimSpace(line), "> "), "FAKE "); ok {
			if err := json.Unmarshal([]byte(text), &s); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

type agent struct {
	script Script
	args   []string
}

func (a agent) say(v any) { json.NewEncoder(os.Stdout).Encode(v) }

func (a agent) flag(name string) string {
	if i := slices.Index(a.args, name); i >= 0 && i+1 < len(a.args) {
		return a.args[i+1]
	}
	return ""
}

func (a agent) session() string {
	session, resumed := a.flag("--session-id"), a.flag("--resume")
	switch {
	case session == "" && resumed != "" && !slices.Contains(a.args, "--fork-session"):
		return resumed
	case session == "":
		return fmt.Sprintf("forked-%d", os.Getpid())
	}
	return session
}

func (a agent) model() string {
	if a.script.Model != "" {
		return a.script.Model
	}
	return a.flag("--model")
}

// tokens are what it says that it has used: a first run fills the cache, a resumed one reads it.
func (a agent) tokens() (read, write, write1h int) {
	read, write, write1h = 0, 1000, 1000
	if a.flag("--resume") != "" {
		read, write, write1h = 1000, 50, 50
	}
	for _, o := range []struct{ to, from *int }{{&read, a.script.Read}, {&write, a.script.Write}, {&write1h, a.script.Write1h}} {
		if o.from != nil {
			*o.to = *o.from
		}
	}
	return read, write, write1h
}

const input, output = 3, 7

func (a agent) usage() object {
	read, write, write1h := a.tokens()
	return object{"input_tokens": input, "output_tokens": output, "cache_read_input_tokens": read, "cache_creation_input_tokens": write,
		"cache_creation": object{"ephemeral_1h_input_tokens": write1h}}
}

func (a agent) work() {
	s := a.script
	a.say(object{"type": "assistant", "message": object{"id": "m1", "model": a.model(), "usage": a.usage()}})
	if s.Tool > 0 {
		call := object{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": object{"command": "make", "timeout": 60_000}}
		a.say(object{"type": "assistant", "message": object{"id": "m2", "model": a.model(), "content": []object{call}}})
		time.Sleep(time.Duration(s.Tool) * time.Millisecond)
		a.say(object{"type": "user", "message": object{"content": []object{{"type": "tool_result", "tool_use_id": "toolu_1", "content": "made"}}}})
	}
	for range s.Children {
		if err := exec.Command("setsid", "sleep", "120").Start(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	if s.Die {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			self.Kill()
		}
	}
	for s.Hang {
		time.Sleep(time.Hour)
	}
	time.Sleep(time.Duration(s.WorkMS) * time.Millisecond)
}

func (a agent) end() {
	result := object{"type": "result", "subtype": "success", "is_error": false, "terminal_reason": "completed", "num_turns": 1, "result": "done",
		"permission_denials": []any{}, "usage": a.usage(), "session_id": a.session(),
		"modelUsage":                    object{a.model(): object{"contextWindow": 200000}},
		"model_usage_since_last_result": object{a.model(): object{"costUSD": 0.25}}}
	for k, v := range a.script.Result {
		result[k] = v
	}
	a.bill() // first: who is killed in between has told nobody
	a.say(result)
}

func (a agent) bill() {
	file := os.Getenv(BillTo)
	if file == "" {
		return
	}
	read, write, _ := a.tokens()
	line, err := json.Marshal(Bill{os.Getenv("SPIRE_GREMLIN_JOB"), input, output, int64(read), int64(write), time.Now()})
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err == nil {
			_, err = f.Write(append(line, '\n'))
			f.Close()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
