package shim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// gluer writes the part of one shim that the descriptor's rows make.
type gluer struct {
	writer
	h *plan.Harness
}

// glue returns the module's entry point: helpers, the runtime with its host bindings, one handler for each host event.
func glue(h *plan.Harness) string {
	g := &gluer{h: h}
	m := h.Shim.Module
	g.block(entryPoint(m)+"("+params(m.Params)+") => {", "};", func() {
		g.guard(m.Once)
		g.defines()
		g.runtime()
		g.start()
		g.sessions()
		g.handlerTables()
		for _, handler := range h.Handlers {
			g.blank()
			g.handler(handler)
		}
		g.returnHooks()
	})
	return g.b.String()
}

func entryPoint(m descriptor.Module) string {
	async := ""
	if m.Async {
		async = "async "
	}
	if m.Export.Text == "default" {
		return "export default " + async
	}
	return "export const " + m.Export.Text + " = " + async
}

func params(ps []descriptor.Param) string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = p.Text
	}
	return strings.Join(texts, ", ")
}

// guard lets a module that a host loads twice do its work once for each value of key.
func (g *gluer) guard(key descriptor.Expr) {
	if !key.Set() {
		return
	}
	g.line("// the host may load this file twice: the second time does nothing")
	g.line(`const loaded = (globalThis[Symbol.for("lorimer")] ??= new Set());`)
	g.line("if (loaded.has(%s)) return {};", key.Text)
	g.line("loaded.add(%s);", key.Text)
	g.blank()
}

// unguard lets the module work again where it has ended its work: a host may make its plugins anew in the same process.
func (g *gluer) unguard(key descriptor.Expr) {
	if key.Set() {
		g.line("loaded.delete(%s);", key.Text)
	}
}

func (g *gluer) defines() {
	d := g.h.Shim
	for _, e := range d.Define {
		g.comment(e.Comment)
		g.line("const %s = %s;", e.Key, e.Value.Text)
	}
	if len(d.Modes) > 0 {
		var tests []string
		for _, e := range d.Modes {
			tests = append(tests, fmt.Sprintf("%s ? %s", parenthesised(e.Value.Text), harness.Quoted(e.Key)))
		}
		g.line("const mode = %s : \"\";", strings.Join(tests, "\n  : "))
	}
	if g.rowsUse("cap") {
		g.line("const cap = CONFIG.max_continuations;")
	}
	if len(d.Define) > 0 || len(d.Modes) > 0 {
		g.blank()
	}
}

// rowsUse says whether any snippet of the rows takes the name from its surroundings.
func (g *gluer) rowsUse(name string) bool {
	return slices.ContainsFunc(g.h.Events.Generative, func(r descriptor.GenerativeRow) bool {
		return uses(r.Blocked.Uses(), name) || uses(r.When.Uses(), name) || uses(r.Do.Uses(), name)
	})
}

func uses(names []descriptor.Name, name string) bool {
	return slices.ContainsFunc(names, func(n descriptor.Name) bool { return n.Text == name })
}

// has says whether the host has the event, on whatever row.
func (g *gluer) has(event harness.Event) bool {
	return slices.ContainsFunc(g.h.Bindings, func(b harness.Binding) bool { return b.Event == event })
}

// runtime writes the call that makes rt: tables first, then the bindings to the host's own functions.
func (g *gluer) runtime() {
	host := g.h.Shim.Host
	bindings := []struct {
		name, params string
		expr         descriptor.Expr
	}{
		{"cwd", "session", host.Cwd},
		{"transcript", "session", host.Transcript},
		{"able", "session", host.Able},
		{"inject", "session, text", host.Inject},
		{"notify", "session, text", host.Notify},
		{"report", "line", host.Report},
		{"mcp_servers", "session", host.MCPServers},
	}
	g.block("const rt = createShim(CONFIG, {", "});", func() {
		g.line("tools: %s,", tools(g.h.Tools))
		if g.has(harness.PreToolUse) {
			g.line("sees_tools: true,")
		}
		g.line("limits: %s, // ms, inside the host's own", limits(g.h))
		for _, b := range bindings {
			if b.expr.Set() {
				g.comment(b.expr.Comment)
				g.line("%s: (%s) => %s,", b.name, b.params, bodyOf(b.expr.Text))
			}
		}
	})
}

// start writes what is done at once. That it fails must not keep the shim from loading: some hosts go on without one.
func (g *gluer) start() {
	if s := g.h.Shim.Start; s.Set() {
		g.blank()
		g.block("rt.quiet(() => {", "});", func() { g.line("%s", statement(s.Text)) })
	}
}

// handlerTables are what handlers are collected in, where the host takes an object of them.
func (g *gluer) handlerTables() {
	if !g.returnsHooks() {
		return
	}
	g.blank()
	g.line("const hooks = {};")
	if g.bus() != nil {
		g.line("const bus = {}; // by the type of event")
	}
}

// bodyOf keeps an arrow function's body an expression: an object literal would read as a block.
func bodyOf(expr string) string {
	if strings.HasPrefix(expr, "{") {
		return "(" + expr + ")"
	}
	return expr
}

// parenthesised keeps an operand together where it may hold a comma or a conditional.
func parenthesised(expr string) string {
	if identifier.Re().MatchString(expr) || strings.HasPrefix(expr, "(") && strings.HasSuffix(expr, ")") {
		return expr
	}
	return "(" + expr + ")"
}
