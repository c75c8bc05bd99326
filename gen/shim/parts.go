package shim

import (
	"slices"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// part is a piece of the runtime that only some hosts need. In the modules it is each statement with the label.
type part struct {
	label   string
	members []string                 // of rt, that it gives to the glue; a glue that names one needs it
	needed  func(*plan.Harness) bool // what else needs it
}

// parts are all that a shim may lack. Whatever else they call goes with them: what nothing calls is not bundled.
var parts = []part{
	{label: "SYNC", members: []string{"eventSync"}},
	{label: "AFTER", members: []string{"after"}},
	{label: "EACH", members: []string{"each"}},
	{label: "ONCE", members: []string{"once"}},
	{label: "HELD", members: []string{"hold", "take"}},
	{label: "FACTS", members: []string{"facts"}},
	{label: "MAIN", members: []string{"main"}},
	{label: "ROOTS", members: []string{"roots"}},
	{label: "NOTIFY", needed: func(h *plan.Harness) bool { return h.Shim.Host.Notify.Set() }},
	{label: "MCP", needed: func(h *plan.Harness) bool { return h.Tools.MCP != nil }},
	{label: "PATHS", needed: func(h *plan.Harness) bool { return len(h.Tools.Paths) > 0 }},
	{label: "REWRITE", needed: anyRow(func(r descriptor.GenerativeRow) bool { return r.Rewrite.Set() })},
	{label: "REPLACE", needed: anyRow(func(r descriptor.GenerativeRow) bool { return r.Replace.Set() })},
	{label: "ENV", needed: anyRow(func(r descriptor.GenerativeRow) bool { return r.Env.Set() })},
	{label: "ALLOW", needed: anyRow(func(r descriptor.GenerativeRow) bool { return r.Allow.Set() })},
}

func anyRow(is func(descriptor.GenerativeRow) bool) func(*plan.Harness) bool {
	return func(h *plan.Harness) bool { return slices.ContainsFunc(h.Events.Generative, is) }
}

// missing are the labels of what a harness does without. A glue that hands rt on as a whole may call anything.
func missing(h *plan.Harness, glue string) (labels []string) {
	called, whole := membersOfRT(glue)
	for _, p := range parts {
		asked := slices.ContainsFunc(p.members, func(m string) bool { return whole || called[m] })
		if !asked && (p.needed == nil || !p.needed(h)) {
			labels = append(labels, p.label)
		}
	}
	return labels
}

var useOfRT = lazyre.Pattern{Expr: `(?:^|[^\w$.])rt\b(?:\??\.(\w+)|(\s*=\s*createShim\())?`}

func membersOfRT(glue string) (called map[string]bool, whole bool) {
	called = map[string]bool{}
	for _, m := range useOfRT.Re().FindAllStringSubmatch(glue, -1) {
		called[m[1]] = true
		whole = whole || m[1] == "" && m[2] == ""
	}
	return called, whole
}
