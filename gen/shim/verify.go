package shim

import (
	"fmt"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/lorimer-dev/lorimer/gen/plan"
)

// verify parses a finished shim as a whole: glue that redeclares one of the runtime's names is an error here.
func verify(h *plan.Harness, text string) (faults []error) {
	r := api.Transform(text, api.TransformOptions{
		Loader: api.LoaderJS, Format: api.FormatESModule, Target: api.ES2022, Sourcefile: Artifact(h.ID.Text), LogLevel: api.LogLevelSilent,
	})
	for _, m := range r.Errors {
		faults = append(faults, fmt.Errorf("%s:%d:%d: %s\n\t%s", Artifact(h.ID.Text), m.Location.Line, m.Location.Column+1, m.Text, m.Location.LineText))
	}
	return faults
}
