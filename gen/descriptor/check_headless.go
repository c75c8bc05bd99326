package descriptor

import (
	"fmt"
	"slices"
)

var methodNames = []string{"train", "fork", "continue", "rebase", "ping"}

// ownFacts are what outcome rules may ask for beside the facts of the stream.
var ownFacts = []string{"exit", "signal", "killed_by", "timed_out", "model_changed", "result"}

// headless checks how the supervisor starts the harness and reads it.
func (k *checker) headless() {
	h := k.d.Headless
	if h == nil {
		return
	}
	facts := tokensOf[Headless]("Methods")
	for _, m := range h.Methods {
		k.OneOfAt(m.KeyPos, fmt.Sprintf("there is no method %q", m.Key), m.Key, methodNames)
		k.conditions(m.Value.Argv, facts)
	}
	k.conditions(h.Common, facts)
	k.outcome(h)
	k.cache(h)
}

// conditions checks what arguments are given for.
func (k *checker) conditions(argv []Arg, facts []string) {
	for _, a := range argv {
		if a.When.Text != "" {
			k.OneOfAt(a.When.Pos, fmt.Sprintf("when is %q", a.When.Text), a.When.Text, facts)
		}
	}
}

func (k *checker) outcome(h *Headless) {
	known := append(h.Stream.Keys(), ownFacts...)
	for i, r := range h.Outcome {
		for _, p := range r.When {
			if p.Key.Text != "" {
				k.OneOfAt(p.Key.Pos, fmt.Sprintf("nothing in stream gives the fact %q", p.Key.Text), p.Key.Text, known)
			}
		}
		k.openEnd("outcome", r.Pos, i == len(h.Outcome)-1, len(r.When) == 0)
	}
}

// openEnd checks a list of which the first entry that fits counts: the last one must fit always, and no other may.
func (k *checker) openEnd(list string, pos Pos, last, open bool) {
	switch {
	case last && !open:
		k.mend(pos, "add an entry without when", "the last entry of headless.%s has conditions, so that some runs fit none", list)
	case !last && open:
		k.mend(pos, "add when, or make it the last", "this entry of headless.%s has no conditions, so that those below it are never reached", list)
	}
}

func (k *checker) cache(h *Headless) {
	c := h.Cache
	if c == nil {
		return
	}
	for i, t := range c.TTL {
		k.openEnd("cache.ttl", t.Pos, i == len(c.TTL)-1, len(t.When) == 0)
	}
	if c.KeepBy.Text != "" && !slices.Contains(h.Methods.Keys(), c.KeepBy.Text) {
		k.want(c.KeepBy.Pos, "one of the methods", "headless.cache.keep_by is %q", c.KeepBy.Text)
	}
	if c.MinRead < 0 || c.MinRead > 1 {
		k.want(c.Pos, "a share between 0 and 1", "headless.cache.min_read is %v", c.MinRead)
	}
}

// Validate checks that the pattern finds a version.
func (v *VersionCommand) Validate(c *reader) { needsGroup(c, v.Pattern, "the version") }

// Validate checks that the pattern finds a path.
func (t *ToolFiles) Validate(c *reader) {
	if t.Pattern.Set() {
		needsGroup(c, t.Pattern, "the path")
	}
}

// Validate checks that a file's path can be taken from the text.
func (t *ToolAdds) Validate(c *reader) { needsGroup(c, t.Pattern, "the path of a file that is made") }

func needsGroup(c *reader, r Regexp, what string) {
	if r.Re != nil && r.Re.NumSubexp() < 1 {
		c.ReportAt(r.Pos, fault{What: "pattern has no group", Expected: "a ( ) around " + what})
	}
}
