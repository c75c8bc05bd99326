package stub

import (
	"strings"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/hookconf"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/gen/shim"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// fields collects the members of a struct literal, one a line; what is empty is left out.
type fields []jen.Code

func (f *fields) add(name string, value jen.Code) {
	if value != nil {
		*f = append(*f, jen.Line().Id(name).Op(":").Add(value))
	}
}

// end closes the literal on a line of its own.
func (f fields) end() []jen.Code { return append(f, jen.Line()) }

func row(h *plan.Harness) []jen.Code {
	var f fields
	f.add("Protocol", jen.Qual(library, "Protocol1"))
	f.add("ID", jen.Lit(h.ID.Text))
	f.add("Name", jen.Lit(h.Name.Text))
	f.add("Kind", jen.Qual(library, kindName(h.Kind)))
	f.add("Certified", certified(h.Certified))
	f.add("Found", found(h.Detect))
	f.add("Shim", shimRow(h))
	f.add("Hooks", hooksRow(h))
	f.add("Polarity", polarity(h.Polarity))
	f.add("Trust", trust(h.Trust))
	if h.Trust != nil && h.Trust.User {
		f.add("TrustUser", jen.True())
	}
	f.add("TrustSeen", trustSeen(h.Trust))
	f.add("TrustAsk", trustAsk(h.Trust))
	f.add("Events", events(h.Bindings))
	f.add("Dirs", dirs(h.Dirs()))
	f.add("Patches", patches(h.Patches()))
	if len(h.AlsoReads) > 0 {
		f.add("Reads", stringList(pathTexts(h.AlsoReads)))
	}
	if len(h.Same) > 0 {
		var paths []string
		for _, p := range h.Same {
			paths = append(paths, p.Text)
		}
		f.add("Same", stringList(paths))
	}
	if len(h.Speaker) > 0 {
		f.add("Speaks", jen.Id(local(h, "Speaks")))
	}
	if hasWhere(h) {
		f.add("Means", jen.Id(local(h, "Means")))
	}
	if normalizes(h) {
		f.add("Normalize", jen.Id(local(h, "Normalize")))
	}
	if named(h) {
		f.add("Names", jen.Id(local(h, "Names")))
	}
	if restores(h) {
		f.add("Restore", jen.Id(local(h, "Restore")))
	}
	if h.Kind == harness.External {
		f.add("Answer", jen.Id(local(h, "Answer")))
	}
	return f.end()
}

// local is the name of one of a harness's own functions: claudeAnswer.
func local(h *plan.Harness, what string) string {
	return strings.ToLower(h.GoName[:1]) + h.GoName[1:] + what
}

func dirs(all []harness.Dir) jen.Code {
	if len(all) == 0 {
		return nil
	}
	return jen.Index().Qual(library, "Dir").ValuesFunc(func(g *jen.Group) {
		for _, d := range all {
			g.Values(jen.Dict{jen.Id("Tool"): jen.Lit(d.Tool), jen.Id("From"): jen.Lit(d.From)})
		}
	})
}

func patches(all []harness.Patch) jen.Code {
	if len(all) == 0 {
		return nil
	}
	return jen.Index().Qual(library, "Patch").ValuesFunc(func(g *jen.Group) {
		for _, p := range all {
			var f fields
			f.add("Tool", jen.Lit(p.Tool))
			f.add("From", jen.Lit(p.From))
			f.add("Paths", text(p.Paths))
			f.add("As", text(p.As))
			f.add("Adds", text(p.Adds))
			f.add("Line", text(p.Line))
			g.Values(f.end()...)
		}
	})
}

// text is a string literal; nil of an empty one.
func text(s string) jen.Code {
	if s == "" {
		return nil
	}
	return jen.Lit(s)
}

func kindName(k harness.Kind) string {
	switch k {
	case harness.Generative:
		return "Generative"
	case harness.External:
		return "External"
	}
	return "Bare"
}

// certified is the newest of the versions, which stand in the order of their proofs.
func certified(all []descriptor.Certified) jen.Code {
	if len(all) == 0 {
		return nil
	}
	return jen.Lit(all[len(all)-1].Version.Text)
}

func found(d *descriptor.Detect) jen.Code {
	if d == nil {
		return nil
	}
	var exes, files []string
	for _, p := range d.Process {
		if p.Exe.Set() {
			exes = append(exes, p.Exe.Text)
		}
	}
	for _, p := range d.Files {
		files = append(files, p.Text)
	}
	return jen.Qual(library, "Found").Values(jen.Dict{jen.Id("Exe"): stringList(exes), jen.Id("Files"): stringList(files)})
}

func trust(t *descriptor.Trust) jen.Code {
	if t == nil || t.None {
		return nil
	}
	return jen.Lit(t.Do.Text)
}

func polarity(p *descriptor.Polarity) jen.Code {
	if p == nil {
		return nil
	}
	blocks := func(s descriptor.Str) jen.Code { return jen.Lit(s.Text == "block") }
	return jen.Op("&").Qual(library, "Polarity").Values(jen.Dict{
		jen.Id("Exit1"): blocks(p.Exit1), jen.Id("ExitOther"): blocks(p.ExitOther),
		jen.Id("Missing"): blocks(p.Missing), jen.Id("Timeout"): blocks(p.Timeout),
	})
}

func shimRow(h *plan.Harness) jen.Code {
	if h.Shim == nil {
		return nil
	}
	var f fields
	f.add("Artifact", jen.Lit(shim.Artifact(h.ID.Text)))
	f.add("Project", jen.Lit(h.Shim.File.Project.Text))
	f.add("User", path(h.Shim.File.User))
	f.add("Companions", companions(h.Companions))
	return jen.Op("&").Qual(library, "Shim").Values(f.end()...)
}

func companions(list []descriptor.Companion) jen.Code {
	if len(list) == 0 {
		return nil
	}
	var rows []jen.Code
	for _, c := range list {
		var f fields
		f.add("Path", jen.Lit(c.Path.Text))
		f.add("Content", jen.Lit(c.Content.Text))
		f.add("Why", jen.Lit(c.Why.Text))
		if len(c.Unless) > 0 {
			f.add("Unless", stringList(texts(c.Unless)))
		}
		rows = append(rows, jen.Line().Values(f.end()...))
	}
	return jen.Index().Qual(library, "Companion").Values(append(rows, jen.Line())...)
}

func hooksRow(h *plan.Harness) jen.Code {
	if h.Hooks == nil {
		return nil
	}
	var f fields
	f.add("Artifact", jen.Lit(hookconf.Artifact(h.ID.Text, false)))
	f.add("FailClosed", jen.Lit(hookconf.Artifact(h.ID.Text, true)))
	if len(h.Hooks.FailClosed.Object) > 0 {
		f.add("HostFailsClosed", jen.True())
	}
	f.add("Local", path(h.Hooks.Files.Local))
	f.add("Shared", path(h.Hooks.Files.Shared))
	f.add("User", path(h.Hooks.Files.User))
	f.add("Managed", managedRow(h.Hooks.Files.Managed))
	var at, env []string
	for _, k := range h.Hooks.At {
		at = append(at, k.Text)
	}
	for _, v := range h.Hooks.ProjectEnv {
		env = append(env, v.Text)
	}
	if len(h.Hooks.Root.Object) > 0 {
		f.add("Root", literal(plan.JSON(h.Hooks.Root, "")))
	}
	f.add("At", stringList(at))
	if h.Hooks.Scope.Text == "user" {
		f.add("UserFirst", jen.True())
	}
	if h.Hooks.Linked.Text == "main" {
		f.add("LinkedMain", jen.True())
	}
	f.add("Quote", jen.Qual(library, quoteName(h.Hooks.Quote.Text)))
	f.add("ProjectEnv", stringList(env))
	if h.Hooks.RestartToApply {
		f.add("RestartToApply", jen.True())
	}
	if h.Payload != nil && h.Payload.Native {
		f.add("Native", jen.True())
	}
	f.add("Version", versionRow(h.Hooks.Version))
	f.add("StopCap", stopCapRow(h.Hooks.StopCap))
	f.add("Switches", switchRows(h.Hooks.Switches))
	return jen.Op("&").Qual(library, "Hooks").Values(f.end()...)
}

func switchRows(list []descriptor.Switch) jen.Code {
	if len(list) == 0 {
		return nil
	}
	var rows []jen.Code
	for _, s := range list {
		var f fields
		f.add("File", jen.Lit(s.File.Text))
		f.add("Key", jen.Lit(s.Key.Text))
		if s.Off {
			f.add("Off", jen.True())
		}
		rows = append(rows, jen.Line().Values(f.end()...))
	}
	return jen.Index().Qual(library, "Switch").Values(append(rows, jen.Line())...)
}

func managedRow(m *descriptor.ManagedFile) jen.Code {
	if m == nil {
		return nil
	}
	return textsRow("Managed", [][2]string{{"Linux", m.Linux.Text}, {"Darwin", m.Darwin.Text}, {"Windows", m.Windows.Text}})
}

func versionRow(v *descriptor.VersionIn) jen.Code {
	if v == nil {
		return nil
	}
	return textsRow("VersionIn", [][2]string{{"Env", v.Env.Text}, {"Key", v.Key.Text}, {"Match", v.Match.Text}})
}

// textsRow is a struct of texts, without those that are empty: name and text of each.
func textsRow(of string, texts [][2]string) jen.Code {
	var f fields
	for _, x := range texts {
		if x[1] != "" {
			f.add(x[0], jen.Lit(x[1]))
		}
	}
	return jen.Op("&").Qual(library, of).Values(f.end()...)
}

func stopCapRow(c *descriptor.StopCap) jen.Code {
	if c == nil {
		return nil
	}
	var f fields
	f.add("Stops", jen.Lit(c.Stops.N))
	if c.Env.Set() {
		f.add("Env", jen.Lit(c.Env.Text))
	}
	return jen.Op("&").Qual(library, "StopCap").Values(f.end()...)
}

func quoteName(q string) string {
	if q == string(harness.QuoteShell) {
		return "QuoteShell"
	}
	return "QuoteNone"
}

// path writes a path, a user's one without its "~/"; nil when there is none.
func path(p descriptor.FilePath) jen.Code {
	if !p.Set() {
		return nil
	}
	return jen.Lit(strings.TrimPrefix(p.Text, "~/"))
}

func pathTexts(list []descriptor.FilePath) (out []string) {
	for _, p := range list {
		out = append(out, p.Text)
	}
	return out
}

func events(bindings []harness.Binding) jen.Code {
	if len(bindings) == 0 {
		return nil
	}
	return jen.Index().Qual(library, "Binding").ValuesFunc(func(g *jen.Group) {
		for _, b := range bindings {
			members := []jen.Code{jen.Id("Event").Op(":").Qual(library, string(b.Event)), jen.Id("Host").Op(":").Lit(b.Host)}
			if len(b.Can) > 0 {
				members = append(members, jen.Id("Can").Op(":").Add(effectList(b.Can)))
			}
			if b.Limit > 0 {
				members = append(members, jen.Id("Limit").Op(":").Add(duration(b.Limit)))
			}
			if len(b.Others) > 0 {
				members = append(members, jen.Id("Others").Op(":").Add(stringList(b.Others)))
			}
			if len(b.Turns) > 0 {
				members = append(members, jen.Id("Turns").Op(":").Add(eventList(b.Turns)))
			}
			if b.Later != "" {
				members = append(members, jen.Id("Later").Op(":").Qual(library, string(b.Later)))
			}
			if len(b.Brings) > 0 {
				members = append(members, jen.Id("Brings").Op(":").Add(eventList(b.Brings)))
			}
			g.Line().Values(members...)
		}
		g.Line()
	})
}

func eventList(events []harness.Event) jen.Code {
	return jen.Index().Qual(library, "Event").ValuesFunc(func(g *jen.Group) {
		for _, e := range events {
			g.Qual(library, string(e))
		}
	})
}

func effectList(effects []harness.Effect) jen.Code {
	return jen.Index().Qual(library, "Effect").ValuesFunc(func(g *jen.Group) {
		for _, e := range effects {
			g.Qual(library, effectName(e))
		}
	})
}

// effectName is the Go constant of an effect: rewrite_input is RewriteInput.
func effectName(e harness.Effect) string {
	var b strings.Builder
	for _, word := range strings.Split(string(e), "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

func duration(d time.Duration) jen.Code {
	if d%time.Second == 0 {
		return jen.Lit(int(d/time.Second)).Op("*").Qual("time", "Second")
	}
	return jen.Lit(int(d/time.Millisecond)).Op("*").Qual("time", "Millisecond")
}

func stringList(items []string) jen.Code {
	if len(items) == 0 {
		return jen.Nil()
	}
	return jen.Index().String().ValuesFunc(func(g *jen.Group) {
		for _, s := range items {
			g.Lit(s)
		}
	})
}
