//go:build unix

package certify

import (
	"os"
	"path/filepath"
	"syscall"
)

// Start makes this process the session. It returns only when that cannot be: then the error says why.
func Start(s Spec, caller []string) (status int, err error) {
	if err := makeRoom(s); err != nil {
		return 2, err
	}
	return 2, &os.PathError{Op: "start", Path: s.Argv[0], Err: syscall.Exec(s.Argv[0], s.Argv, s.Environ(caller))}
}

// makeRoom makes the directory of the session's socket, and removes sockets of sessions that are gone.
func makeRoom(s Spec) error {
	socket := s.Env["LORIMER_RENDEZVOUS"]
	if socket == "" || !below(s.Env["LORIMER_HOME"], socket) {
		return nil
	}
	dir := filepath.Dir(socket)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	removeDead(dir)
	return nil
}
