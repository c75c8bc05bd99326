// Package show prints what the Runtime HAL says: `lorimer hal detect`, `show`, `startup` and `matrix`.
package show

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/lorimer-dev/lorimer/internal/ancestry"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
	"github.com/lorimer-dev/lorimer/internal/sense"
)

// Command is one command line. Nothing in it fails because of a runtime that is not known.
type Command struct {
	Rows      []*harness.Runtime
	Runtime   string // --runtime
	Version   string // --runtime-version
	Ancestors string // --ancestors: a file with a process tree, instead of the system's
	JSON      bool
	Stdout    io.Writer
	Stderr    io.Writer // warnings
}

// HAL returns the HAL that the command line asks. The error says that the file of --ancestors cannot be used.
func (c *Command) HAL() (*sense.HAL, error) {
	o := sense.Options{Rows: c.Rows, Runtime: c.Runtime, Version: c.Version}
	if c.Ancestors != "" {
		list, err := recorded(c.Ancestors)
		if err != nil {
			return nil, fmt.Errorf("--ancestors %s: %w", c.Ancestors, err)
		}
		o.Ancestors = func() ([]ancestry.Process, error) {
			if list == nil {
				return nil, errors.New("the file says so")
			}
			return list, nil
		}
	}
	return sense.New(o), nil
}

// recorded reads a process tree; nil for one that cannot be read.
func recorded(path string) (list []ancestry.Process, err error) {
	src, err := plainfile.Read(path, 1<<20)
	if err == nil {
		err = json.Unmarshal(src, &list)
	}
	return list, err
}

func (c *Command) warn(list []string) {
	for _, w := range list {
		fmt.Fprintln(c.Stderr, "lorimer:", printable(w))
	}
}

func (c *Command) json(v any) error {
	enc := json.NewEncoder(c.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// printable keeps what processes call themselves from steering a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}, text)
}

// joined says what a list holds, or that it holds nothing.
func joined(list []string, none string) string {
	if len(list) == 0 {
		return none
	}
	return strings.Join(list, ", ")
}
