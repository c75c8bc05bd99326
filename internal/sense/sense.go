// Package sense is the Runtime HAL: it finds out which coding agent we run in, once, and says what can be counted on there.
// Everybody else asks it, and nobody else looks at variables, files or the process table for that.
//
// What it knows of an agent are rows (harness.Runtime), generated from the descriptors. It reads and never writes, and it
// always answers: what cannot be seen is no answer of that step, and without any answer the runtime is unknown, for which
// everything has a working default. The same engine stands in runtime-js/hal; one file of vectors holds both.
package sense

import (
	"os"
	"sync"

	"github.com/lorimer-dev/lorimer/internal/ancestry"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Unknown is the runtime that nobody recognised.
const Unknown = "unknown"

// Options are what a HAL is made of. Only Rows must be set.
type Options struct {
	Rows []*harness.Runtime // in the order in which they are asked

	Runtime string // the runtime's id, as GT_RUNTIME; empty = find out
	Version string // the runtime's version, as it prints it; empty = unknown, which is taken for the newest

	Getenv    func(string) string                // nil = the process's own environment
	Dir       string                             // working directory; empty = the process's own
	Ancestors func() ([]ancestry.Process, error) // nil = the system's process table
}

// HAL answers. It is safe for use by many goroutines. The first question makes it look, and it never looks again.
type HAL struct {
	o    Options
	once sync.Once
	found
}

// found is what came of looking.
type found struct {
	detection Detection
	row       *harness.Runtime
	answers   Answers
}

// New returns a HAL that has not looked yet.
func New(o Options) *HAL {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	o.Getenv = unbroken(o.Getenv)
	if o.Ancestors == nil {
		o.Ancestors = ancestry.Read
	}
	return &HAL{o: o}
}

// unbroken makes of a panic a variable that is not set: the environment may be somebody's own function.
func unbroken(getenv func(string) string) func(string) string {
	return func(name string) (value string) {
		defer func() { _ = recover() }()
		return getenv(name)
	}
}

// Detection says which runtime it is, and how that was found out.
func (h *HAL) Detection() Detection { return h.look().detection }

// Answers says what can be counted on.
func (h *HAL) Answers() Answers { return h.look().answers }

func (h *HAL) look() *found {
	h.once.Do(func() {
		h.detection = (&cascade{Options: h.o}).run()
		h.row = h.o.rowOf(h.detection.Provider)
		h.answers = h.o.answer(h.row, &h.detection)
	})
	return &h.found
}

// rowOf returns the row with the id. There always is one: that of the unknown runtime may be left out.
func (o Options) rowOf(id string) *harness.Runtime {
	for _, r := range o.Rows {
		if r.ID == id {
			return r
		}
	}
	if id != Unknown {
		return o.rowOf(Unknown)
	}
	return &nothing
}

func (o Options) knows(id string) bool { return o.rowOf(id).ID == id }
