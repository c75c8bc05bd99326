package schema

import (
	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/schema"
)

// ConfigFile and DescriptorFile are the names of the two schemas: the first in golden/, the other beside the descriptors.
const (
	ConfigFile     = "lorimer.schema.json"
	DescriptorFile = "harnesses/schema.json"
)

// Emit returns the schema of lorimer.yaml, for the harnesses that hooks can be put into.
func Emit(p *plan.Plan) ([]output.File, error) {
	var ids []string
	for _, h := range p.Harnesses {
		if h.Kind != harness.Bare {
			ids = append(ids, h.ID.Text)
		}
	}
	s, err := Config(ids)
	return file(ConfigFile, s, err)
}

// EmitDescriptor returns the schema of descriptors. It is the same whatever the descriptors are.
func EmitDescriptor(*plan.Plan) ([]output.File, error) {
	s, err := Descriptor()
	return file(DescriptorFile, s, err)
}

func file(path string, s *schema.Schema, err error) ([]output.File, error) {
	if err != nil {
		return nil, err
	}
	data, err := s.Bytes()
	return []output.File{{Path: path, Data: data}}, err
}
