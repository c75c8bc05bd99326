package dispatch

import (
	"fmt"
	"math"
	"os"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// `lorimer init` proves that a hook fires without running what the user wrote, which may well tell somebody of it. It sets a
// variable in the environment of what it starts in the agent's place; in it one handler of ours takes the place of the event's
// own. All else is as ever: the command line, the manifest, the trust record, what is switched off, a process that is started
// and blocks. So the probe shows whether hooks would run, and the most that somebody does who sets the variable for an agent is
// to hold up everything in it.
const (
	probeVariable = "LORIMER_PROBE" // a file, to which the probe adds a line: harness and event
	probeFlag     = "--probe"       // with it the dispatcher is the probe
)

// ProbeReason is what the probe blocks with.
const ProbeReason = "lorimer's probe came through"

func probing() bool { return os.Getenv(probeVariable) != "" }

// takeProbe puts the probe in the place of the event's handlers, when there are any.
func (c *call) takeProbe() error {
	if !probing() || len(c.handlers) == 0 {
		return nil
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	c.handlers = []manifest.Handler{{Name: "lorimer's probe", Order: math.MinInt32, Argv: []string{exe, probeFlag}, Block: true, OnError: manifest.AllowOnFault}}
	return nil
}

// beProbe is the probe: it leaves a line in a file that is there already, and blocks.
func beProbe() harness.Reply {
	f, err := os.OpenFile(os.Getenv(probeVariable), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = fmt.Fprintln(f, os.Getenv("LORIMER_HARNESS"), os.Getenv("LORIMER_EVENT"))
		f.Close()
	}
	if err != nil {
		return harness.Reply{Stderr: fmt.Sprintf("lorimer: the probe leaves no mark: %v\n", err)}
	}
	return harness.Reply{Exit: 2, Stderr: ProbeReason + "\n"}
}
