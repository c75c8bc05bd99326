// Package validate is `lorimer validate`: what is wrong with descriptors and with lorimer.yaml files, for people and for
// programs.
//
// It knows no descriptor: whoever calls it hands in the function that reads them, because engines know nothing of the
// generator.
package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Command is one call.
type Command struct {
	Files       []string // descriptors, and files called lorimer.yaml; none: the built-in descriptors
	JSON        bool     // an array of faults instead of lines
	IDs         []string // of the harnesses that a lorimer.yaml may name
	Descriptors func(files []string) (faults error, n int, err error)
	Stdout      io.Writer
}

// Fault is one fault as programs read it. Line and col count from 1 and are 0 where the file as a whole is meant; expected and
// hint may be empty. Message is all of it as people read it.
type Fault struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Col      int    `json:"col"`
	What     string `json:"what"`
	Expected string `json:"expected"`
	Hint     string `json:"hint"`
	Message  string `json:"message"`
}

// Run says what is wrong and returns whether anything is. The error is that of a file that cannot be read.
func (c Command) Run() (faulty bool, err error) {
	var descriptors, configs []string
	for _, f := range c.Files {
		if filepath.Base(f) == config.FileName {
			configs = append(configs, f)
		} else {
			descriptors = append(descriptors, f)
		}
	}
	all, err := c.configs(configs)
	if err != nil {
		return false, err
	}
	n := 0
	if len(descriptors) > 0 || len(configs) == 0 {
		faults, read, err := c.Descriptors(descriptors)
		if err != nil {
			return false, err
		}
		n, all = read, append(all, faultsOf(faults)...)
	}
	return len(all) > 0, c.print(all, n, len(configs))
}

// configs reads files that say what a clone's hooks are.
func (c Command) configs(files []string) (all strictyaml.Faults, err error) {
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", config.FileName, err)
		}
		_, err = config.Load(filepath.ToSlash(f), src, c.IDs)
		all = append(all, faultsOf(err)...)
	}
	return all, nil
}

// faultsOf takes an error apart: the faults in it, and what is none as a fault of no file.
func faultsOf(err error) (all strictyaml.Faults) {
	var faults strictyaml.Faults
	var many interface{ Unwrap() []error }
	switch {
	case err == nil:
		return nil
	case errors.As(err, &many):
		for _, e := range many.Unwrap() {
			all = append(all, faultsOf(e)...)
		}
		return all
	case errors.As(err, &faults):
		return faults
	}
	return strictyaml.Faults{{File: "generate", What: err.Error()}}
}

func (c Command) print(all strictyaml.Faults, descriptors, configs int) error {
	if c.JSON {
		return c.printJSON(all)
	}
	if len(all) > 0 {
		_, err := fmt.Fprintln(c.Stdout, all.Error())
		return err
	}
	if descriptors > 0 {
		fmt.Fprintf(c.Stdout, "%d descriptors, no fault\n", descriptors)
	}
	if configs > 0 {
		fmt.Fprintf(c.Stdout, "%d %s, no fault\n", configs, config.FileName)
	}
	return nil
}

func (c Command) printJSON(all strictyaml.Faults) error {
	list := make([]Fault, 0, len(all))
	for _, f := range all {
		list = append(list, Fault{f.File, f.Line, f.Col, f.What, f.Expected, f.Hint, f.String()})
	}
	enc := json.NewEncoder(c.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}
