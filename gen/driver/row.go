package driver

import (
	"time"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// row is the headless section with its defaults resolved.
func row(h *plan.Harness) harness.Driver {
	s := h.Headless
	d := harness.Driver{
		Protocol: harness.Protocol, ID: h.ID.Text, Name: h.Name.Text,
		Methods: map[string]harness.Call{}, Tag: or(s.Tag.Text, "type"),
		Stream: map[string]harness.Pick{}, Outcome: rules(s.Outcome), Usage: usage(s.Usage), Cache: cache(s.Cache),
		Scrub: plan.Texts(s.Scrub), Pin: plan.Table(s.Pin, func(v descriptor.Str) string { return v.Text }), Marker: plan.Texts(s.Marker),
		OwnLock: s.Lock.Text == "theirs", Prefix: plan.Texts(s.Prefix),
		Quiet: plan.Table(s.Quiet, func(t descriptor.Tree) string { return plan.JSON(t, "") }),
		Modes: plan.Texts(s.PermissionModes), FullRE: s.FullModel.Text, Prices: plan.Table(s.Prices, price),
		Stall: time.Duration(s.Stall.D), TermWait: time.Duration(s.TermWait.D),
	}
	binary(&d, h)
	for _, m := range s.Methods {
		d.Methods[m.Key] = harness.Call{
			Argv:   append(args(s.Common), args(m.Value.Argv)...),
			Prompt: harness.PromptBy(or(m.Value.Prompt.Text, s.Prompt.Text)),
		}
	}
	for _, p := range s.Stream {
		d.Stream[p.Key] = pick(p.Value)
	}
	return d
}

// binary is the section's own, else the first executable by which the harness is found.
func binary(d *harness.Driver, h *plan.Harness) {
	if b := h.Headless.Binary; b != nil {
		d.BinaryEnv, d.BinaryName = b.Env.Text, b.Name.Text
	} else {
		d.BinaryName = executable(h.Detect)
	}
	if h.Runtime != nil {
		d.Version, d.VersionRE = plan.Texts(h.Runtime.Version.Argv), h.Runtime.Version.Pattern.Text
	}
}

func executable(d *descriptor.Detect) string {
	if d != nil {
		for _, p := range d.Process {
			if p.Exe.Set() {
				return p.Exe.Text
			}
		}
	}
	return ""
}

func args(list []descriptor.Arg) (out []harness.Arg) {
	for _, a := range list {
		out = append(out, harness.Arg{Flag: a.Flag.Text, Value: a.Value.Text, When: a.When.Text})
	}
	return out
}

func pick(p descriptor.Pick) harness.Pick {
	return harness.Pick{On: p.On.Text, Where: plan.Predicates(p.Where), Path: p.Path.Text, Fold: harness.Fold(or(p.Fold.Text, "last"))}
}

func rules(list []descriptor.Rule) (out []harness.Rule) {
	for _, r := range list {
		out = append(out, harness.Rule{When: plan.Predicates(r.When), Status: r.Status.Text, Reason: r.Reason.Text, Flags: plan.Texts(r.Flags)})
	}
	return out
}

func usage(u *descriptor.Usage) *harness.Usage {
	if u == nil {
		return nil
	}
	return &harness.Usage{
		PerSession: u.Scope.Text == "session", On: u.On.Text, Where: plan.Predicates(u.Where), Sum: u.Fold.Text == "sum",
		Input: u.Input.Text, Output: u.Output.Text, Read: u.Read.Text, Write: u.Write.Text, Write1h: u.Write1.Text,
		Cost: u.Cost.Text, Dedupe: u.Dedupe.Text, InputIncludesCache: u.InputIncludesCache,
		Otherwise: usageOtherwise(u.Otherwise), Check: usageCheck(u.Check),
	}
}

func usageOtherwise(o *descriptor.UsageOtherwise) *harness.Usage {
	if o == nil {
		return nil
	}
	return &harness.Usage{Input: o.Input.Text, Output: o.Output.Text, Read: o.Read.Text, Write: o.Write.Text, Write1h: o.Write1.Text}
}

func usageCheck(c *descriptor.UsageCheck) *harness.Usage {
	if c == nil {
		return nil
	}
	return &harness.Usage{
		On: c.On.Text, Where: plan.Predicates(c.Where), Sum: true, Dedupe: c.Dedupe.Text,
		Input: c.Input.Text, Read: c.Read.Text, Write: c.Write.Text,
	}
}

func cache(c *descriptor.Cache) *harness.CacheLife {
	if c == nil {
		return nil
	}
	life := &harness.CacheLife{KeepBy: c.KeepBy.Text, MinRead: c.MinRead}
	for _, t := range c.TTL {
		life.TTL = append(life.TTL, harness.TTL{When: plan.Predicates(t.When), For: time.Duration(t.For.D)})
	}
	return life
}

func price(p descriptor.Price) harness.Price {
	return harness.Price{In: p.In, Out: p.Out, Read: p.Read, Write: p.Write, Write1h: p.Write1, Window: p.Window}
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
