package sense

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// handlerMark is what the dispatcher sets for handlers: the id of the harness whose hook it is. Some hosts set nothing else.
const handlerMark = "LORIMER_HARNESS"

// environment answers when a sign of one runtime is set. When those of several are, one was started from another: then the
// nearest ancestor among them is where we are, and where the process tree does not tell, the first in the rows' order.
func (c *cascade) environment() (s Step) {
	var signs []*harness.Runtime
	for _, r := range c.Rows {
		if seen := c.signsOf(r); len(seen) > 0 {
			signs = append(signs, r)
			s.Saw = append(s.Saw, seen...)
		}
	}
	switch len(signs) {
	case 0:
		s.Why = "no sign of a runtime is set"
	case 1:
		s.Answer, s.Why = signs[0].ID, "signs of "+signs[0].Name+" alone are set"
	default:
		s.Answer, s.Why = c.innermost(signs)
	}
	return s
}

func (c *cascade) signsOf(r *harness.Runtime) (seen []string) {
	if c.Getenv(handlerMark) == r.ID && r.ID != Unknown {
		seen = append(seen, handlerMark)
	}
	for _, m := range r.Markers {
		if value := c.Getenv(m.Key); value != "" && isSign(m, value) && !slices.Contains(seen, m.Key) {
			seen = append(seen, m.Key)
		}
	}
	return seen
}

func isSign(m harness.Marker, value string) bool {
	switch {
	case m.In != nil:
		return slices.Contains(m.In, value)
	case m.NotIn != nil:
		return !slices.Contains(m.NotIn, value)
	case m.Match != "":
		return regexp.MustCompile(m.Match).MatchString(value)
	}
	return true
}

func (c *cascade) innermost(signs []*harness.Runtime) (id, why string) {
	several := "signs of " + names(signs) + " are set; "
	list, err := c.tree()
	for _, p := range list {
		for _, r := range signs {
			if looksLike(p, r) {
				return r.ID, several + "the nearest of their processes is " + r.Name
			}
		}
	}
	if err != nil {
		return signs[0].ID, several + "the process table cannot be read, and " + signs[0].Name + " is asked first"
	}
	return signs[0].ID, several + "none of their processes is an ancestor, and " + signs[0].Name + " is asked first"
}

func names(rows []*harness.Runtime) string {
	all := make([]string, len(rows))
	for i, r := range rows {
		all[i] = r.Name
	}
	return strings.Join(all, ", ")
}
