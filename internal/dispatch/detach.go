package dispatch

import (
	"fmt"
	"os"
)

// detach starts the program and does not wait for it: it outlives this process, and what it writes is lost. Its stdin is a file
// without a name, because nobody would be there to feed a pipe. The error says why it was not started.
func (p program) detach() error {
	stdin, err := os.CreateTemp("", "lorimer-stdin-")
	if err != nil {
		return fmt.Errorf("not started, for want of a file for its payload: %w", err)
	}
	defer os.Remove(stdin.Name()) // where an open file cannot be removed, the system's own clean-up takes it
	defer stdin.Close()
	if _, err = stdin.Write(p.stdin); err == nil {
		_, err = stdin.Seek(0, 0)
	}
	if err != nil {
		return fmt.Errorf("not started, for want of a file for its payload: %w", err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("not started: %w", err)
	}
	defer null.Close()
	return p.startAlone(stdin, null)
}
