package engine

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"context"

	"github.com/lorimer-dev/lorimer/internal/gremlin/driver"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// Where is what `where` answers.
type Where struct {
	OK       bool          `json:"ok"`
	Reason   *string       `json:"reason"`
	Error    string        `json:"error,omitempty"` // only when not ok
	Script   string        `json:"script"`
	Version  string        `json:"version"`
	Binary   record.Binary `json:"binary"`
	Git      *string       `json:"git"`
	Scrub    []string      `json:"scrub"`
	Warnings []string      `json:"warnings"`
	Platform PlatformState `json:"platform"`
}

// PlatformState is the platform, and whether its gate was opened by hand.
type PlatformState struct {
	platform.Description
	Override bool `json:"override"`
}

// Where says whether gremlins can be used here, and with what. It needs no run and changes nothing.
func (e *Engine) Where(harnessID, binary string) (Where, error) {
	gate := platform.Check(e.Platform, e.Version, e.getenv)
	w := Where{Script: e.Self, Version: e.Version, Scrub: []string{}, Warnings: []string{}, Platform: PlatformState{e.Platform.Describe(), gate.Overridden}}
	if s := gate.Warning(); s != "" {
		w.Warnings = append(w.Warnings, s)
	}
	var reasons []string
	if gate.Reason != "" {
		reasons = append(reasons, gate.Reason)
	}
	d, err := e.driver(harnessID)
	if err != nil {
		return w, err
	}
	if w.Binary, err = e.binary(d, binary); err != nil {
		reasons = append(reasons, err.Error())
	}
	for _, entry := range e.Env {
		if name, _, _ := strings.Cut(entry, "="); driver.Scrubbed(name, e.scrub(d)) {
			w.Scrub = append(w.Scrub, name)
		}
	}
	if git, err := e.lookPath("git"); err == nil {
		w.Git = &git
	}
	if w.OK = len(reasons) == 0; !w.OK {
		w.Error = strings.Join(reasons, " ")
		w.Reason = &w.Error
	}
	return w, nil
}

// ownScrub are the variables by which a session would be taken for another's, whatever the harness.
var ownScrub = []string{"GT_RUNTIME", "GT_SESSION_ID", "LORIMER_HARNESS", "LORIMER_EVENT", "LORIMER_CAN", "LORIMER_CWD", "LORIMER_RENDEZVOUS", JobMarker, ChildMarker}

func (e *Engine) scrub(d *harness.Driver) []string {
	return append(append([]string{}, d.Scrub...), ownScrub...)
}

// binary finds the harness's program: as named, else by its variable, else on PATH.
func (e *Engine) binary(d *harness.Driver, named string) (b record.Binary, err error) {
	switch {
	case named != "":
		b.ResolvedBy = "--binary"
		b.Path, err = e.path(named)
	case d.BinaryEnv != "" && e.getenv(d.BinaryEnv) != "":
		b.Path, b.ResolvedBy = e.getenv(d.BinaryEnv), "$"+d.BinaryEnv
	default:
		b.ResolvedBy = "PATH"
		if b.Path, err = e.lookPath(d.BinaryName); err != nil {
			return b, refuse("%s is not on PATH; install it, or pass --binary", d.BinaryName)
		}
	}
	if err != nil {
		return b, err
	}
	if !exists(b.Path) {
		return b, &Refusal{Text: "the program of " + d.Name + " (by " + b.ResolvedBy + ") is no file; pass --binary", More: map[string]any{"path": b.Path}}
	}
	b.Version = e.version(d, b.Path)
	return b, nil
}

// version asks the program; empty when it does not say.
func (e *Engine) version(d *harness.Driver, path string) string {
	re, err := regexp.Compile("(?m)" + d.VersionRE)
	if d.Version == nil || d.VersionRE == "" || err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, d.Version...)
	cmd.Env = driver.Environ(e.Env, e.scrub(d), nil)
	cmd.SysProcAttr = e.Platform.ProcAttr(false)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if found := re.FindSubmatch(out); found != nil && err == nil {
		return string(found[1])
	}
	return ""
}

// lookPath is exec.LookPath in the engine's own environment.
func (e *Engine) lookPath(name string) (string, error) {
	if name == "" {
		return "", errors.New("no name")
	}
	names := []string{name}
	if e.Platform.Name() == "windows" && filepath.Ext(name) == "" {
		names = []string{name + ".exe", name + ".cmd", name}
	}
	for _, dir := range filepath.SplitList(e.getenv("PATH")) {
		for _, n := range names {
			full := filepath.Join(dir, n)
			if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() && (info.Mode()&0o111 != 0 || e.Platform.Name() == "windows") {
				return filepath.Abs(full)
			}
		}
	}
	return "", exec.ErrNotFound
}
