package conform

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Answer is what a handler does at one call.
type Answer struct {
	Exit   int           `json:"exit"`
	Stdout string        `json:"stdout"`
	Stderr string        `json:"stderr"`
	Sleep  time.Duration `json:"sleep"` // before it answers
}

// Call is one start of a handler.
type Call struct {
	Event   string            `json:"event"`
	Payload []byte            `json:"payload"` // as it came on stdin
	Env     map[string]string `json:"env"`     // the variables of ours, and of hosts
}

// Handle is the handler that conform gives to the dispatcher: args are the directory of the case and the event. It writes down
// what it was given and answers as the case wants. It returns the exit code.
func Handle(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) != 2 {
		fmt.Fprintln(stderr, "conform handler: expected the directory of a case and an event")
		return 1
	}
	b := board(args[0])
	payload, err := io.ReadAll(stdin)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	nth, err := b.record(Call{Event: args[1], Payload: payload, Env: environment()})
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	a := b.answer(args[1], nth)
	time.Sleep(a.Sleep)
	io.WriteString(stdout, a.Stdout)
	io.WriteString(stderr, a.Stderr)
	return a.Exit
}

// environment is what a case may ask for: a host's whole environment would be written down with each call.
func environment() map[string]string {
	env := map[string]string{}
	for _, v := range os.Environ() {
		if name, value, ok := strings.Cut(v, "="); ok && (strings.HasPrefix(name, "LORIMER_") || strings.HasPrefix(name, "CLAUDE_")) {
			env[name] = value
		}
	}
	return env
}

// board is the directory in which handlers and cases leave word for each other.
type board string

func (b board) answers(event string) string { return filepath.Join(string(b), "answer."+event) }

func (b board) call(event string, nth int) string {
	return filepath.Join(string(b), fmt.Sprintf("call.%s.%d", event, nth))
}

// say fixes what a handler answers: the n-th call with the n-th answer, all others with the last.
func (b board) say(event string, answers []Answer) error {
	data, err := json.Marshal(answers)
	if err != nil {
		return err
	}
	return os.WriteFile(b.answers(event), data, 0o600)
}

func (b board) answer(event string, nth int) Answer {
	var all []Answer
	data, err := os.ReadFile(b.answers(event))
	if err != nil || json.Unmarshal(data, &all) != nil || len(all) == 0 {
		return Answer{}
	}
	return all[min(nth, len(all))-1]
}

// record writes a call down and returns its number among those of its event, from 1. Handlers may run at the same time.
func (b board) record(c Call) (nth int, err error) {
	data, err := json.Marshal(c)
	if err != nil {
		return 0, err
	}
	for nth = 1; ; nth++ {
		f, err := os.OpenFile(b.call(c.Event, nth), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		_, err = f.Write(data)
		return nth, errors.Join(err, f.Close())
	}
}

// calls returns the calls of an event, in their order.
func (b board) calls(event string) (all []Call) {
	for nth := 1; ; nth++ {
		data, err := os.ReadFile(b.call(event, nth))
		if err != nil {
			return all
		}
		var c Call
		if json.Unmarshal(data, &c) != nil {
			return all // still being written
		}
		all = append(all, c)
	}
}
