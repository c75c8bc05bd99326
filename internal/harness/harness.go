package harness

import "time"

// Protocol1 is the version of the contract between generated tables, shims and engines. Every generated table names it, so
// that a table of another protocol does not compile; a shim carries the number in its CONFIG line and refuses loudly.
const Protocol1 = 1

// Protocol is the version that this build speaks.
const Protocol = Protocol1

// Kind says how a harness is joined to the dispatcher.
type Kind string

const (
	// Generative harnesses have no command hooks: their shim is an ESM module inside the agent's process.
	Generative Kind = "generative"
	// External harnesses start a command for each event, from a hook config of their own.
	External Kind = "external"
	// Bare harnesses have neither; they are known to the HAL alone.
	Bare Kind = "bare"
)

// Harness is one row of the generated table: everything that the engines need of one harness at run time.
type Harness struct {
	Protocol int    // always Protocol1
	ID       string // [a-z][a-z0-9-]*
	Name     string // for people
	Kind     Kind
	// Certified is the newest version that the row was proven on; empty: it is claimed only.
	Certified string
	Found     Found  // how a machine or a clone shows that the harness is in use
	Shim      *Shim  // generative harnesses only
	Hooks     *Hooks // external harnesses only
	Polarity  *Polarity
	Trust     string     // what the user must do before the host runs our hooks; empty = nothing
	TrustUser bool       // that is about the user's own hook file, too, and not about a project's alone
	TrustSeen *TrustSeen // how it can be seen that this was done; nil: it cannot
	TrustAsk  *TrustAsk  // how the host's own program is asked for it, and told; nil: it cannot be

	Events []Binding

	// Dirs are the tools that can be told to work in another directory than the session.
	Dirs []Dir
	// Patches are the tools whose calls touch several files, as the text of one of their arguments says.
	Patches []Patch

	// Reads are the hook configs of other harnesses that this host runs too, written as Hooks.Paths has them.
	Reads []string
	// Same are the paths whose values are equal in all payloads of one event, where the host gives a later hook what an earlier one
	// changed. None: every byte is.
	Same []string
	// Speaks tells the host's own payload when another harness's config started us. nil: nobody can tell.
	Speaks func(in In) bool
	// Means is the event that a payload is of which came as the given one: a host may use one event of its own for several things.
	// "" is none that is known. nil: always the given one.
	Means func(event Event, in In) Event
	// Normalize turns a host's payload into Claude's shape, key by key in contract order. nil: the host already speaks
	// it and its bytes are passed on unchanged.
	Normalize func(event Event, in In, out *Payload)
	// Names is the event that a payload says it is of; "" when it names none that is known. nil: payloads do not say.
	Names func(in In) Event
	// Restore turns a tool's rewritten input, in Claude's names, back into the host's; lost are keys that cannot be. nil: they
	// have the same names.
	Restore func(in In, input string) (restored string, lost []string)
	// Answer says a verdict in the host's own tongue. nil: the shim protocol of ShimAnswer.
	Answer func(event Event, v Verdict) Reply
}

// Found lists what makes a harness count as present: an executable on PATH, or a path in the clone.
type Found struct {
	Exe   []string // base names, without .exe
	Files []string // slash paths, relative to the clone
}

// Shim says where a generative harness loads the generated module from.
type Shim struct {
	Artifact string // path below golden/, for example "pi/lorimer.js"
	Project  string // slash path in the clone
	User     string // slash path below HOME, without "~/"; empty when there is none

	Companions []Companion // files that should lie beside it
}

