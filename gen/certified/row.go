package certified

import (
	"path"
	"strings"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// row is the runtime and the contract section.
func row(h *plan.Harness) harness.Certified {
	r := h.Runtime
	c := harness.Certified{
		Protocol: harness.Protocol, ID: h.ID.Text, Name: h.Name.Text, Binary: executable(h),
		Proofs: proofs(h.Certified),
		NPM:    plan.Table(r.Install.NPM, version), System: plan.Table(r.Install.System, version),
		Path: bySystem(r.Install.Binary), With: bySystem(r.Install.With),
		VersionArgv: plan.Texts(r.Version.Argv), Stderr: r.Version.Stream.Text == "stderr", Pattern: r.Version.Pattern.Text,
		Isolate: plan.Table(r.Isolate, template), Env: plan.Table(r.Env, template), Unset: plan.Texts(r.Unset),
		Agent: strings.TrimPrefix(r.Agent.Text, "~/"), Leaks: paths(r.Leaks),
		Contract: contract(h.Contract),
	}
	if len(r.Install.NPM) > 0 {
		c.Package, c.Version = r.Install.NPM[0].Key, r.Install.NPM[0].Value.Text
	}
	if s := r.Strict; s != nil && !s.None {
		c.Strict = &harness.Strict{Flag: s.Flag.Text, Note: s.Note.Text}
	}
	return c
}

// executable is the name that the host's process has, or that of its script.
func executable(h *plan.Harness) string {
	if h.Detect != nil {
		for _, p := range h.Detect.Process {
			if p.Exe.Set() {
				return p.Exe.Text
			}
		}
	}
	return h.ID.Text
}

func proofs(list []descriptor.Certified) (all []harness.Proof) {
	for _, c := range list {
		p := harness.Proof{
			Package: c.Package.Text, Version: c.Version.Text, Date: c.Date.Text, Evidence: c.Evidence.Text,
			Gone: c.Available != nil && !*c.Available,
		}
		for _, n := range c.Needs {
			if p.Needs == nil {
				p.Needs = map[string]string{}
			}
			p.Needs[n.Key] = n.Value.Text
		}
		all = append(all, p)
	}
	return all
}

func version(v descriptor.Version) string { return v.Text }

func template(t descriptor.Template) string { return t.Text }

func bySystem(p descriptor.PerOS) map[string]string {
	all := map[string]string{}
	if p.Default.Text != "" {
		all[""] = path.Clean(p.Default.Text)
	}
	for _, e := range p.OS {
		all[e.Key] = path.Clean(e.Value.Text)
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

func paths(list []descriptor.FilePath) (all []string) {
	for _, p := range list {
		all = append(all, p.Text)
	}
	return all
}

func contract(c *descriptor.Contract) *harness.Contract {
	if c == nil {
		return nil
	}
	out := &harness.Contract{
		Types: c.Types.Default.Text, Events: plan.Texts(c.Events), NoEvents: plan.Texts(c.NoEvents),
		Isolated: paths(c.Isolated), NotIsolated: paths(c.NotIsolated),
	}
	if d := c.Denial; d != nil {
		out.Denial = &harness.Denial{Event: d.Event.Text, Where: plan.Predicates(d.Where), Reads: d.Reads.Text}
		if !d.Input.Pos.IsZero() {
			out.Denial.Input = plan.JSON(d.Input, "")
		}
		for _, a := range d.Argv {
			out.Denial.Argv = append(out.Denial.Argv, a.Text)
		}
	}
	return out
}
