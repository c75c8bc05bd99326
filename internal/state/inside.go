package state

import "fmt"

// InsideAgent returns an error when the environment shows that a hook, or an agent that a hook started, is what runs us. What
// an agent may not decide, like whether it is watched, asks here. It keeps from mistakes, not from malice: whoever can run
// programs can empty the environment.
func InsideAgent(getenv func(string) string) error {
	for _, name := range []string{"LORIMER_DEPTH", "LORIMER_HARNESS"} {
		if value := getenv(name); value != "" {
			return fmt.Errorf("%s is %q, so this runs inside of an agent's hook; that is for a person to do, in a terminal of their own", name, value)
		}
	}
	return nil
}