// Hooks says where an external harness reads its hook config from and how an entry is found there.
type Hooks struct {
	Artifact        string     // path below golden/: a config with one entry an event
	FailClosed      string     // the same for events that must block when the dispatcher cannot answer
	Local           string     // slash path in the clone of the file that git ignores by convention; may be empty
	Shared          string     // slash path in the clone of the file that is usually tracked; may be empty
	User            string     // slash path below HOME, without "~/"; may be empty
	Managed         *Managed   // what an organization sets on a machine; nil: nothing is read
	Root            string     // JSON object with the keys that a fresh file needs; empty = none
	At              []string   // keys that lead to the list of groups; "{host_event}" stands for the host's event name
	HostFailsClosed bool       // the FailClosed config tells the host itself to block when the hook cannot answer
	UserFirst       bool       // entries go into the user's own file unless the user says otherwise
	LinkedMain      bool       // in a linked git worktree the host reads the main checkout's project files
	Quote           Quote      // how tokens are put into command strings
	ProjectEnv      []string   // variables in which the host names its project directory, the most certain first
	Switches        []Switch   // where a user switches all hooks of the host off, the file that counts first at the beginning
	StopCap         *StopCap   // where the host itself ends a loop of blocked stops; nil: nowhere
	RestartToApply  bool       // the host reads the file once, at start
	Version         *VersionIn // where a hook finds out the host's version; nil: nowhere
	Native          bool       // the file's hooks are in the protocol that handlers speak, so they are a source of handlers as they stand
}

// Switch is a boolean in a file of the host's that switches all its hooks off.
type Switch struct {
	File string // slash path in the clone, or with "~/" before it below HOME; JSON or TOML
	Key  string // dotted path
	Off  bool   // the value that means off
}

// Managed is the file by which an organization sets a host up for all users of a machine: absolute paths, empty where there is
// none. The files of the folder beside it with .d in the place of .json are read after it.
type Managed struct{ Linux, Darwin, Windows string }

// Path returns the file on a system, by Go's name of it; "" = none is known there.
func (m *Managed) Path(goos string) string {
	switch {
	case m == nil:
		return ""
	case goos == "darwin":
		return m.Darwin
	case goos == "windows":
		return m.Windows
	}
	return m.Linux
}

// StopCap is the blocked stop that a host does not go on from, whatever its hooks say.
type StopCap struct {
	Stops int    // counted from 1, since the last prompt
	Env   string // a variable in which the user says another number; empty = none
}

// Paths returns the hook configs: slash paths, those of the clone relative to it, the user's with "~/" before it.
func (h *Hooks) Paths() (all []string) {
	for _, p := range []string{h.Local, h.Shared} {
		if p != "" {
			all = append(all, p)
		}
	}
	if h.User != "" {
		all = append(all, "~/"+h.User)
	}
	return all
}

// Polarity says what a host makes of a hook that did not answer as it should: true = it blocks.
type Polarity struct {
	Exit1     bool // exit code 1
	ExitOther bool // any code but 0, 1 and 2
	Missing   bool // the command does not exist
	Timeout   bool // the host's limit passed
}

// Quote is the way in which {dispatcher} and {root} are written inside a command string.
type Quote string

const (
	// QuoteNone: the host starts command and args as they stand, without a shell.
	QuoteNone Quote = "none"
	// QuoteShell: the host gives the command string to a POSIX shell.
	QuoteShell Quote = "shell"
)

// Binding is what one harness makes of one neutral event.
type Binding struct {
	Event Event
	Host  string        // the host's own event name
	Can   []Effect      // what an answer to it can do
	Limit time.Duration // the host's own time limit; 0 = none

	Others []string // external: the host's other events that may be this one, beside Host
	Turns  []Event  // external: events that a start for this one may turn out to be, by its payload; see Harness.Means

	Later  Event   // the event of the same tool call with whose answer context of this one is given; "" = with its own
	Brings []Event // hooked together with this one, even where no handler wants them
}

// Hosts are all of the host's events that may be this one.
func (b Binding) Hosts() []string { return append([]string{b.Host}, b.Others...) }

// Binding returns what h makes of event, and false when the harness does not have it.
func (h *Harness) Binding(event Event) (Binding, bool) {
	for _, b := range h.Events {
		if b.Event == event {
			return b, true
		}
	}
	return Binding{}, false
}

// Has says whether an answer to the event can have the effect.
func (b Binding) Has(e Effect) bool {
	for _, x := range b.Can {
		if x == e {
			return true
		}
	}
	return false
}
