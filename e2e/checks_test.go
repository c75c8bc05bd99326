//go:build linux

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// outcome is a run that has ended, and what can be seen of it.
type outcome struct {
	*rig.Rig
	mode string
	hold chan struct{} // closed to let a held answer of the model go
	exit rig.Exit
	log  fakemodel.Log
}

// check is one thing that must hold of an outcome, and must not hold where Lorimer has been taken out, unless anyway.
type check struct {
	what   string
	test   func(*outcome) error
	anyway bool
}

// always marks checks that hold without Lorimer too: they say that it does no harm.
func always(cs ...check) []check {
	for i := range cs {
		cs[i].anyway = true
	}
	return cs
}

// dispatched holds when the handler was called exactly n times for the event.
func dispatched(event string, n int) check {
	return check{what: fmt.Sprintf("%s is dispatched %d times", event, n), test: func(o *outcome) error {
		if got := len(o.Calls(event)); got != n {
			return fmt.Errorf("%d times: %v", got, labels(o))
		}
		return nil
	}, anyway: n == 0}
}

func labels(o *outcome) []string {
	var out []string
	for _, c := range o.Calls("") {
		out = append(out, c.Label)
	}
	return out
}

// field holds when the i-th payload of the event, from 0, has the value at the keys. want may depend on the run.
func field(event string, i int, want func(*outcome) string, keys ...string) check {
	return check{what: fmt.Sprintf("%s of payload %d of %s", strings.Join(keys, "."), i, event), test: func(o *outcome) error {
		calls := o.Calls(event)
		if i >= len(calls) {
			return fmt.Errorf("there is no such payload: %v", labels(o))
		}
		return same(calls[i].Get(keys...), want(o))
	}}
}

// is is a value that does not depend on the run.
func is(s string) func(*outcome) string { return func(*outcome) string { return s } }

// same is nil when both are equal, else an error that shows them.
func same(got, want string) error {
	if got != want {
		return fmt.Errorf("got  %q\nwant %q", got, want)
	}
	return nil
}

// requests holds when the model was asked n times.
func requests(n int) check {
	return check{what: fmt.Sprintf("the model is asked %d times", n), test: func(o *outcome) error {
		if len(o.log) != n {
			return fmt.Errorf("%d times", len(o.log))
		}
		return nil
	}}
}

// request holds when the n-th request, from 1, passes the test.
func request(n int, what string, test func(*outcome, fakemodel.Request) error) check {
	return check{what: fmt.Sprintf("request %d: %s", n, what), test: func(o *outcome) error {
		if len(o.log) < n {
			return fmt.Errorf("there were only %d", len(o.log))
		}
		return test(o, o.log[n-1])
	}}
}

// reads holds when the n-th request contains the text.
func reads(n int, text string) check {
	return request(n, fmt.Sprintf("the model reads %q", text), func(o *outcome, r fakemodel.Request) error {
		if c := strings.Count(r.Text(), text) + escaped(o.Host, r.Text(), text); c != 1 {
			return fmt.Errorf("%d times in its messages: %s", c, shown(r))
		}
		return nil
	})
}

// escaped counts the text as the host writes it in context, where that differs.
func escaped(h *rig.Host, in, text string) int {
	if h.Escape == nil || h.Escape(text) == text {
		return 0
	}
	return strings.Count(in, h.Escape(text))
}

// shown lists the newest messages of a request, each cut short: a failed test should fit a screen.
func shown(r fakemodel.Request) string {
	var b strings.Builder
	for _, m := range r.Messages[max(0, len(r.Messages)-3):] {
		text := m.Text()
		if len(text) > 300 {
			text = text[:100] + " [...] " + text[len(text)-200:]
		}
		fmt.Fprintf(&b, "\n    %s: %q", m.Role, text)
	}
	return b.String()
}

// result holds when the i-th tool call, from 0, was answered with exactly that.
func result(i int, want func(*outcome) string) check {
	return check{what: fmt.Sprintf("what the model reads as answer to tool call %d", i), test: func(o *outcome) error {
		rs := o.log.Results()
		if i >= len(rs) {
			return fmt.Errorf("there are only %d answers", len(rs))
		}
		return same(rs[i].Text, want(o))
	}}
}

// there and gone look at a path in the project.
func there(path string) check {
	return check{what: path + " is there", test: func(o *outcome) error {
		_, err := os.Stat(filepath.Join(o.Clone, path))
		return err
	}}
}

func gone(path string) check {
	return check{what: path + " is gone", test: func(o *outcome) error {
		if there(path).test(o) == nil {
			return errors.New("it is there")
		}
		return nil
	}}
}

// exits holds when the host ended with that status.
func exits(code int) check {
	return check{what: fmt.Sprintf("exit status %d", code), anyway: true, test: func(o *outcome) error {
		if o.exit.Code != code {
			return fmt.Errorf("%d\nstdout: %s\nstderr: %s", o.exit.Code, o.exit.Stdout, o.exit.Stderr)
		}
		return nil
	}}
}

// quiet holds when the host's streams carry what the host says and nothing else: JSON where JSON was asked for, and on standard
// error only lines that contain one of loud.
func quiet(loud ...string) check {
	return check{what: "nothing foreign on the host's streams", anyway: true, test: func(o *outcome) error {
		m, known := o.Host.Manners, append(loud, o.Host.Says...)
		for line := range strings.Lines(o.exit.Stderr) {
			anything := slices.Contains(m.Chats, o.mode) && !strings.Contains(line, "lorimer")
			blank := m.Blanks && strings.TrimSpace(line) == ""
			if !blank && !anything && !slices.ContainsFunc(known, func(l string) bool { return strings.Contains(line, l) }) {
				return fmt.Errorf("standard error says %q", line)
			}
		}
		if slices.Contains(m.Objects, o.mode) {
			if out := strings.TrimSpace(o.exit.Stdout); out != "" && !json.Valid([]byte(out)) {
				return fmt.Errorf("standard output says %q", out)
			}
			return nil
		}
		for line := range strings.Lines(o.exit.Stdout) {
			textual := o.mode == "print" || o.mode == o.Host.Serve
			if strings.Contains(line, "lorimer: ") || !textual && !json.Valid([]byte(line)) {
				return fmt.Errorf("standard output says %q", line)
			}
		}
		return nil
	}}
}

// said holds when exactly one loud line contains the text: in Lorimer's own log always, and on standard error too where the
// host lets it through.
func said(text string) check {
	return check{what: fmt.Sprintf("one loud line says %q", text), test: func(o *outcome) error {
		err := oneLine(o.StateLog(), text)
		if !slices.Contains(o.Host.Manners.Mutes, o.mode) {
			err = errors.Join(err, oneLine(o.exit.Stderr, "lorimer: ", text))
		}
		return err
	}}
}

// oneLine is nil when exactly one of the lines has all the words in it.
func oneLine(lines string, words ...string) error {
	n := 0
	for line := range strings.Lines(lines) {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) }) {
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("%d lines of:\n%s", n, lines)
	}
	return nil
}
