// Command lorimer-gen is `lorimer generate` without the rest of lorimer: it imports nothing generated, so it builds and
// mends golden/ when that is empty or broken. It is never installed.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/lorimer-dev/lorimer/gen"
)

func main() {
	c := gen.Command{Stdout: os.Stdout}
	flag.StringVar(&c.Repo, "repo", ".", "root of the repository, for harnesses/schema.json and docs/descriptor.md; empty leaves them alone")
	flag.StringVar(&c.Out, "out", "golden", "folder to write or to compare with; - prints")
	flag.StringVar(&c.HarnessDir, "harness-dir", "", "folder of descriptors instead of the built-in ones")
	flag.BoolVar(&c.Check, "check", false, "compare only: exit 0 same, 1 differs (diff on stdout), 2 error")
	flag.Parse()
	status, err := c.Run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(status)
}
