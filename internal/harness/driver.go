package harness

import (
	"strings"
	"time"
)

// Driver is how the supervisor runs one harness without a person: what it starts, how it reads what comes back, what it costs.
// It is generated into golden/go/driver from a descriptor's headless section; the supervisor has the only code.
type Driver struct {
	Protocol int // always Protocol1
	ID       string
	Name     string // for people

	BinaryEnv  string   // variable that names the executable; empty = none
	BinaryName string   // its name on PATH
	Version    []string // arguments that make it print its version; nil = it is not asked
	VersionRE  string   // group 1 is the version

	Methods map[string]Call // train, fork, continue, rebase, ping; an absent one is refused by its name

	Tag     string          // field of a stream line that names its type
	Stream  map[string]Pick // facts of the stream by name
	Outcome []Rule          // the first that holds is the result; the last has no conditions
	Usage   *Usage          // nil = it tells no tokens
	Cache   *CacheLife      // nil = nothing is known to be cached

	Scrub    []string          // variables that a child must not inherit; NAME or PREFIX*
	Pin      map[string]string // variables that it must have
	Marker   []string          // variables by which its children are known; their value is the session's id
	OwnLock  bool              // the harness keeps two processes off one session by itself
	Prefix   []string          // launch facts that change the cached prefix: the fingerprint
	Quiet    map[string]string // settings a headless run needs, as JSON
	Modes    []string          // permission modes, the host's own words; nil = it has none
	FullRE   string            // what a full model id looks like; empty = any
	Prices   map[string]Price  // by model id
	Stall    time.Duration     // silence after which a run counts as stalled
	TermWait time.Duration     // between TERM and KILL
}

// The methods of a Driver.
const (
	Train      = "train"    // a new session: a base
	Fork       = "fork"     // a session that goes on from a base and leaves it as it is
	ContinueIt = "continue" // one more turn of a session
	Rebase     = "rebase"   // a fork that becomes a base
	Ping       = "ping"     // touches a base's cache and leaves nothing behind
)

// Call is one command line.
type Call struct {
	Argv   []Arg
	Prompt PromptBy
}

// Chooses says whether the call takes the id of the session that it makes: token {session}. Otherwise the stream tells it.
func (c Call) Chooses() bool { return c.Takes("session") }

// Takes says whether the call takes the value of a token.
func (c Call) Takes(token string) bool {
	for _, a := range c.Argv {
		if strings.Contains(a.Value, "{"+token+"}") {
			return true
		}
	}
	return false
}

// Arg is one argument, or a flag with its value. Tokens in the value are replaced; an argument whose only token is empty is
// dropped, with its flag.
type Arg struct {
	Flag  string
	Value string
	When  string // token that must not be empty for the argument to be given
}

// PromptBy says how a harness gets the prompt.
type PromptBy string

const (
	ByStdin    PromptBy = "stdin"
	ByArgument PromptBy = "argument" // the last one
	ByFile     PromptBy = "file"     // token {prompt} is its path
)

// Pick reads a path from every line of a type and folds the values.
type Pick struct {
	On    string // type of the line; "*" = every one
	Where []Predicate
	Path  string // gjson path
	Fold  Fold   // empty = FoldLast
}

// Fold makes one value of many.
type Fold string

const (
	FoldLast  Fold = "last"
	FoldFirst Fold = "first"
	FoldSum   Fold = "sum"
	FoldCount Fold = "count"
	FoldSet   Fold = "set" // the distinct ones, in the order of their first sight
)

// Rule gives a finished run its status.
type Rule struct {
	When   []Predicate // on the stream's facts and exit, signal, killed_by, timed_out, model_changed, result
	Status string      // ok, failed, killed or timeout
	Reason string      // one word; {killed_by} is that fact
	Flags  []string    // raised with it
}

// Usage says how the harness counts tokens. A path that is empty is not told.
type Usage struct {
	PerSession bool // a fork's numbers go on from its parent's
	On         string
	Where      []Predicate
	Sum        bool   // of all lines, not the last line's
	Input      string // gjson paths in the line
	Output     string
	Read       string // from the cache
	Write      string // to the cache
	Write1h    string // the part of it with the long life
	Cost       string // US dollars
	Dedupe     string // id by which repeated rows are known

	InputIncludesCache bool // Input contains Read and Write

	Otherwise *Usage // paths that count in a line where those above tell only zeros; nil = there are none

	Check *Usage // other lines whose Input, Read and Write must add up to the same; nil = there are none
}

// CacheLife says how long a prompt cache lives and how it is kept warm.
type CacheLife struct {
	TTL     []TTL   // the first that holds; the last has no conditions
	KeepBy  string  // method that touches it; empty = nothing does
	MinRead float64 // share of the base's context that must be read for a hit; 0 = the supervisor's own
}

// TTL is the life of a cache under conditions on env.NAME and launch facts.
type TTL struct {
	When []Predicate
	For  time.Duration
}

// Price is what a model costs, in US dollars for a million tokens, and its context window in tokens (0 = unknown).
type Price struct {
	In, Out, Read, Write, Write1h float64
	Window                        int
}
