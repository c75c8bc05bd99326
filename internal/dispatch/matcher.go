package dispatch

import "github.com/lorimer-dev/lorimer/internal/rawjson"

// subjects returns what matchers of this event are tested against, as Claude has it.
func (c *call) subjects() []string {
	for _, key := range c.event.MatchedBy() {
		switch s := c.text(key); {
		case s == "":
		case c.event.Tool():
			return withAlias(s)
		default:
			return []string{s}
		}
	}
	return nil
}

// withAlias: Claude renamed this tool, and hooks name it either way.
func withAlias(tool string) []string {
	switch tool {
	case "Task":
		return []string{"Task", "Agent"}
	case "Agent":
		return []string{"Agent", "Task"}
	}
	return []string{tool}
}

// text returns a top-level string of the payload, or "".
func (c *call) text(key string) string { return rawjson.String(c.fields[key]) }
