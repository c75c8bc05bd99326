package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/gen"
	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize/fleet"
	rows "github.com/lorimer-dev/lorimer/internal/private"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// privateFlag lets a command of clones know descriptors of the user's own.
func privateFlag(cmd *cobra.Command, c *fleet.Command) {
	dir := cmd.Flags().String("harness-dir", "", "folder of descriptors of your own, beside the built-in ones")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, clones []string) (err error) {
		if *dir == "" {
			return run(cmd, clones)
		}
		home, err := state.Home()
		if err != nil {
			return err
		}
		remove, err := private(c, home, *dir)
		if err != nil {
			return err
		}
		defer remove()
		return run(cmd, clones)
	}
}

// private adds the descriptors of a folder to the harnesses that clones can be given, and tells the dispatcher of them. The
// function that it returns removes what was generated.
func private(c *fleet.Command, home, dir string) (remove func(), err error) {
	out, err := os.MkdirTemp("", "lorimer-private")
	if err != nil {
		return nil, err
	}
	mine, err := unbuiltRows(dir, out, c.Only)
	for _, h := range mine {
		if err == nil && c.Mode == fleet.Materialize && !c.DryRun {
			err = rows.Write(home, h)
		}
	}
	if err != nil {
		os.RemoveAll(out)
		return nil, err
	}
	c.Table, c.Golden = merged(mine), over{os.DirFS(out), golden.FS}
	return func() { os.RemoveAll(out) }, nil
}

// unbuiltRows generates the descriptors of a folder into out, and returns the rows of those that need no build. One of ids that
// needs one is an error, and so is a folder of such alone.
func unbuiltRows(dir, out string, ids []string) ([]*harness.Harness, error) {
	mine, err := gen.Unbuilt(os.DirFS(dir), dir, out)
	if err != nil {
		return nil, err
	}
	build, err := gen.NeedBuild(os.DirFS(dir), dir)
	if err != nil {
		return nil, err
	}
	wanted := slices.DeleteFunc(slices.Clone(build), func(id string) bool { return len(mine)+len(ids) > 0 && !slices.Contains(ids, id) })
	if len(wanted) == 0 {
		return mine, nil
	}
	return nil, fmt.Errorf("%s: its payloads are read by the dispatcher, so it has to be built in: put %s into harnesses/ of lorimer's sources, "+
		"`make generate build`, and use bin/lorimer with bin/lorimer-dispatch beside it", strings.Join(wanted, ", "), filepath.Join(dir, wanted[0]+".yaml"))
}

// over is a file system with another one below it.
type over struct{ top, below fs.FS }

// Open looks above first.
func (o over) Open(name string) (fs.File, error) {
	if f, err := o.top.Open(name); err == nil {
		return f, nil
	}
	return o.below.Open(name)
}
