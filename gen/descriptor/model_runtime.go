package descriptor

// Runtime is how a certified version is installed under a root of ours, verified and kept to itself.
type Runtime struct {
	Pos     Pos            `yaml:"-"`
	Install Install        `yaml:"install,required"`                                         // where the binary comes from
	Version VersionCommand `yaml:"version,required"`                                         // how the binary is asked for its version
	Isolate Map[Template]  `yaml:"isolate" tokens:"home|agent|auth|runtime" keys:"variable"` // variables that move its files under our root
	Env     Map[Template]  `yaml:"env" tokens:"home|agent|auth|runtime" keys:"variable"`     // variables it is started with
	Unset   []Str          `yaml:"unset" form:"variables"`                                   // variables that would defeat the isolation; NAME or PREFIX*
	Agent   FilePath       `yaml:"agent" path:"user"`                                        // the directory below HOME that {agent} takes the place of (omp: ~/.omp/agent)
	Leaks   []FilePath     `yaml:"leaks" path:"user"`                                        // paths it writes all the same
	Strict  *Strict        `yaml:"strict"`                                                   // the form in which a shim that cannot load stops the host
}

// Install is where the binary comes from.
type Install struct {
	Pos    Pos          `yaml:"-"`
	NPM    Map[Version] `yaml:"npm"`                          // package to exact version
	System Map[Version] `yaml:"system"`                       // packages that npm installs on their own system alone, to exact version (omp: @oven/bun-linux-x64)
	Binary PerOS        `yaml:"binary,required" path:"clone"` // slash path below the install prefix
	With   PerOS        `yaml:"with" path:"clone"`            // interpreter that runs it, below the prefix (omp: bun)
}

// VersionCommand asks a binary for its version.
type VersionCommand struct {
	Pos     Pos    `yaml:"-"`
	Argv    []Str  `yaml:"argv,required"`               // arguments that make it print its version
	Stream  Str    `yaml:"stream" enum:"stdout|stderr"` // where it prints it; absent: stdout
	Pattern Regexp `yaml:"pattern,required"`            // on whole lines; group 1 is the version
}

// Strict is how the host is told to stop when the shim does not load. `strict: none`: it cannot be told.
type Strict struct {
	Pos  Pos
	None bool // the section is the word none
	Flag Str  // command-line flag that takes the shim's path (omp: --trusted-extension)
	Note Str  // what the user should know of it (omp: leaves the user's own extensions out)
}

// Contract is a list of facts that certification checks, so that an upgrade which breaks one is seen there.
type Contract struct {
	Pos         Pos        `yaml:"-"`
	Types       PerOS      `yaml:"types" path:"clone"`       // file below the install prefix in which the host declares its events
	Events      []Str      `yaml:"events"`                   // events that must exist
	NoEvents    []Str      `yaml:"no_events"`                // events that must not exist
	Denial      *Denial    `yaml:"denial"`                   // what a refused approval looks like
	Isolated    []FilePath `yaml:"isolated" path:"user"`     // paths of HOME that move with runtime.isolate
	NotIsolated []FilePath `yaml:"not_isolated" path:"user"` // paths that do not
}

// Denial is how a refused approval is told: by an event (omp: tool_approval_resolved with approved false), to the model, or both.
type Denial struct {
	Pos   Pos         `yaml:"-"`
	Argv  []Template  `yaml:"argv" tokens:"prompt"`   // instead of fake.real's: a run in which a shell call needs an approval that nobody can give
	Input Tree        `yaml:"input" tokens:"command"` // of that call, instead of fake's, where the call itself asks for more than is allowed; object
	Event Str         `yaml:"event"`                  // the host's event
	Where []Predicate `yaml:"where"`                  // on the event
	Reads Regexp      `yaml:"reads"`                  // what the model reads in the place of the call's result
}

// Validate checks that a denial can be seen.
func (d *Denial) Validate(c *reader) {
	if !d.Event.Set() && !d.Reads.Set() {
		c.ReportAt(d.Pos, fault{What: "contract.denial does not say how a refused approval is seen", Expected: "event, reads or both"})
	}
}

// Trust is what the user must do before hooks fire. `trust: none`: nothing.
type Trust struct {
	Pos  Pos
	None bool       // the section is the word none
	Do   Str        // said to the user
	User bool       // the user's own hook file has to be trusted, too
	Seen *TrustSeen // how doctor sees that it was done; nil: it cannot
	Ask  *TrustAsk  // how the host's own program is asked what it trusts, and told; nil: it cannot be
}

// TrustAsk is a program of the host's that speaks JSON-RPC, one message a line, on its standard streams: what it trusts is
// asked there, and for `lorimer materialize --trust` written there, so that no file of the host's own is ever edited.
type TrustAsk struct {
	Pos     Pos         `yaml:"-"`
	Argv    []Str       `yaml:"argv,required"`                // behind the host's executable
	Open    []RPC       `yaml:"open"`                         // said first, in this order
	List    RPC         `yaml:"list,required"`                // asks for the hooks as the host sees them; "{root}" is the clone
	Items   Path        `yaml:"items,required"`               // of the answer's result: the list of hooks
	Command Path        `yaml:"command,required"`             // of a hook: what it starts; it is ours when materialize wrote exactly that
	Key     Path        `yaml:"key,required"`                 // of a hook: under which trust is kept
	Hash    Path        `yaml:"hash,required"`                // of a hook: what has to be trusted of it
	Trusted []Predicate `yaml:"trusted,required"`             // on a hook: it is trusted
	Grant   Tree        `yaml:"grant,required" tokens:"hash"` // what is kept under the key
	Write   RPC         `yaml:"write,required"`               // keeps it; "{grants}" alone is the object of all keys with their grants
}

// RPC is one message to such a program.
type RPC struct {
	Pos    Pos  `yaml:"-"`
	Method Str  `yaml:"method,required"`             // what is asked for
	Params Tree `yaml:"params" tokens:"root|grants"` // with what
	Notify bool `yaml:"notify"`                      // it is not answered
}

// TrustSeen is a file of the host in which trust can be read.
type TrustSeen struct {
	Pos   Pos         `yaml:"-"`
	File  FilePath    `yaml:"file,required" path:"clone|user"` // ~/ path, or slash path in the clone
	Where []Predicate `yaml:"where"`                           // on its JSON, where {root} in a key is the clone or the nearest directory above it that the file speaks of; absent: it is enough that the file is there
}
