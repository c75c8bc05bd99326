package shim

import (
	"fmt"
	"strings"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// The three ways in which a host takes handlers.
const (
	registerCall     = "call"
	registerProperty = "property"
	registerBus      = "bus"
)

// sessions writes one function a channel that finds the session an event belongs to.
func (g *gluer) sessions() {
	s := g.h.Shim.Session
	for _, c := range g.h.Shim.Channels {
		id, ok := s.ID.Get(c.Key)
		if !ok {
			continue
		}
		parent, _ := s.Parent.Get(c.Key)
		keep, _ := s.Keep.Get(c.Key)
		g.blank()
		g.block(fmt.Sprintf("const %s = %s(%s) => {", sessionOf(c.Key), asyncFor(parent), sessionParams(c.Value)), "};", func() {
			g.line("const session = rt.session(%s, %s);", id.Text, parentOf(parent))
			if keep.Set() {
				g.line("%s;", strings.TrimSuffix(keep.Text, ";"))
			}
			g.line("return session;")
		})
	}
}

func sessionOf(channel string) string { return channel + "Session" }

// sessionParams are what a channel's rows see, and the parent that a row may know better.
func sessionParams(c descriptor.Channel) string {
	return strings.Join(append(c.RowScope(), "parent"), ", ")
}

func parentOf(parent descriptor.Expr) string {
	if parent.Set() {
		return "parent ?? " + parenthesised(parent.Text)
	}
	return "parent"
}

func asyncFor(parent descriptor.Expr) string {
	if strings.Contains(parent.Text, "await ") {
		return "async "
	}
	return ""
}

// handler writes one registered function.
func (g *gluer) handler(h plan.Handler) {
	for _, r := range h.Rows {
		g.comment(r.Comment)
	}
	wants := g.condition(h)
	if wants == "" {
		g.registration(h)
		return
	}
	g.block("if ("+wants+") {", "}", func() { g.registration(h) })
}

// registration gives the function to the host, in the way of its channel.
func (g *gluer) registration(h plan.Handler) {
	host := harness.Quoted(h.Host)
	switch c := h.Channel; c.Register.Text {
	case registerCall:
		if c.Unnamed {
			host = ""
		} else {
			host += ", "
		}
		g.function(c, c.Target.Text+"("+host, ")", params(h.Args()), h)
	case registerProperty:
		g.function(c, "hooks["+host+"] = ", "", params(h.Args()), h)
	case registerBus:
		g.block(fmt.Sprintf("bus[%s] = async (%s) => {", host, strings.Join(c.RowScope(), ", ")), "};", func() { g.body(h) })
	}
}

// function writes the function itself. A host that does not wait for its promise is not given one: what goes wrong there
// would be an unhandled rejection, which ends some hosts.
func (g *gluer) function(c descriptor.Channel, before, after, params string, h plan.Handler) {
	body := func() { g.body(h) }
	if c.Awaited {
		g.block(fmt.Sprintf("%sasync (%s) => {", before, params), "}"+after+";", body)
		return
	}
	g.block(fmt.Sprintf("%s(%s) => void rt.quiet(async () => {", before, params), "})"+after+";", body)
}

// condition is what must hold for the handler to be registered; empty when it always is.
func (g *gluer) condition(h plan.Handler) string {
	if h.Always || len(h.Wanted) == 0 {
		return ""
	}
	quoted := make([]string, len(h.Wanted))
	for i, e := range h.Wanted {
		quoted[i] = harness.Quoted(e)
	}
	return "rt.wants(" + strings.Join(quoted, ", ") + ")"
}

func (g *gluer) returnsHooks() bool {
	for _, c := range g.h.Shim.Channels {
		if c.Value.Register.Text != registerCall {
			return true
		}
	}
	return false
}

func (g *gluer) bus() *descriptor.Channel {
	for i := range g.h.Shim.Channels {
		if c := &g.h.Shim.Channels[i].Value; c.Register.Text == registerBus {
			return c
		}
	}
	return nil
}

// returnHooks gives the host the object of handlers; one of them passes the bus's events on. A bus is neither waited for nor
// may anything be thrown into it.
func (g *gluer) returnHooks() {
	if !g.returnsHooks() {
		return
	}
	g.blank()
	if bus := g.bus(); bus != nil {
		var values []string
		for _, e := range bus.Let {
			values = append(values, e.Value.Text)
		}
		g.line("hooks[%s] = (%s) => void rt.quiet(() => bus[%s]?.(%s));", harness.Quoted(bus.Property.Text), params(bus.Args),
			bus.Type.Text, strings.Join(values, ", "))
	}
	g.line("return hooks;")
}
