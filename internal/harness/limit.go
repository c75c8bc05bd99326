package harness

import "time"

const (
	// DefaultLimit is the time a hook may take at a host that sets no limit of its own.
	DefaultLimit = 600 * time.Second
	// maxMargin is the most that an inner deadline stays below the host's limit.
	maxMargin = 5 * time.Second
)

// Inner is the deadline by which we answer ourselves, inside the host's own limit for the event: a host that loses patience
// decides alone, and most decide to go on. The margin is a quarter of the limit, at most 5 s. A limit of 0 means that the
// host has none; then it is DefaultLimit that we stay within.
func Inner(limit time.Duration) time.Duration {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return limit - margin(limit)
}

// Patience is how long a shim waits for the dispatcher: longer than Inner, so that a handler which takes too long is judged
// by the dispatcher, which knows its on_error; and still inside the host's own limit.
func Patience(limit time.Duration) time.Duration {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return limit - margin(limit)/2
}

func margin(limit time.Duration) time.Duration { return min(limit/4, maxMargin) }
