package gen

import (
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/harnesses"
)

// Command is what `lorimer generate` and `lorimer-gen` do.
type Command struct {
	Out        string // folder to write or to compare with; "-" prints
	HarnessDir string // descriptors; empty = the built-in ones
	Check      bool   // compare only
	Stdout     io.Writer
}

// Exit statuses of Run.
const (
	Same   = 0 // written, printed, or the same
	Differ = 1 // Check found differences; the diff is on Stdout
	Failed = 2 // error
)

// Run generates and then writes, prints or compares. It returns one of Same, Differ and Failed; an error goes with Failed.
func (c Command) Run() (int, error) {
	fsys, dir := c.source()
	set, err := Files(fsys, dir)
	if err != nil {
		return Failed, err
	}
	switch {
	case c.Check:
		return c.check(set)
	case c.Out == "-":
		err = set.Print(c.Stdout)
	default:
		err = set.Write(c.Out)
	}
	if err != nil {
		return Failed, err
	}
	return Same, nil
}

func (c Command) source() (fs.FS, string) {
	if c.HarnessDir == "" {
		return harnesses.FS, "harnesses"
	}
	return os.DirFS(c.HarnessDir), c.HarnessDir
}

func (c Command) check(set *output.Set) (int, error) {
	diff, err := set.Diff(c.Out)
	if err != nil {
		return Failed, err
	}
	if len(diff) == 0 {
		return Same, nil
	}
	if _, err := c.Stdout.Write(diff); err != nil {
		return Failed, fmt.Errorf("print the diff: %w", err)
	}
	return Differ, nil
}
