package harness

// Certified is the version of a harness that Lorimer answers for: how it is installed below a root of ours, asked for its
// version, kept to itself, and what must be true of it. It is generated into golden/go/certified from a descriptor's runtime and
// contract sections; internal/certify has the only code.
type Certified struct {
	Protocol int // always Protocol1
	ID       string
	Name     string // for people
	Binary   string // base name of the executable, without .exe

	Package string  // the registry's name of it
	Version string  // the exact version
	Proofs  []Proof // the versions it was proven on, oldest first

	NPM    map[string]string // package to exact version
	System map[string]string // the same for packages that npm installs on their own system alone
	Path   map[string]string // of the executable, or of the script, below the prefix: by GOOS, "" = all others
	With   map[string]string // of the interpreter, in the same way; none = it needs no interpreter

	VersionArgv []string
	Stderr      bool   // the version is told there, not on standard output
	Pattern     string // on whole lines; group 1 is the version

	Isolate map[string]string // variables that move its files under the root; tokens {home}, {agent}, {auth}, {runtime}
	Env     map[string]string // variables that it is started with; the same tokens
	Unset   []string          // variables that would defeat the isolation: NAME or PREFIX*
	Agent   string            // slash path below HOME, without "~/", of the directory that {agent} takes the place of; may be empty
	Leaks   []string          // paths that it writes below HOME all the same, "~/" before them
	Strict  *Strict           // nil: a shim that cannot load does not stop it

	Contract *Contract // nil: nothing is known that it has to keep
}

// Proof is one version that a descriptor was proven on.
type Proof struct {
	Package, Version string
	Date, Evidence   string
	Needs            map[string]string // interpreters that it needs, with a range of versions
	Gone             bool              // no registry serves it any more
}

// Strict is the form in which a shim that cannot load stops the harness.
type Strict struct {
	Flag string // takes the shim's path
	Note string // what the user should know of it; may be empty
}

// Contract is what must be true of a version, so that an upgrade which breaks it is seen when it is certified.
type Contract struct {
	Types       string   // slash path below the prefix of the file in which the host declares its events; may be empty
	Events      []string // host events that must come
	NoEvents    []string // host events that must not exist
	Denial      *Denial  // nil: not looked at
	Isolated    []string // paths below HOME ("~/...") that move with Certified.Isolate, without HOME itself
	NotIsolated []string // those that do not
}

// Denial is how a refused approval is told.
type Denial struct {
	Argv  []string    // behind the program, instead of FakeReal.Argv; token {prompt}
	Input string      // JSON object of the call, instead of the fake's; token {command}; empty: the fake's
	Event string      // the host's event; empty: there is none
	Where []Predicate // on the event
	Reads string      // a regular expression on what the model reads in the place of the call's result; empty: not looked at
}

// Probe is the path below the output folder of a module that writes down what a host fires; of generative harnesses with a
// contract. It appends to the file that $LORIMER_FIRED names.
func Probe(id string) string { return id + "/probe.mjs" }
