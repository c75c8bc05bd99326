package gen

import (
	"errors"
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
	Repo       string // root of the repository, for what stands beside the output folder; empty: leave that alone
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
	others := &output.Set{}
	if c.Repo != "" {
		if others, err = Beside(fsys, dir); err != nil {
			return Failed, err
		}
	}
	switch {
	case c.Check:
		return c.check(set, others)
	case c.Out == "-":
		err = set.Print(c.Stdout)
	default:
		err = errors.Join(set.Write(c.Out), others.WriteOwn(c.Repo))
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

func (c Command) check(set, others *output.Set) (int, error) {
	diff, err := set.Diff(c.Out)
	if err != nil {
		return Failed, err
	}
	more, err := others.DiffOwn(c.Repo)
	if err != nil {
		return Failed, err
	}
	diff = append(diff, more...)
	if len(diff) == 0 {
		return Same, nil
	}
	if _, err := c.Stdout.Write(diff); err != nil {
		return Failed, fmt.Errorf("print the diff: %w", err)
	}
	return Differ, nil
}
