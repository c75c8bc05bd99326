package dispatch

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// hostEnds says why a stop that was blocked once more has to pass although handlers may go on, or "": some hosts end a loop of
// blocked stops by themselves, and then say that a gate was overruled. It is let go one stop sooner, aloud.
func (c *call) hostEnds(stops stops) string {
	if c.harness.Hooks == nil || c.harness.Hooks.StopCap == nil {
		return ""
	}
	limit := c.harness.Hooks.StopCap
	n, more := limit.Stops, ""
	if limit.Env != "" {
		more = "; " + limit.Env + " says how often"
		if own, err := strconv.Atoi(strings.TrimSpace(os.Getenv(limit.Env))); err == nil && own > 0 {
			n = own
		}
	}
	if stops.read().count < n-1 {
		return ""
	}
	return fmt.Sprintf("it was blocked %d times, and %s would end the run at the next time anyway%s", n-1, c.harness.Name, more)
}
