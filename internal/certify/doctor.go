package certify

import (
	"context"
	"fmt"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Checkup is what the doctor found, as lines for people, the hints last.
type Checkup struct {
	Harness   string     `json:"harness"`
	Installed bool       `json:"installed"`
	Handshake *Handshake `json:"handshake,omitempty"` // absent: it could not be made
	Isolated  bool       `json:"isolated"`            // its directories are there, and inside the root
	Healthy   bool       `json:"healthy"`
	Hints     []string   `json:"hints"`
}

// Examine looks at an installed runtime. It changes nothing.
func Examine(ctx context.Context, fx Effects, c *harness.Certified, version string, p Paths) Checkup {
	k := Checkup{Harness: c.ID, Installed: fx.Exists(p.Binary), Isolated: isolated(fx, p), Hints: []string{}}
	install := fmt.Sprintf("Run `lorimer runtime ensure %s`.", c.ID)
	if !k.Installed {
		k.Hints = append(k.Hints, install)
	} else if info, err := Verify(ctx, fx, c, version, p); err != nil {
		k.Hints = append(k.Hints, err.Error(), install)
	} else {
		k.Handshake = &info.Handshake
		k.Hints = append(k.Hints, info.Handshake.Doctor...)
	}
	if k.Installed && !k.Isolated {
		k.Hints = append(k.Hints, install)
	}
	k.Healthy = k.Installed && k.Isolated && k.Handshake != nil && k.Handshake.Status == OK
	return k
}

func isolated(fx Effects, p Paths) bool {
	root, err := fx.Resolve(p.Root)
	if err != nil {
		return false
	}
	for _, dir := range []string{p.Agent, p.Home} {
		if real, err := fx.Resolve(dir); err != nil || !below(root, real) {
			return false
		}
	}
	return true
}

// Lines is the checkup as people read it.
func (k Checkup) Lines() []string {
	lines := []string{
		"Lorimer doctor",
		"Certified runtime installed: " + yes(k.Installed, "yes", "NO"),
		"Version handshake: " + k.shaken(),
		"Isolated " + k.Harness + " config: " + yes(k.Isolated, "present", "MISSING"),
	}
	if k.Healthy {
		return append(lines, "All checks passed.")
	}
	for _, h := range k.Hints {
		lines = append(lines, "  → "+h)
	}
	return lines
}

func (k Checkup) shaken() string {
	switch h := k.Handshake; {
	case h == nil:
		return "MISSING"
	case h.Status == OK:
		return "ok (" + h.Reported + ")"
	default:
		return fmt.Sprintf("MISMATCH (reported %s, certified %s)", h.Reported, h.Certified)
	}
}

func yes(holds bool, text, otherwise string) string {
	if holds {
		return text
	}
	return otherwise
}
