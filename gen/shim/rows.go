package shim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// body writes a handler's rows, one after the other, over one session.
func (g *gluer) body(h plan.Handler) {
	if slices.ContainsFunc(h.Rows, needsSession) {
		g.enter(h)
	}
	for _, r := range h.Rows {
		g.row(r, len(h.Rows) > 1)
	}
	for _, r := range h.Rows {
		if r.Otherwise.Set() {
			g.line("%s", statement(r.Otherwise.Text))
		}
	}
}

func needsSession(r descriptor.GenerativeRow) bool {
	if r.Each.Set() {
		return false // it brings its own
	}
	return r.Event.Set() || r.Deliver != nil || r.Open || r.Close ||
		uses(r.Do.Uses(), "session") || uses(r.When.Uses(), "session")
}

// enter finds the session. A host whose objects have gone stale throws here: that is said, and the session is one without a
// name, so that gates hold all the same.
func (g *gluer) enter(h plan.Handler) {
	args := h.Channel.RowScope()
	parent, _ := g.h.Shim.Session.Parent.Get(h.Via)
	for _, r := range h.Rows {
		if r.Parent.Set() {
			args = append(args, r.Parent.Text)
			break
		}
	}
	await := ""
	if asyncFor(parent) != "" {
		await = "await "
	}
	g.line("const session = %srt.enter(() => %s(%s));", await, sessionOf(h.Via), strings.Join(args, ", "))
}

// row writes one row; one for many sessions is written once and done for each.
func (g *gluer) row(r descriptor.GenerativeRow, several bool) {
	if !r.Each.Set() {
		g.conditional(r, several)
		return
	}
	g.block(fmt.Sprintf("await rt.each(() => %s, async (session) => {", bodyOf(r.Each.Text)), "});", func() { g.conditional(r, false) })
}

// conditional writes a row inside its condition; one of several has a scope of its own.
func (g *gluer) conditional(r descriptor.GenerativeRow, several bool) {
	steps := func() { g.steps(r) }
	switch {
	case r.When.Set():
		g.block(fmt.Sprintf("if (rt.holds(() => %s)) {", bodyOf(r.When.Text)), "}", steps)
	case several && (usesVerdict(r) || r.Deliver != nil):
		g.block("{", "}", steps)
	default:
		steps()
	}
}

// aside writes what a row does beside its event. A host that hands in something strange must not lose the gate by it. It is
// waited for only when it waits itself: some hosts have to be answered before anything is waited for.
func (g *gluer) aside(do string) {
	open := "rt.quiet(() => {"
	if awaits.Re().MatchString(do) {
		open = "await rt.quiet(async () => {"
	}
	if text := statement(do); !strings.Contains(text, "\n") {
		g.line("%s", open+" "+text+" });")
	} else {
		g.block(open, "});", func() { g.line("%s", text) })
	}
}

var awaits = lazyre.Pattern{Expr: `\bawait\b`}

func (g *gluer) steps(r descriptor.GenerativeRow) {
	if r.Do.Set() {
		g.aside(r.Do.Text)
	}
	if r.Open {
		g.line("rt.open(session);")
	}
	if r.After.Set() {
		g.line("await rt.after(session, %s);", harness.Quoted(r.After.Text))
	}
	if r.Event.Set() {
		g.dispatch(r)
	}
	if r.Deliver != nil {
		g.deliver(r.Deliver)
	}
	if r.Close {
		g.line("rt.close(session);")
		g.unguard(g.h.Shim.Module.Once)
	}
}

// dispatch writes the call of the runtime and what becomes of its verdict.
func (g *gluer) dispatch(r descriptor.GenerativeRow) {
	call := "await rt.event"
	if r.Form.Text == "sync" {
		call = "rt.eventSync"
	}
	head := fmt.Sprintf("%s(%s, session, () => (", call, harness.Quoted(r.Event.Text))
	if !usesVerdict(r) {
		g.line("%s%s));", head, objectAfter(head, fields(r)))
		return
	}
	head = "const verdict = " + head
	g.line("%s%s));", head, objectAfter(head, fields(r)))
	g.outcome(r)
}

