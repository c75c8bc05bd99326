package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// InitFlags are the flags of init; those that were not given are nil.
type InitFlags struct {
	Run                                             string
	Harness, Model, Effort, Agent, CWD, Binary      *string
	Tools, AllowedTools, PermissionMode             *string
	Pings                                           *bool
	WarmMarginS, ParallelCap, OrphanAfterS, Rebases *int
	DeltaTokens                                     *int64
	ContextGrowth, ContextShare                     *float64
}

// Init is what init answers.
type Init struct {
	Run      string        `json:"run"`
	State    string        `json:"state"`
	Created  bool          `json:"created"`
	Changed  []string      `json:"changed_fields"`
	Warnings []string      `json:"warnings"`
	Launch   record.Launch `json:"launch"`
}

// defaults of a run.
var defaults = record.Launch{
	Pings: true, WarmMarginS: 600, ParallelCap: 3, OrphanAfterS: 1200,
	DeltaTokens: 20_000, ContextGrowth: 0.5, ContextShare: 0.6, MaxRebases: 6,
}

// Init makes a run's state, or changes what is asked for in it. A second init changes only the flags given, except that it looks
// for the program again unless that was pinned.
func (e *Engine) Init(f InitFlags) (Init, error) {
	out := Init{Changed: []string{}, Warnings: []string{}}
	if err := e.outside("init"); err != nil {
		return out, err
	}
	gate := platform.Check(e.Platform, e.Version, e.getenv)
	if gate.Reason != "" {
		return out, &Refusal{Text: "platform not supported", More: map[string]any{"reason": gate.Reason, "platform": e.Platform.Describe()}}
	}
	r, err := e.run(f.Run)
	if err != nil {
		return out, err
	}
	out.Run, out.State = r.log, r.dir.Path
	if s := gate.Warning(); s != "" {
		out.Warnings = append(out.Warnings, s)
	}
	old, err := r.read()
	if errors.Is(err, fs.ErrNotExist) {
		out.Launch, err = e.firstLaunch(f)
		if err != nil {
			return out, err
		}
		out.Created = true
		return out, r.create(out.Launch)
	}
	if err != nil {
		return out, err
	}
	launch, warnings, err := e.nextLaunch(old.Launch, f)
	if err != nil {
		return out, err
	}
	out.Launch, out.Warnings = launch, append(out.Warnings, warnings...)
	out.Changed = changed(old.Launch, launch)
	return out, r.change(func(reg *record.Registry) error { reg.Launch = launch; return nil })
}

// DefaultHarness is the first that can do all that gremlins do.
func (e *Engine) DefaultHarness() string {
	for _, d := range e.Drivers {
		if len(d.Methods) == len(methods) {
			return d.ID
		}
	}
	return ""
}

func (e *Engine) firstLaunch(f InitFlags) (record.Launch, error) {
	launch := defaults
	launch.Harness = e.DefaultHarness()
	if f.Model == nil {
		return launch, refuse("init needs --model, a full model id")
	}
	if f.CWD == nil {
		f.CWD = &e.CWD
	}
	if err := e.apply(&launch, f); err != nil {
		return launch, err
	}
	d, err := e.driver(launch.Harness)
	if err != nil {
		return launch, err
	}
	named := ""
	if f.Binary != nil {
		named = *f.Binary
	}
	launch.Binary, err = e.binary(d, named)
	return launch, err
}

// nextLaunch is a launch with other flags, and with the program as it is found now.
func (e *Engine) nextLaunch(launch record.Launch, f InitFlags) (record.Launch, []string, error) {
	if f.Harness != nil && *f.Harness != launch.Harness {
		return launch, nil, refuse("this run drives %s; the harness of a run does not change", launch.Harness)
	}
	if err := e.apply(&launch, f); err != nil {
		return launch, nil, err
	}
	d, err := e.driver(launch.Harness)
	if err != nil {
		return launch, nil, err
	}
	switch {
	case f.Binary != nil:
		launch.Binary, err = e.binary(d, *f.Binary)
		return launch, nil, err
	case launch.Binary.ResolvedBy == "--binary":
		return launch, nil, nil
	}
	found, err := e.binary(d, "")
	if err != nil {
		return launch, []string{fmt.Sprintf("could not re-resolve the binary; kept %s", launch.Binary.Path)}, nil
	}
	was := launch.Binary
	launch.Binary = found
	if was.Path == found.Path {
		return launch, nil, nil
	}
	return launch, []string{fmt.Sprintf("binary changed: %s → %s (resolved by %s); existing bases keep their own binary record, new trainings use the new one",
		was.Path, found.Path, found.ResolvedBy)}, nil
}

