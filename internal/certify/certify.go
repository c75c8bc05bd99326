package certify

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Step is one proof that a version has to pass.
type Step struct {
	Name string
	Run  func(context.Context) (Proof, error)
}

// Proof is what came of a step.
type Proof struct {
	Step   string   `json:"step"`
	Holds  bool     `json:"holds"`
	Count  string   `json:"count"`            // in a few words
	Broken []string `json:"broken,omitempty"` // what does not hold: what was expected, and what was seen
}

// Outcome is what is known of a version once it was tried.
type Outcome struct {
	Harness   string  `json:"harness"`
	Version   string  `json:"version"`
	Certified string  `json:"certifiedVersion"`
	Holds     bool    `json:"holds"`
	Proofs    []Proof `json:"proofs"`
	Change    string  `json:"change,omitempty"` // of the descriptor, as a unified diff; empty when something is broken, or nothing changes
}

// Prove takes the steps one after another, all of them, also behind one that is broken: whoever upgrades wants to know
// everything. The error says which step could not be taken.
func (o *Outcome) Prove(ctx context.Context, steps []Step) error {
	o.Holds = true
	for _, s := range steps {
		p, err := s.Run(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		p.Step, p.Holds = s.Name, len(p.Broken) == 0
		o.Holds = o.Holds && p.Holds
		o.Proofs = append(o.Proofs, p)
	}
	return nil
}

// Shaken is the proof that the version is the one that was asked for.
func Shaken(h Handshake) Proof {
	p := Proof{Count: h.Reported}
	if h.Status != OK {
		p.Broken = []string{fmt.Sprintf("it reports %s", h.Reported)}
	}
	return p
}

// Kept is the proof that a contract holds.
func Kept(facts []Fact) (p Proof) {
	for _, f := range facts {
		if !f.Holds {
			p.Broken = append(p.Broken, f.Fact+"; seen: "+f.Seen)
		}
	}
	p.Count = fmt.Sprintf("%d facts hold", len(facts)-len(p.Broken))
	return p
}

// Show prints an outcome for people.
func (o Outcome) Show(w io.Writer) error {
	fmt.Fprintf(w, "%s %s (certified: %s)\n", o.Harness, o.Version, o.Certified)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range o.Proofs {
		fmt.Fprintf(tab, "  %s\t%s\t%s\n", p.Step, yes(p.Holds, "ok", "BROKEN"), p.Count)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	for _, p := range o.Proofs {
		for _, b := range p.Broken {
			fmt.Fprintf(w, "%s: %s\n", p.Step, oneLine(b))
		}
	}
	switch {
	case !o.Holds:
		fmt.Fprintf(w, "%s %s is not certified.\n", o.Harness, o.Version)
	case o.Change == "":
		fmt.Fprintln(w, "Everything holds; the descriptor says so already.")
	default:
		fmt.Fprintf(w, "Everything holds. What changes in the descriptor:\n%s\n", strings.TrimRight(o.Change, "\n"))
	}
	return nil
}
