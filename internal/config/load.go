package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/configfile"
	"github.com/lorimer-dev/lorimer/internal/hookenv"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/meant"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Load reads a lorimer.yaml. file is its name in messages, known the ids of the harnesses that can be hooked, and recognised
// those of others that lorimer can tell. The error is strictyaml.Faults with everything that is wrong.
func Load(file string, src []byte, known []string, recognised ...string) (*Config, error) {
	c := &Config{file: file, sources: []source{{data: src}}}
	var faults strictyaml.Faults
	if err := strictyaml.Decode(file, src, &c.File); err != nil && !errors.As(err, &faults) {
		return nil, err
	}
	l := loader{c, known, recognised, faults}
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
	known      []string
	recognised []string
	faults     strictyaml.Faults
}

func (l *loader) fault(pos strictyaml.Pos, expected, hint, format string, args ...any) {
	f := strictyaml.At(l.file, pos, format, args...)
	f.Expected, f.Hint = expected, hint
	l.faults = append(l.faults, f)
}

func (l *loader) top() {
	if v := l.Version; v.Set() && v.N != configfile.Version && !l.faulty(v.Pos) {
		l.fault(v.Pos, fmt.Sprint(configfile.Version), "another lorimer wrote for this file; use the version that fits", "version is %d", v.N)
	}
	if n := l.StopGate.MaxContinuations; n.N < 0 {
		l.fault(n.Pos, "0 (no limit) or more", "", "max_continuations is %d", n.N)
	}
	l.ids(l.Harnesses)
	l.environment()
}

// environment checks the variables. What a project's settings cannot set in the protocol's own host, nobody's file sets.
func (l *loader) environment() {
	values := map[string]string{}
	for _, e := range l.Env {
		values[e.Key] = e.Value.Text
		if !hookenv.Allowed(e.Key, true) {
			l.fault(e.KeyPos, "a variable that is neither the machine's (HOME, TMPDIR, XDG_*_HOME ...) nor begins with LORIMER_, CLAUDE or OTEL_", "take it out", "env cannot set %q", e.Key)
		}
	}
	if len(values) > 0 {
		l.env = []manifest.Env{{Path: FileName, Values: values}}
	}
}

// faulty says whether what stands at a place has its fault already.
func (l *loader) faulty(pos strictyaml.Pos) bool {
	return slices.ContainsFunc(l.faults, func(f strictyaml.Fault) bool { return f.Line == pos.Line && f.Col == pos.Col })
}

// ids checks a list of harness ids.
func (l *loader) ids(list []strictyaml.Str) {
	for i, s := range list {
		switch {
		case s.Text == "": // has its fault already
		case slices.Contains(l.recognised, s.Text):
			l.fault(s.Pos, "one of "+strings.Join(l.known, ", "), "", "%s", NotHooked(s.Text))
		case !slices.Contains(l.known, s.Text):
			l.fault(s.Pos, "one of "+strings.Join(l.known, ", "), meant.DidYouMean(s.Text, l.known),
				"unknown harness %q", s.Text)
		case configfile.Has(list[:i], s.Text):
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