// apply puts the given flags into a launch, and refuses what it cannot be.
func (e *Engine) apply(l *record.Launch, f InitFlags) (err error) {
	set(&l.Harness, f.Harness)
	set(&l.Model, f.Model)
	set(&l.Effort, f.Effort)
	set(&l.Agent, f.Agent)
	set(&l.Tools, f.Tools)
	set(&l.AllowedTools, f.AllowedTools)
	set(&l.PermissionMode, f.PermissionMode)
	set(&l.Pings, f.Pings)
	set(&l.WarmMarginS, f.WarmMarginS)
	set(&l.ParallelCap, f.ParallelCap)
	set(&l.OrphanAfterS, f.OrphanAfterS)
	set(&l.DeltaTokens, f.DeltaTokens)
	set(&l.ContextGrowth, f.ContextGrowth)
	set(&l.ContextShare, f.ContextShare)
	set(&l.MaxRebases, f.Rebases)
	if f.CWD != nil {
		if l.CWD, err = e.path(*f.CWD); err != nil {
			return err
		}
	}
	d, err := e.driver(l.Harness)
	if err != nil {
		return err
	}
	return usable(l, d)
}

func usable(l *record.Launch, d *harness.Driver) error {
	switch {
	case !fullModel(d, l.Model):
		return refuse("--model %s is no full model id of %s; aliases mean another model with each release", l.Model, d.Name)
	case l.PermissionMode != "" && !slices.Contains(d.Modes, l.PermissionMode):
		return refuse("--permission-mode %s is none of %s's: %s", l.PermissionMode, d.Name, strings.Join(d.Modes, ", "))
	case l.ParallelCap < 1:
		return refuse("--parallel-cap must be at least 1")
	case l.OrphanAfterS < 1:
		return refuse("--orphan-after-s must be at least 1")
	case l.WarmMarginS < 0:
		return refuse("--warm-margin-s must not be negative")
	}
	for _, f := range []struct{ flag, token, value string }{
		{"--effort", "effort", l.Effort}, {"--agent", "agent", l.Agent}, {"--tools", "tools", l.Tools}, {"--allowed-tools", "allowed_tools", l.AllowedTools},
	} {
		if f.value != "" && !d.Methods[harness.Train].Takes(f.token) {
			return refuse("%s cannot be told %s in a headless run", d.Name, f.flag)
		}
	}
	return nil
}

func fullModel(d *harness.Driver, model string) bool {
	if model == "" || d.FullRE == "" {
		return model != ""
	}
	re, err := regexp.Compile(d.FullRE)
	return err == nil && re.MatchString(model)
}

func set[T any](field *T, given *T) {
	if given != nil {
		*field = *given
	}
}

// changed lists the fields in which two launches differ, as launch.x and launch.binary.x.
func changed(a, b record.Launch) []string {
	names := []string{}
	was, is := flat("launch", a), flat("launch", b)
	for name, v := range is {
		if was[name] != v {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// flat is a document's leaves by dotted path.
func flat(prefix string, doc any) map[string]string {
	b, _ := json.Marshal(doc)
	var fields map[string]json.RawMessage
	out := map[string]string{}
	if json.Unmarshal(b, &fields) != nil {
		return map[string]string{prefix: string(b)}
	}
	for name, v := range fields {
		for k, leaf := range flat(prefix+"."+name, v) {
			out[k] = leaf
		}
	}
	return out
}