func usesVerdict(r descriptor.GenerativeRow) bool {
	return r.Blocked.Set() || r.Stop.Set() || r.Allow.Set() || r.Rewrite.Set() || r.Replace.Set() || r.Env.Set() || r.Context != nil
}

func (g *gluer) outcome(r descriptor.GenerativeRow) {
	if r.Replace.Set() {
		g.block(`if ("output" in verdict) {`, "}", func() {
			g.line("const { output } = verdict;")
			g.line("%s", statement(r.Replace.Text))
		})
	}
	if r.Stop.Set() {
		g.block("if (verdict.stop) {", "}", func() {
			g.line("const { reason } = verdict;")
			g.line("%s", statement(r.Stop.Text))
		})
	}
	if r.Blocked.Set() {
		g.block("if (verdict.blocked) {", "}", func() {
			g.line("const { reason } = verdict;")
			g.line("%s", statement(r.Blocked.Text))
		})
	}
	if r.Allow.Set() {
		g.block("if (verdict.allowed) {", "}", func() { g.line("%s", statement(r.Allow.Text)) })
	}
	if r.Rewrite.Set() {
		g.block("if (verdict.input) {", "}", func() {
			g.line("const { input } = verdict;")
			g.line("%s", statement(r.Rewrite.Text))
		})
	}
	if r.Env.Set() {
		g.block("if (verdict.env) {", "}", func() {
			g.line("const { env } = verdict;")
			g.line("%s", statement(r.Env.Text))
		})
	}
	switch c := r.Context; {
	case c == nil:
	case c.Hold.Set():
		g.line("rt.hold(%s, session, verdict.context%s);", harness.Quoted(c.Hold.Text), arguments(c.Key.Text))
	default:
		g.block("if (verdict.context) {", "}", func() {
			g.line("const { context } = verdict;")
			g.line("%s", statement(c.Do.Text))
		})
	}
}

func (g *gluer) deliver(d *descriptor.Deliver) {
	g.line("const context = rt.take(%s, session%s);", harness.Quoted(d.Slot.Text), arguments(d.Key.Text, keepArgument(d.Keep)))
	g.block("if (context) {", "}", func() { g.line("%s", statement(d.With.Text)) })
}

func keepArgument(keep bool) string {
	if keep {
		return "true"
	}
	return ""
}

// arguments continues a call's list, as far as one of the rest is given.
func arguments(rest ...string) (out string) {
	for len(rest) > 0 && rest[len(rest)-1] == "" {
		rest = rest[:len(rest)-1]
	}
	for _, a := range rest {
		if a == "" {
			a = "undefined"
		}
		out += ", " + a
	}
	return out
}

// fields are the event's keys in contract order, then the tool call.
func fields(r descriptor.GenerativeRow) (out []pair) {
	for _, k := range keysOf(r) {
		if e, ok := r.Fields.Get(k); ok {
			out = append(out, pair{k, e.Text})
		}
	}
	if t := r.Tool; t != nil {
		call := []pair{{"name", t.Name.Text}, {"use_id", t.UseID.Text}, {"input", t.Input.Text}, {"response", t.Response.Text}}
		call = slices.DeleteFunc(call, func(p pair) bool { return p.value == "" })
		out = append(out, pair{"tool", object(call)})
	}
	return out
}

// keysOf are the keys that the row's event may fill, in contract order: those of every event first.
func keysOf(r descriptor.GenerativeRow) []string {
	return append(slices.Clone(descriptor.BaseKeys), descriptor.EventKeys[harness.Event(r.Event.Text)]...)
}

// statement ends a one-line snippet with a semicolon where it has none; a | block is taken as it was written.
func statement(text string) string {
	text = strings.TrimRight(text, "\n ")
	if strings.Contains(text, "\n") || strings.HasSuffix(text, ";") || strings.HasSuffix(text, "}") && compound.Re().MatchString(text) {
		return text
	}
	return text + ";"
}

var compound = lazyre.Pattern{Expr: `^(?:if|for|while|try|switch|\{)\b?`}
