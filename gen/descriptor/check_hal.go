package descriptor

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// capabilities checks that the version ranges rise and that the last one is open, and each range's cells.
func (k *checker) capabilities() {
	list, labelled := k.d.Capabilities, map[string]bool{}
	for i, c := range list {
		k.capability(c)
		if as := c.AsOf; as.Set() && labelled[as.Text] {
			k.mend(as.Pos, "give the range a label of its own, or none", "a range above is as of %q already", as.Text)
		}
		labelled[c.AsOf.Text] = true
		last := i == len(list)-1
		switch {
		case last && c.Until.Set():
			k.mend(c.Until.Pos, "take until out of it, or add a range without one", "the last range must be open: a version of %s or above would have none", c.Until.Text)
		case !last && !c.Until.Set():
			k.mend(c.Pos, "add until, or make it the last", "the range has no until, so that the ranges below it are never reached")
		case !last && i > 0 && !less(list[i-1].Until.Text, c.Until.Text):
			k.mend(c.Until.Pos, "put the ranges in the order of their versions", "the range ends at %s, but the one above it already reaches %s", c.Until.Text, list[i-1].Until.Text)
		}
	}
}

// less compares dotted versions by their numbers.
func less(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(x), len(y)) {
		if m, n := number(x, i), number(y, i); m != n {
			return m < n
		}
	}
	return false
}

func number(parts []string, i int) int {
	if i >= len(parts) {
		return 0
	}
	digits, _, _ := strings.Cut(parts[i], "-")
	n, _ := strconv.Atoi(digits)
	return n
}

var (
	variable = lazyre.Pattern{Expr: `^[A-Za-z_][A-Za-z0-9_]*$`}
	pattern  = lazyre.Pattern{Expr: `^[A-Za-z_][A-Za-z0-9_]*\*?$`}
)

// environment checks the names of variables, wherever some stand.
func (k *checker) environment() {
	d := k.d
	k.detect()
	for _, c := range d.Capabilities {
		for _, s := range c.SessionIDEnv {
			if s.Text != "" {
				k.variables([]Str{s})
			}
		}
	}
	if d.Hooks != nil {
		k.variables(d.Hooks.ProjectEnv)
		k.version(d.Hooks.Version)
	}
	if r := d.Runtime; r != nil {
		k.patterns(r.Unset)
		k.variableKeys(keyPlaces(r.Isolate))
		k.variableKeys(keyPlaces(r.Env))
	}
	if h := d.Headless; h != nil {
		k.patterns(h.Scrub)
		k.variables(h.Marker)
		k.variableKeys(keyPlaces(h.Pin))
	}
	if f := d.Fake; f != nil && f.Real != nil {
		k.variableKeys(keyPlaces(f.Real.Env))
	}
}

func (k *checker) detect() {
	if k.d.Detect == nil {
		return
	}
	for _, p := range k.d.Detect.Env {
		k.variables([]Str{p.Key})
		k.sign(p)
	}
	k.variables(k.d.Detect.SessionEnv)
	for _, b := range k.d.Detect.Before {
		if b.Text == k.d.ID.Text {
			k.mend(b.Pos, "take it out", "detect.before names the harness itself")
		}
	}
}

func (k *checker) version(v *VersionIn) {
	if v == nil {
		return
	}
	if !v.Env.Set() && !v.Key.Set() {
		k.want(v.Pos, "env or key", "hooks.version does not say where")
	}
	if v.Env.Text != "" {
		k.variables([]Str{v.Env})
	}
	if re, err := regexp.Compile(v.Match.Text); err == nil && v.Match.Text != "" && re.NumSubexp() != 1 {
		k.want(v.Match.Pos, "one group, which is the version", "the match of hooks.version has %d groups", re.NumSubexp())
	}
}

func (k *checker) variables(list []Str) {
	for _, s := range list {
		if s.Pos.IsZero() || variable.Re().MatchString(s.Text) {
			continue
		}
		k.want(s.Pos, "letters, digits and _", "%q is no name of an environment variable", s.Text)
	}
}

func (k *checker) patterns(list []Str) {
	for _, s := range list {
		if s.Pos.IsZero() || pattern.Re().MatchString(s.Text) {
			continue
		}
		k.want(s.Pos, "letters, digits and _, and perhaps a * at the end", "%q is no name of environment variables", s.Text)
	}
}

func (k *checker) variableKeys(list []keyPlace) {
	for _, x := range list {
		k.variables([]Str{{Text: x.key, Pos: x.pos}})
	}
}

// Validate checks that a predicate has one operation.
func (p *Predicate) Validate(c *reader) {
	n := 0
	for _, set := range []bool{p.In != nil, p.NotIn != nil, p.Match.Set(), p.Absent, p.Present} {
		if set {
			n++
		}
	}
	if n != 1 {
		c.ReportAt(p.Pos, fault{
			What:     "a predicate has " + strconv.Itoa(n) + " operations",
			Expected: "exactly one of in, not_in, match, absent: true, present: true",
		})
	}
}

// Validate checks that an ancestor is known by one thing.
func (p *Process) Validate(c *reader) {
	switch {
	case p.Exe.Set() == p.Script.Set():
		c.ReportAt(p.Pos, fault{What: "a process is known by its executable or by its script", Expected: "either exe or script"})
	case strings.ContainsAny(p.Exe.Text, `/\`) || strings.HasSuffix(p.Exe.Text, ".exe"):
		c.ReportAt(p.Exe.Pos, fault{What: `exe is "` + p.Exe.Text + `"`, Expected: "a base name without .exe"})
	}
}
