package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Load reads a lorimer.yaml. file is its name in messages, known the ids of the harnesses that there are. The error is
// strictyaml.Faults with everything that is wrong.
func Load(file string, src []byte, known []string) (*Config, error) {
	c := &Config{file: file, sources: []source{{data: src}}}
	var faults strictyaml.Faults
	if err := strictyaml.Decode(file, src, c); err != nil && !errors.As(err, &faults) {
		return nil, err
	}
	l := loader{c, known, faults}
	l.top()
	l.names()
	l.hooks()
	for i := range c.Handlers {
		l.ids(c.Handlers[i].Harnesses)
		l.ids(c.Handlers[i].Not)
	}
	if err := l.faults.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

type loader struct {
	*Config
	known  []string
	faults strictyaml.Faults
}

func (l *loader) fault(pos strictyaml.Pos, expected, hint, format string, args ...any) {
	f := strictyaml.At(l.file, pos, format, args...)
	f.Expected, f.Hint = expected, hint
	l.faults = append(l.faults, f)
}

func (l *loader) top() {
	if v := l.Version; v.Set() && v.N != Version && v.N != 0 {
		l.fault(v.Pos, fmt.Sprint(Version), "another lorimer wrote for this file; use the version that fits", "version is %d", v.N)
	}
	if n := l.StopGate.MaxContinuations; n.N < 0 {
		l.fault(n.Pos, "0 (no limit) or more", "", "max_continuations is %d", n.N)
	}
	l.ids(l.Harnesses)
}

// ids checks a list of harness ids.
func (l *loader) ids(list []strictyaml.Str) {
	for i, s := range list {
		switch {
		case s.Text == "": // has its fault already
		case !slices.Contains(l.known, s.Text):
			l.fault(s.Pos, "one of "+strings.Join(l.known, ", "), strictyaml.DidYouMean(s.Text, l.known),
				"unknown harness %q", s.Text)
		case has(list[:i], s.Text):
			l.fault(s.Pos, "", "take one of them out", "harness %q stands here twice", s.Text)
		}
	}
}

func (l *loader) names() {
	first := map[string]strictyaml.Pos{}
	for i := range l.Handlers {
		name := l.Handlers[i].Name
		if before, twice := first[name.Text]; twice && name.Text != "" {
			l.fault(name.Pos, "", fmt.Sprintf("the other one is at line %d", before.Line),
				"a second handler is called %q", name.Text)
			continue
		}
		first[name.Text] = name.Pos
	}
}

// Names are shown in messages and may become parts of paths.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// Validate checks what one handler says.
func (h *Handler) Validate(c *strictyaml.Context) {
	if !nameForm.MatchString(h.Name.Text) {
		c.ReportAt(h.Name.Pos, strictyaml.Fault{What: fmt.Sprintf("the name %q cannot be used", h.Name.Text),
			Expected: "1 to 100 letters, digits and . _ -, a letter or digit first"})
	}
	switch argv := len(h.Argv) > 0; {
	case argv && h.Run.Set():
		c.ReportAt(h.Run.Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q has both argv and run", h.Name.Text),
			Expected: "argv (without a shell) or run (a shell line)"})
	case argv && h.Argv[0].Text == "", !argv && strings.TrimSpace(h.Run.Text) == "":
		c.ReportAt(h.Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q has nothing to run", h.Name.Text),
			Expected: "argv: [PROGRAM, ARGUMENT...] or run: a shell line"})
	}
	if h.Timeout.Set() && h.Timeout.D.Milliseconds() == 0 {
		c.ReportAt(h.Timeout.Pos, strictyaml.Fault{What: "a timeout of " + h.Timeout.Text, Expected: "1ms or more",
			Hint: "leave it out for the event's own limit"})
	}
	if h.If.Text != "" && h.Event.Known() && !h.Event.Tool() {
		c.ReportAt(h.If.Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q has an if on %s", h.Name.Text, h.Event.Event),
			Expected: "an event of a tool call: only that is held against a rule"})
	}
	if h.Async.B && h.FailsClosed() {
		c.ReportAt(h.OnError.Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q is async and on_error: block", h.Name.Text),
			Expected: "one of the two: what is not waited for can block nothing"})
	}
	if len(h.Harnesses) > 0 && len(h.Not) > 0 {
		c.ReportAt(h.Not[0].Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q has both harnesses and not", h.Name.Text),
			Expected: "one of the two"})
	}
}
