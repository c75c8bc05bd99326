// Package gen turns descriptors into files: harnesses/*.yaml -> descriptor -> plan -> emitters -> output.Set.
//
// It is compile time. Nothing here runs when a hook fires, and nothing here reads what it once generated: a broken or
// empty golden/ breaks the programs that ship it, never the generator.
package gen

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/lorimer-dev/lorimer/gen/certified"
	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/driver"
	"github.com/lorimer-dev/lorimer/gen/fakehost"
	"github.com/lorimer-dev/lorimer/gen/gateconf"
	"github.com/lorimer-dev/lorimer/gen/hal"
	"github.com/lorimer-dev/lorimer/gen/hookconf"
	"github.com/lorimer-dev/lorimer/gen/index"
	"github.com/lorimer-dev/lorimer/gen/matrix"
	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/gen/reference"
	"github.com/lorimer-dev/lorimer/gen/schema"
	"github.com/lorimer-dev/lorimer/gen/shim"
	"github.com/lorimer-dev/lorimer/gen/stub"
)

// emitter is one kind of output. A new output is a row of the table below.
type emitter struct {
	name string
	emit func(*plan.Plan) ([]output.File, error)
}

var emitters = []emitter{
	{"shim", shim.Emit},           // <id>/lorimer.js of generative harnesses
	{"hookconf", hookconf.Emit},   // <id>/hooks*.json of external harnesses
	{"stub", stub.Emit},           // go/table/<id>.go, one row a harness
	{"driver", driver.Emit},       // go/driver/<id>.go: how the supervisor runs the harness
	{"certified", certified.Emit}, // go/certified/<id>.go: what is installed, and what must be true of it; <id>/probe.mjs
	{"fakehost", fakehost.Emit},   // <id>/fake.json and fake.mjs: the host as conform plays it
	{"gateconf", gateconf.Emit},   // <id>/gate.json: how features of the harness are locked
	{"hal", hal.Emit},             // go/runtimes/<id>.go and hal/: how a runtime is recognised, and what it can
	{"schema", schema.Emit},       // lorimer.schema.json: what an editor knows of lorimer.yaml
	{"index", index.Emit},         // embed.go and README.md of the output folder itself
}

// beside are outputs that stand elsewhere in the repository, because people and editors look for them there: paths from its
// root. Only lorimer-gen writes them.
var beside = []emitter{
	{"schema", schema.EmitDescriptor}, // harnesses/schema.json
	{"reference", reference.Emit},     // docs/descriptor.md
	{"matrix", matrix.Emit},           // docs/capabilities.md
}

// Files generates everything for the descriptors at the root of fsys. dir is how that folder is named in errors. The error
// joins the faults of all files and all emitters; with an error there are no files.
func Files(fsys fs.FS, dir string) (*output.Set, error) {
	p, err := load(fsys, dir)
	if err != nil {
		return nil, err
	}
	return emit(p)
}

// Beside generates what stands beside golden/, as Files does.
func Beside(fsys fs.FS, dir string) (*output.Set, error) {
	p, err := load(fsys, dir)
	if err != nil {
		return nil, err
	}
	return run(p, beside)
}

func load(fsys fs.FS, dir string) (*plan.Plan, error) {
	descriptors, err := descriptor.Load(fsys, dir)
	if err != nil {
		return nil, err
	}
	return plan.Build(descriptors)
}

func emit(p *plan.Plan) (*output.Set, error) { return run(p, emitters) }

func run(p *plan.Plan, emitters []emitter) (*output.Set, error) {
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
