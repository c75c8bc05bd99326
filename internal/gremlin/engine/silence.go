package engine

import (
	"slices"
	"time"
)

// quiet is how long the harness may say nothing: while a tool runs, as long as that tool may take.
func (s *supervisor) quiet() time.Duration {
	limit := s.driver.Stall
	if open := s.openTools(); open > 0 {
		limit = max(limit, s.toolLimit())
	}
	return limit
}

// openTools counts the tool calls without a result.
func (s *supervisor) openTools() (open int) {
	closed := s.stream.Set("tool_ends")
	for _, id := range s.stream.Set("tool_starts") {
		if !slices.Contains(closed, id) {
			open++
		}
	}
	return open
}

// toolLimit is the newest call's own limit, in milliseconds in the stream, else the harness's for a tool.
func (s *supervisor) toolLimit() time.Duration {
	ms, _ := s.stream.Fact("tool_timeout_ms")
	if d, err := time.ParseDuration(ms + "ms"); err == nil && d > 0 {
		return d
	}
	return 10 * time.Minute
}
