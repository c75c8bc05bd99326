// Package manifest is the compiled list of handlers of one clone, <root>/.lorimer/manifest.json.
//
// It has two sides that meet in this file alone. materialize fills a Manifest and writes what Encode gives. The dispatcher
// reads the bytes with Parse, on the path that every tool call waits for: it looks up one event and decodes nothing else. So
// the file is JSON and small, and everything that could be decided beforehand was decided before it was written.
package manifest

import (
	"bytes"
	"encoding/json"
	"path/filepath"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Protocol is the version of the file that this build reads and writes.
const Protocol = harness.Protocol

// Path returns where the manifest of a clone lies.
func Path(root string) string { return filepath.Join(root, ".lorimer", "manifest.json") }

// Manifest is the whole file.
type Manifest struct {
	Protocol         int                  `json:"protocol"`               // always Protocol
	Harnesses        []string             `json:"harnesses"`              // ids; a harness that is not listed runs nothing
	MaxContinuations int                  `json:"max_continuations"`      // of the stop gate; 0 = no limit
	SelfProtect      bool                 `json:"self_protect,omitempty"` // agents may not change the hooks themselves
	Sources          []Source             `json:"sources"`                // what it was compiled from
	Env              []Env                `json:"env,omitempty"`          // what settings give to hooks beside the host's environment; the first is overruled first
	Events           map[string][]Handler `json:"events"`                 // by neutral event, sorted by order
}

// SelfProtect is the name of the built-in handler that the manifest's key of that name asks for.
const SelfProtect = "self_protect"

// Handler is one program that runs on one event.
type Handler struct {
	Name      string   `json:"name"`                // unique in the manifest
	Order     int      `json:"order"`               // ascending; handlers of equal order run in parallel
	Matcher   string   `json:"matcher"`             // Claude's rule; "" = every call
	If        string   `json:"if,omitempty"`        // a permission rule that the tool call must fit, too
	Files     []string `json:"files,omitempty"`     // globs; the tool call must touch a file that fits one of them
	Argv      []string `json:"argv,omitempty"`      // without a shell; exactly one of Argv and Run is set
	Run       string   `json:"run,omitempty"`       // a line for the shell
	TimeoutMS int64    `json:"timeout_ms"`          // 0 = the event's own limit
	Block     bool     `json:"block"`               // false: its verdict is noted, not obeyed
	OnError   Policy   `json:"on_error"`            // what holds when it cannot answer
	OnLimit   Policy   `json:"on_limit,omitempty"`  // what holds when the host's limit cuts it short; "" = OnError
	Async     bool     `json:"async,omitempty"`     // started, and not waited for: it says nothing
	Nested    bool     `json:"nested,omitempty"`    // runs inside an agent that a handler started, too
	Managed   bool     `json:"managed,omitempty"`   // an organization set it, so no Env of the clone's reaches it
	Harnesses []string `json:"harnesses,omitempty"` // empty = all of the manifest's
}

// Env is what the `env` of one settings file gives to hooks. What stands in the clone is compiled, so that it is agreed to, and
// cannot be changed behind anybody's back. The user's own file and the machine's are no clone's to change, and may hold what must
// not lie about in a clone: they are read when a handler runs.
type Env struct {
	Path   string            `json:"path"`             // as in Source
	Values map[string]string `json:"values,omitempty"` // of a file in the clone
}

// Live says whether the file is read when a handler runs.
func (e Env) Live() bool { return filepath.IsAbs(filepath.FromSlash(e.Path)) }

// Policy says what holds when a handler gave no answer.
type Policy string

const (
	// AllowOnFault lets the event pass, with one loud line.
	AllowOnFault Policy = "allow"
	// BlockOnFault blocks, with a reason that names the fault.
	BlockOnFault Policy = "block"
)

// Encode returns the file's bytes: indented by two spaces, with a final newline, the same for the same manifest. The hash of
// these bytes is what the trust record holds.
func (m Manifest) Encode() []byte {
	if m.Harnesses == nil {
		m.Harnesses = []string{}
	}
	if m.Sources == nil {
		m.Sources = []Source{}
	}
	if m.Events == nil {
		m.Events = map[string][]Handler{}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		panic("manifest: a struct of strings and numbers does not encode: " + err.Error())
	}
	return b.Bytes()
}
