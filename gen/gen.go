// Package gen turns descriptors into files: harnesses/*.yaml -> descriptor -> plan -> emitters -> output.Set.
//
// It is compile time. Nothing here runs when a hook fires, and nothing here reads what it once generated: a broken or
// empty golden/ breaks the programs that ship it, never the generator.
package gen

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/driver"
	"github.com/lorimer-dev/lorimer/gen/fakehost"
	"github.com/lorimer-dev/lorimer/gen/hal"
	"github.com/lorimer-dev/lorimer/gen/hookconf"
	"github.com/lorimer-dev/lorimer/gen/index"
	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/gen/shim"
	"github.com/lorimer-dev/lorimer/gen/stub"
)

// emitter is one kind of output. A new output is a row of the table below.
type emitter struct {
	name string
	emit func(*plan.Plan) ([]output.File, error)
}

var emitters = []emitter{
	{"shim", shim.Emit},         // <id>/lorimer.js of generative harnesses
	{"hookconf", hookconf.Emit}, // <id>/hooks*.json of external harnesses
	{"stub", stub.Emit},         // go/table/<id>.go, one row a harness
	{"driver", driver.Emit},     // go/driver/<id>.go: how the supervisor runs the harness
	{"fakehost", fakehost.Emit}, // <id>/fake.json and fake.mjs: the host as conform plays it
	{"hal", hal.Emit},           // go/runtimes/<id>.go and hal/: how a runtime is recognised, and what it can
	{"index", index.Emit},       // embed.go and README.md of the output folder itself
}

// Files generates everything for the descriptors at the root of fsys. dir is how that folder is named in errors. The error
// joins the faults of all files and all emitters; with an error there are no files.
func Files(fsys fs.FS, dir string) (*output.Set, error) {
	descriptors, err := descriptor.Load(fsys, dir)
	if err != nil {
		return nil, err
	}
	p, err := plan.Build(descriptors)
	if err != nil {
		return nil, err
	}
	return emit(p)
}

func emit(p *plan.Plan) (*output.Set, error) {
	set, faults := &output.Set{}, []error(nil)
	for _, e := range emitters {
		files, err := e.emit(p)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", e.name, err))
			continue
		}
		if err := set.Add(files...); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", e.name, err))
		}
	}
	if faults != nil {
		return nil, errors.Join(faults...)
	}
	return set, nil
}
