package driver

import (
	"bytes"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Stream reads what a harness prints, a line at a time, while it is printed.
type Stream struct {
	driver *harness.Driver
	facts  map[string]*folder
	usage  tally
	check  tally // of other lines, which must come to the same
	lines  int
}

// NewStream reads the output of one run.
func NewStream(d *harness.Driver) *Stream {
	s := &Stream{driver: d, facts: map[string]*folder{}, usage: tally{usage: d.Usage}}
	if d.Usage != nil {
		s.check.usage = d.Usage.Check
	}
	for name, p := range d.Stream {
		s.facts[name] = &folder{pick: p}
	}
	return s
}

// Line takes one line. What is no JSON object tells nothing; it reports whether it was one.
func (s *Stream) Line(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' || !gjson.ValidBytes(raw) {
		return false
	}
	s.lines++
	kind := gjson.GetBytes(raw, s.driver.Tag).String()
	for _, f := range s.facts {
		f.line(kind, raw)
	}
	s.usage.line(kind, raw)
	s.check.line(kind, raw)
	return true
}

// Fact is one fact as it stands now.
func (s *Stream) Fact(name string) (string, bool) {
	if f := s.facts[name]; f != nil {
		return f.value()
	}
	return "", false
}

// Set is all the values of a fact that is folded to a set, in the order of their first sight.
func (s *Stream) Set(name string) []string {
	if f := s.facts[name]; f != nil {
		return f.values
	}
	return nil
}

// Judge gives a finished run its status. own are the facts that the stream cannot tell: exit, signal, killed_by, timed_out,
// model_changed; "result" is told by whether the harness counted its turns.
func (s *Stream) Judge(own map[string]string) (status, reason string, flags []string) {
	value := func(key string) (string, bool) {
		if v, there := own[key]; there {
			return v, true
		}
		if key == "result" {
			return s.Fact("turns")
		}
		return s.Fact(key)
	}
	for _, r := range s.driver.Outcome {
		if harness.AllHold(r.When, value) {
			reason, _ := fill(r.Reason, own)
			return r.Status, reason, r.Flags
		}
	}
	return "failed", "no_result", nil // an empty list of rules: nothing is known to be well
}

// Usage is what the run has used so far.
func (s *Stream) Usage() Usage { return s.usage.total() }

// Disagrees says whether the harness's own lines tell two different things of what went in.
func (s *Stream) Disagrees() bool {
	a, b := s.usage.total(), s.check.total()
	return a.Told && b.Told && !s.usage.otherwise && (a.Input != b.Input || a.Read != b.Read || a.Write != b.Write)
}
