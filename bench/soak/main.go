//go:build unix

// Command soak lets many gremlins run for minutes while everything that can be killed is: agents, supervisors, and the calls of
// whoever steers them. `make soak-gremlins` runs it. At the end nothing may run, each job must have ended once and for all in the
// registry and in the ledger, and what the ledger says of a job that went well must be what its agent says.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/fakeagent"
)

func main() {
	fakeagent.Main()
	s := soak{}
	flag.StringVar(&s.bin, "bin", "bin", "folder of the built programs")
	flag.DurationVar(&s.lasts, "for", 10*time.Minute, "how long new gremlins are started")
	flag.IntVar(&s.cap, "n", 50, "how many run at once")
	flag.Int64Var(&s.seed, "seed", time.Now().UnixNano(), "of the chances; a run that failed says its own")
	flag.Parse()
	report, err := s.run()
	b, _ := json.MarshalIndent(report, "", "  ")
	fmt.Printf("%s\n", b)
	if err != nil {
		fmt.Fprintf(os.Stderr, "soak: %v\n(-seed %d; the run is kept in %s)\n", err, s.seed, s.dir)
		os.Exit(1)
	}
}
