// Command lorimer-dispatch serves one hook event of one harness: it runs the clone's handlers and gives the one verdict. It is
// what shims and hook configs start; people have no use for it.
//
//	lorimer-dispatch [--root DIR] [--fail-closed] HARNESS EVENT
//
// Exit code 2 is a verdict, and 0 is everything else. See internal/dispatch.
package main

import (
	"context"
	"os"

	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/dispatch"
)

// version is set when a release is built: -ldflags "-X main.version=1.2.3".
var version = "dev"

func main() {
	deepen(0)
	reply := dispatch.Run(context.Background(), dispatch.Options{
		Args: os.Args[1:], Stdin: os.Stdin, Table: table.All, Version: version,
	})
	write(os.Stdout, reply.Stdout)
	write(os.Stderr, reply.Stderr)
	os.Exit(reply.Exit)
}

// write leaves a stream alone that nothing is for.
func write(to *os.File, text string) {
	if text != "" {
		_, _ = to.WriteString(text)
	}
}
