// Package hal emits what the Runtime HAL knows of each harness: Go rows for the engine, and a JavaScript module with types
// that has the rows and the same engine in it.
//
// The rows come from the plan, resolved. What is done with them is hand-written: internal/sense in Go, runtime-js/hal in
// JavaScript; one file of vectors holds that both do the same.
package hal

import (
	"fmt"

	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
)

const source = "harnesses/*.yaml"

// Emit returns go/runtimes/*.go, hal/hal.mjs and hal/hal.d.mts.
func Emit(p *plan.Plan) ([]output.File, error) {
	files, err := goFiles(p)
	if err != nil {
		return nil, err
	}
	module, err := module(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", modulePath, err)
	}
	return append(files,
		output.File{Path: modulePath, Data: []byte(module)},
		output.File{Path: typesPath, Data: []byte(declarations(p))},
	), nil
}
