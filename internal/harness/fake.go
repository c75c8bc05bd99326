package harness

import "encoding/json"

// Plays are what a fake host can be asked to play beside the neutral events: moments that a harness must tell apart from them.
// Each is a list of host events in a descriptor's fake.plays.
var Plays = []string{
	"abort",   // the user interrupts the work: nothing to gate
	"failure", // the model's provider fails: nothing to gate
	"echo",    // the host takes up our own continuation, and fires what it fires for a prompt
	"inject",  // the host takes up a message of the rendezvous, and fires what it fires for a prompt
	"fork",    // a main session that was forked from another begins; its parent's id is no sub-agent's
	"resume",  // a main session that is not new begins
	"reload",  // the host is about to load the shim anew, in the middle of a session
	"request", // the host asks the model; where context that was held is handed out
}

// Fake is the data of a descriptor's imitation of its host; of a generative harness the code stands beside it, as a module.
type Fake struct {
	Calls  []FakeCall          `json:"calls"`
	Plays  map[string][]string `json:"plays"`            // by neutral event or play: the host events to fire
	Cannot map[string]string   `json:"cannot"`           // by case: why it does not hold
	Partly map[string]string   `json:"partly,omitempty"` // by neutral event that the host has only sometimes: when it has not

	Real *FakeReal `json:"real,omitempty"` // nil: the program itself cannot be run here

	Modes []FakeMode `json:"modes,omitempty"` // generative: in the descriptor's order; none: there is one, without a name

	Payloads map[string]json.RawMessage          `json:"payloads,omitempty"` // external: by host event, or "*"
	Reads    map[string]map[Effect][]FakeReading `json:"reads,omitempty"`    // external: by host event, or "*"
}

// FakeReal is how the installed program is run against a fake model. {url} is the model's.
type FakeReal struct {
	Argv    []string                   `json:"argv"`              // behind the program; token {prompt}
	Fork    []string                   `json:"fork,omitempty"`    // tokens {prompt}, {session}
	Escapes [][2]string                `json:"escapes,omitempty"` // in what hooks say: a text, and what the program writes instead
	Calls   []FakeCall                 `json:"calls,omitempty"`   // as the model makes them, where hooks see others
	Env     []string                   `json:"env"`               // NAME=value; tokens {url}, {home}, {shared}
	Files   map[string]json.RawMessage `json:"files"`             // by ~/ path or path in the clone; a JSON string is the file's text
}

// FakeCall is a tool call in the host's words, with tokens in its input.
type FakeCall struct {
	Tool  string          `json:"tool"` // Claude's name
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// FakeMode is a way in which the host runs.
type FakeMode struct {
	Name string   `json:"name"`
	Argv []string `json:"argv"`
}

// FakeReading is one place in the answer of a hook command where the host looks for an effect.
type FakeReading struct {
	Exit  int         `json:"exit"`
	On    string      `json:"on,omitempty"` // stderr: the JSON is there; empty: on stdout
	Where []Predicate `json:"where,omitempty"`
	Path  string      `json:"path,omitempty"` // in the JSON; empty: stderr
}

// FakeData is the path below the output folder of a harness's Fake.
func FakeData(id string) string { return id + "/fake.json" }

// FakeModule is the path of the module beside it: of a generative harness's imitation.
func FakeModule(id string) string { return id + "/fake.mjs" }
