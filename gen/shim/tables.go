package shim

import (
	"strconv"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// tools writes the tables by which a host's tool calls become Claude's.
func tools(t descriptor.Tools) string {
	var args, paths []pair
	for _, e := range t.Args {
		args = append(args, pair{e.Key, object(literals(e.Value))})
	}
	for _, e := range t.Paths {
		rule := []pair{{"from", harness.Quoted(e.Value.From.Text)}}
		if e.Value.Pattern.Set() {
			rule = append(rule, pair{"pattern", harness.Quoted(e.Value.Pattern.Text)})
		}
		paths = append(paths, pair{e.Key, object(rule)})
	}
	members := []pair{{"names", object(literals(t.Names))}, {"args", object(args)}, {"paths", object(paths)}}
	if t.MCP != nil {
		members = append(members, pair{"mcp", object([]pair{{"join", harness.Quoted(t.MCP.Join.Text)}})})
	}
	return object(members)
}

func literals(m descriptor.Map[descriptor.Str]) (out []pair) {
	for _, e := range m {
		out = append(out, pair{e.Key, harness.Quoted(e.Value.Text)})
	}
	return out
}

// limits writes, in milliseconds, how long the runtime waits for the dispatcher at each event.
func limits(h *plan.Harness) string {
	rest := harness.Patience(0)
	if l, ok := h.Limits.Get("*"); ok {
		rest = harness.Patience(l.D)
	}
	out := []pair{{"*", strconv.FormatInt(rest.Milliseconds(), 10)}}
	for _, b := range h.Bindings {
		if wait := harness.Patience(b.Limit); wait != rest {
			out = append(out, pair{string(b.Event), strconv.FormatInt(wait.Milliseconds(), 10)})
		}
	}
	return object(out)
}
