package main

import "fmt"

// Exit statuses of every command.
const (
	exitOK     = 0 // done, or nothing differs
	exitDiffer = 1 // something differs, or faults were found; they are on stdout
	exitError  = 2 // the command could not do its work; why is on stderr
)

// exitStatus is an error that only carries an exit status: what is to be said was said already.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// withStatus turns a command's exit status into the error that run understands; exitOK gives nil.
func withStatus(status int, err error) error {
	if err != nil || status == exitOK {
		return err
	}
	return exitStatus(status)
}
