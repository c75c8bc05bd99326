//go:build !unix

package dispatch

import (
	"io"
	"time"
)

// patient does not bound the wait here, where pipes cannot be waited for: the host's own limit ends it.
func patient(r io.Reader, _ time.Duration) io.Reader { return r }
