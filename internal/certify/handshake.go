package certify

import (
	"fmt"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Status is the outcome of a handshake.
type Status string

// A harness that is paused is not launched.
const (
	OK     Status = "ok"
	Paused Status = "paused"
)

// Handshake holds what a runtime says of itself against what is certified.
type Handshake struct {
	Status    Status   `json:"status"`
	Certified string   `json:"certifiedVersion"`
	Reported  string   `json:"reportedVersion"`
	Doctor    []string `json:"doctor,omitempty"` // of Paused: what is wrong, and what mends it
}

// Shake makes the handshake of a certified version with a reported one.
func Shake(c *harness.Certified, version, reported string) Handshake {
	h := Handshake{Status: OK, Certified: version, Reported: reported}
	if reported != version {
		h.Status = Paused
		h.Doctor = []string{
			fmt.Sprintf("Lorimer launches are paused because %s reported %s, but this Lorimer release is certified for %s.", c.Name, reported, version),
			fmt.Sprintf("Re-run `lorimer runtime ensure %s` or `lorimer runtime doctor %s --fix` to reinstall the certified %s runtime before continuing.", c.ID, c.ID, c.Name),
			fmt.Sprintf("Launch %s through Lorimer so it uses the certified binary by absolute path instead of an `%s` found on PATH.", c.Name, c.Binary),
		}
	}
	return h
}
