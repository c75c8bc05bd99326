package gen

import (
	"fmt"
	"io/fs"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/gen/shim"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Unbuilt generates the descriptors at the root of fsys into the folder out, and returns the rows of those harnesses that need
// no build: a generative one is data. (An external one has code of its own in the dispatcher.) dir is how the folder is named
// in errors.
func Unbuilt(fsys fs.FS, dir, out string) (rows []*harness.Harness, err error) {
	descriptors, err := descriptor.Load(fsys, dir)
	if err != nil {
		return nil, err
	}
	p, err := plan.Build(descriptors)
	if err != nil {
		return nil, err
	}
	set, err := emit(p)
	if err != nil {
		return nil, err
	}
	for _, h := range p.Harnesses {
		if h.Kind == harness.Generative {
			rows = append(rows, generativeRow(h))
		}
	}
	if err := set.Write(out); err != nil {
		return nil, fmt.Errorf("write what was generated: %w", err)
	}
	return rows, nil
}

// NeedBuild returns the ids of those descriptors at the root of fsys that no build knows by being written down: the payloads of
// these harnesses are read by code of the dispatcher.
func NeedBuild(fsys fs.FS, dir string) (ids []string, err error) {
	p, err := load(fsys, dir)
	if err != nil {
		return nil, err
	}
	for _, h := range p.Harnesses {
		if h.Kind == harness.External {
			ids = append(ids, h.ID.Text)
		}
	}
	return ids, nil
}

// generativeRow is the row that the stub emitter prints for a generative harness.
func generativeRow(h *plan.Harness) *harness.Harness {
	row := &harness.Harness{
		Protocol: harness.Protocol, ID: h.ID.Text, Name: h.Name.Text, Kind: h.Kind, Events: h.Bindings, Patches: h.Patches(), Dirs: h.Dirs(),
		Shim: &harness.Shim{Artifact: shim.Artifact(h.ID.Text), Project: h.Shim.File.Project.Text},
	}
	if user := h.Shim.File.User; user.Set() {
		row.Shim.User = user.Text[len("~/"):]
	}
	if n := len(h.Certified); n > 0 {
		row.Certified = h.Certified[n-1].Version.Text
	}
	for _, c := range h.Companions {
		row.Shim.Companions = append(row.Shim.Companions, companion(c))
	}
	if h.Trust != nil && !h.Trust.None {
		row.Trust, row.TrustSeen = h.Trust.Do.Text, plan.TrustSeen(h.Trust)
	}
	if h.Detect != nil {
		for _, p := range h.Detect.Process {
			if p.Exe.Set() {
				row.Found.Exe = append(row.Found.Exe, p.Exe.Text)
			}
		}
		for _, p := range h.Detect.Files {
			row.Found.Files = append(row.Found.Files, p.Text)
		}
	}
	return row
}

func companion(c descriptor.Companion) harness.Companion {
	out := harness.Companion{Path: c.Path.Text, Content: c.Content.Text, Why: c.Why.Text}
	for _, pattern := range c.Unless {
		out.Unless = append(out.Unless, pattern.Text)
	}
	return out
}
