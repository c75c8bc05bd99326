package record

import "github.com/lorimer-dev/lorimer/internal/gremlin/driver"

// Result is results/<job>.json and a line of the ledger. The keys are always all there, in this order; what is not known is null,
// never 0. The ledger is committed and read elsewhere: its paths are below the state directory, with slashes.
type Result struct {
	Job            string   `json:"job"`
	Kind           string   `json:"kind"`
	Method         *string  `json:"method"`
	Base           string   `json:"base"`
	Block          *string  `json:"block"`
	Phase          int      `json:"phase"`
	Status         string   `json:"status"`
	Flags          []string `json:"flags"`
	Fingerprint    string   `json:"fingerprint"`
	Session        *string  `json:"session"`
	ParentSession  *string  `json:"parent_session"`
	ModelsUsed     []string `json:"models_used"`
	Tokens         *Tokens  `json:"tokens"`
	CostDeltaUSD   *float64 `json:"cost_delta_usd"`
	Cache          *string  `json:"cache"`
	BaseState      *string  `json:"base_state"`
	WallS          float64  `json:"wall_s"`
	Turns          *int     `json:"turns"`
	Denials        *int     `json:"denials"`
	Note           *string  `json:"note"` // the handoff note, when the gremlin wrote one
	Raw            string   `json:"raw"`  // what the harness printed
	Paths          []string `json:"paths"`
	Reason         *string  `json:"reason"`
	ModelRequested string   `json:"model_requested"`
}

// Tokens is what a job used.
type Tokens struct {
	Input           int64 `json:"input"`
	Output          int64 `json:"output"`
	CacheCreation   int64 `json:"cache_creation"`
	CacheCreation1h int64 `json:"cache_creation_1h"`
	CacheCreation5m int64 `json:"cache_creation_5m"`
	CacheRead       int64 `json:"cache_read"`
}

// Or is nil for an empty text.
func Or(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Usage is the same for package driver.
func (t Tokens) Usage() driver.Usage {
	return driver.Usage{Input: t.Input, Output: t.Output, Read: t.CacheRead, Write: t.CacheCreation, Write1h: t.CacheCreation1h}
}
