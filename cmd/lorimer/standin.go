package main

import (
	"context"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/conform"
	"github.com/lorimer-dev/lorimer/internal/dispatch"
	"github.com/lorimer-dev/lorimer/internal/gate/prove"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
)

// A harness that is not built in is unknown to the dispatcher beside lorimer. For it lorimer itself is linked under the
// dispatcher's name, and serves events with the rows of a file beside those of the table.
const rowsVariable = "LORIMER_CONFORM_ROWS"

// otherFace runs what lorimer is when it is not the command line: a handler of conform's, the server of a proof, or the dispatcher. It returns false
// when it is none of them.
func otherFace(argv []string) (status int, ok bool) {
	name := strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	switch rows := os.Getenv(rowsVariable); {
	case len(argv) > 1 && argv[1] == handlerWord:
		return conform.Handle(argv[2:], os.Stdin, os.Stdout, os.Stderr), true
	case len(argv) > 1 && argv[1] == demoServerWord:
		return served(), true
	case name == materialize.DispatcherName && rows != "":
		return dispatched(argv[1:], rows), true
	}
	return 0, false
}

// served is the MCP server of a proof.
func served() int {
	if err := prove.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitError
	}
	return exitOK
}

func dispatched(args []string, file string) int {
	rows, err := readRows(file)
	if err != nil {
		fmt.Fprintf(os.Stderr, "lorimer: %s: %v\n", file, err)
		return 0
	}
	reply := dispatch.Run(context.Background(), dispatch.Options{Args: args, Stdin: os.Stdin, Table: merged(rows), Version: "unbuilt"})
	os.Stdout.WriteString(reply.Stdout)
	os.Stderr.WriteString(reply.Stderr)
	return reply.Exit
}

// unbuilt makes conform prove the descriptors of a folder. The function that it returns removes what was written for it.
func unbuilt(c *conform.Config, dir string, ids []string) (remove func(), err error) {
	out, err := os.MkdirTemp("", "lorimer-conform")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(out)
		}
	}()
	rows, err := unbuiltRows(dir, filepath.Join(out, "golden"), ids)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(out, "rows")
	if err := writeRows(file, rows); err != nil {
		return nil, err
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c.Table, c.Golden = merged(rows), os.DirFS(filepath.Join(out, "golden"))
	c.Dispatcher, c.Env = exe, append(c.Env, rowsVariable+"="+file)
	return func() { os.RemoveAll(out) }, nil
}

// merged puts rows in the place of the table's with the same ids, or behind them.
func merged(rows []*harness.Harness) []*harness.Harness {
	all := append([]*harness.Harness(nil), table.All...)
next:
	for _, r := range rows {
		for i := range all {
			if all[i].ID == r.ID {
				all[i] = r
				continue next
			}
		}
		all = append(all, r)
	}
	return all
}

func writeRows(file string, rows []*harness.Harness) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return gob.NewEncoder(f).Encode(rows)
}

func readRows(file string) (rows []*harness.Harness, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return rows, gob.NewDecoder(f).Decode(&rows)
}
