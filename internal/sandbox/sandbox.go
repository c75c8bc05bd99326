// Package sandbox keeps a program that runs real agents away from the network.
//
// A program calls Enter first thing in main (a test binary in TestMain). Enter starts the same program again, with the same
// arguments, in a network namespace of its own whose only interface is loopback, and exits with its status; in the second
// start Enter returns. So nothing that the program starts can reach a host, whatever it tries, and no tool has to be
// installed for it: the namespace is asked of the kernel when the process is made, and loopback is brought up by ioctl.
//
// The sandbox is about the network alone. What an agent finds in its environment and its home is for its caller to say.
package sandbox

import (
	"fmt"
	"net"
	"os"
	"strings"
)

// marker tells the second start from the first. It is no proof: Enter looks at the interfaces themselves.
const marker = "LORIMER_E2E_SANDBOX"

// Enter returns nil when the program is inside; only then. Outside it does not return, unless the sandbox cannot be made:
// then the error says what is missing and what can be done about it. add holds variables (NAME=value) for the second start;
// last, which may be nil, is called outside when the second start has ended.
func Enter(last func(), add ...string) error {
	if os.Getenv(marker) == "" {
		return restart(last, append(add, marker+"=1"))
	}
	// Looked at before anything is changed: with a stray marker this would be the machine's own loopback.
	if err := Sealed(); err != nil {
		return err
	}
	if err := loopbackUp(); err != nil {
		return fmt.Errorf("sandbox: cannot bring the loopback interface up: %w", err)
	}
	return nil
}

// Sealed returns nil when loopback is the only network interface there is.
func Sealed() error {
	all, err := net.Interfaces()
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	var names []string
	for _, i := range all {
		names = append(names, i.Name)
	}
	if len(all) != 1 || all[0].Flags&net.FlagLoopback == 0 {
		return fmt.Errorf("sandbox: not sealed: the interfaces are %s, expected loopback alone", strings.Join(names, ", "))
	}
	return nil
}
