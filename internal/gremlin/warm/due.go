package warm

import "slices"

// Limits are the thresholds of a run; a zero one never calls.
type Limits struct {
	DeltaTokens   int64   // notes since the base, above which a rebase is due
	GrowthShare   float64 // a spawn's context over its base's, above which a rebase is due
	ContextShare  float64 // a base's context, as a share of the model's window, above which a new training is due
	RebasesInARow int     // above which a new training is due
}

// Launch is what is known when a gremlin is spawned from a base.
type Launch struct {
	BasePhase, Phase int
	DeltaTokens      int64
	BaseContext      int64 // tokens; 0 = not known
	LastContext      int64 // the largest context that a spawn of this base had; 0 = not known
	Window           int64 // of the model; 0 = not known
	Rebases          int   // since the last training
	BinaryMissing    bool
	Drift            []string // launch facts that differ from the base's
}

// The reasons of what is due.
const (
	PhaseBoundary = "phase_boundary"
	DeltaSize     = "delta_size"
	ContextGrowth = "context_growth"
	Drift         = "fingerprint:" // followed by the fact
	WindowShare   = "context_window"
	BinaryMissing = "binary_missing"
	ManyRebases   = "rebases"
)

// Due says whether the base should be rebased, or trained anew, before the next spawn, and why. They are flags: nothing acts on
// them by itself.
func Due(l Launch, limits Limits) (rebase, retrain bool, reasons []string) {
	if l.Phase > l.BasePhase {
		reasons = append(reasons, PhaseBoundary)
	}
	if limits.DeltaTokens > 0 && l.DeltaTokens > limits.DeltaTokens {
		reasons = append(reasons, DeltaSize)
	}
	if limits.GrowthShare > 0 && l.BaseContext > 0 && float64(l.LastContext) > (1+limits.GrowthShare)*float64(l.BaseContext) {
		reasons = append(reasons, ContextGrowth)
	}
	rebase = len(reasons) > 0
	for _, fact := range l.Drift {
		reasons = append(reasons, Drift+fact)
	}
	if limits.ContextShare > 0 && l.Window > 0 && float64(l.BaseContext) > limits.ContextShare*float64(l.Window) {
		reasons = append(reasons, WindowShare)
	}
	if l.BinaryMissing {
		reasons = append(reasons, BinaryMissing)
	}
	if limits.RebasesInARow > 0 && l.Rebases > limits.RebasesInARow {
		reasons = append(reasons, ManyRebases)
	}
	retrain = slices.ContainsFunc(reasons, func(r string) bool {
		return r != PhaseBoundary && r != DeltaSize && r != ContextGrowth
	})
	return rebase, retrain, reasons
}
