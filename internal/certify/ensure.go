package certify

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Info is what is known of an installed runtime.
type Info struct {
	Harness   string    `json:"harness"`
	Version   string    `json:"version"` // as it was reported
	Paths     Paths     `json:"paths"`
	Program   []string  `json:"program"` // argv that starts it
	Handshake Handshake `json:"handshake"`
	Installed bool      `json:"installPerformed"`
}

// Ensure makes a runtime be there. It may be called again and again: one that is there and reports its version is left alone,
// unless force. What is installed and reports another version is returned as paused, not as an error; the error says what could
// not be made, installed or run.
func Ensure(ctx context.Context, fx Effects, c *harness.Certified, version string, p Paths, force bool) (Info, error) {
	if err := prepare(fx, p); err != nil {
		return Info{}, err
	}
	release, err := fx.Hold(ctx, p)
	if err != nil {
		return Info{}, err
	}
	defer release()
	if !force && fx.Exists(p.Binary) {
		if info, err := Verify(ctx, fx, c, version, p); err == nil && info.Handshake.Status == OK {
			return info, nil
		}
	}
	if err := fx.Install(ctx, p); err != nil {
		return Info{}, err
	}
	info, err := Verify(ctx, fx, c, version, p)
	info.Installed = true
	return info, err
}

// prepare makes the directories. One that is a link out of the root is refused: what the harness writes would lie elsewhere.
func prepare(fx Effects, p Paths) error {
	if err := p.Owned(); err != nil {
		return err
	}
	for _, dir := range p.storage() {
		if err := fx.Mkdir(dir); err != nil {
			return err
		}
	}
	root, err := fx.Resolve(p.Root)
	if err != nil {
		return err
	}
	for _, dir := range p.storage()[1:] {
		if real, err := fx.Resolve(dir); err != nil {
			return err
		} else if !below(root, real) {
			//lint:ignore ST1005 these are the words of the contract, which programs read
			return fmt.Errorf("Runtime path escapes Lorimer root: %s is %s", dir, real)
		}
	}
	return nil
}

// Verify asks an installed runtime for its version, in its own home, and makes the handshake.
func Verify(ctx context.Context, fx Effects, c *harness.Certified, version string, p Paths) (Info, error) {
	info := Info{Harness: c.ID, Version: Unknown, Paths: p}
	pattern, err := regexp.Compile(c.Pattern)
	if err != nil {
		return info, err
	}
	if err := p.Owned(); err != nil {
		return info, err
	}
	if !fx.Exists(p.Binary) {
		return info, fmt.Errorf("%s %s is not installed: there is no %s; run `lorimer runtime ensure %s`", c.Name, version, p.Binary, c.ID)
	}
	if info.Program, err = program(fx, p); err != nil {
		return info, err
	}
	out, err := fx.Exec(ctx, Run{Argv: append(slices.Clone(info.Program), c.VersionArgv...), Dir: p.Home, Env: pairs(p.variables(c))})
	if err != nil {
		//lint:ignore ST1005 these are the words of the contract, which programs read
		return info, fmt.Errorf("Certified %s runtime version check failed: %w", c.Name, err)
	}
	if out.Exit != 0 {
		//lint:ignore ST1005 these are the words of the contract, which programs read
		return info, fmt.Errorf("Certified %s runtime version check failed with exit code %d: %s", c.Name, out.Exit, cut(oneLine(out.Stderr+" "+out.Stdout), maxReported))
	}
	said := out.Stdout
	if c.Stderr {
		said = out.Stderr
	}
	info.Version = Reported(pattern, said)
	info.Handshake = Shake(c, version, info.Version)
	return info, nil
}

// pairs are variables as a process takes them, sorted.
func pairs(m map[string]string) (all []string) {
	for name, value := range m {
		all = append(all, name+"="+value)
	}
	slices.Sort(all)
	return all
}
