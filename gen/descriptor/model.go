package descriptor

import "github.com/lorimer-dev/lorimer/internal/strictyaml"

// These are strictyaml's scalars; every one knows its place in the file, so that a later stage can name it.
type (
	Pos      = strictyaml.Pos
	Str      = strictyaml.Str
	Strs     = strictyaml.Strs
	Int      = strictyaml.Int
	Duration = strictyaml.Duration
	Regexp   = strictyaml.Regexp
	Tree     = strictyaml.Tree
)

// Map is a mapping whose keys the file chooses, in the file's order.
type Map[V any] = strictyaml.Map[V]

// Descriptor is everything Lorimer knows of one harness.
type Descriptor struct {
	File   string `yaml:"-"` // name that faults carry, for example "harnesses/pi.yaml"
	Source []byte `yaml:"-"` // the file's text, in which later stages may look up places

	ID       Str `yaml:"id,required" form:"id"`     // the file's name without .yaml
	Name     Str `yaml:"name,required" form:"text"` // what people call it
	Homepage Str `yaml:"homepage" form:"https"`     // where to read about it
	Family   Str `yaml:"family" form:"id"`          // the id of the harness it is a fork or a relative of (omp: pi)

	Certified []Certified `yaml:"certified"` // the versions it was proven on, oldest first; empty: claimed only

	Detect       *Detect      `yaml:"detect"`       // how a process finds out that it runs inside this harness
	Capabilities []Capability `yaml:"capabilities"` // the row of the HAL's matrix, by version range

	Shim *Shim `yaml:"shim"` // how it loads a JavaScript module and what the module finds there; makes the harness generative

	Hooks     *Hooks      `yaml:"hooks"`                        // where it reads its hook config and what an entry of ours looks like there; makes the harness external
	Payload   *Payload    `yaml:"payload"`                      // external: how the base keys are found in the host's payload
	Polarity  *Polarity   `yaml:"polarity"`                     // external: what the host makes of a hook that did not answer properly
	Speaker   []Predicate `yaml:"speaker"`                      // external: how its payload is told when another harness's config started us
	Same      []Path      `yaml:"same"`                         // external: what is equal in all payloads of one event, and in no other's, where the host gives a later hook what an earlier one changed (copilot); absent: every byte
	AlsoReads []FilePath  `yaml:"also_reads" path:"clone|user"` // external: other harnesses' config files that this host runs too

	Events  Events      `yaml:"events"`  // host events to neutral events
	Answers Map[Answer] `yaml:"answers"` // external: named templates of what the dispatcher says to the host

	Tools  Tools         `yaml:"tools"`               // tool names and arguments, host's to Claude's
	Limits Map[Duration] `yaml:"limits" keys:"limit"` // the host's own time limit of a hook, by neutral event; "*" = all others

	Companions []Companion `yaml:"companions"` // files that must lie beside the shim (opencode)
	Skills     *Skills     `yaml:"skills"`     // where the host looks for skill documents

	Gates    *Gates    `yaml:"gates"`    // features that can be locked, and how
	Runtime  *Runtime  `yaml:"runtime"`  // how the certified runtime is installed, verified and isolated
	Headless *Headless `yaml:"headless"` // how the supervisor drives it
	Contract *Contract `yaml:"contract"` // facts of the host that an upgrade must not change unseen
	Trust    *Trust    `yaml:"trust"`    // what the user must do before hooks fire

	Fake  *Fake  `yaml:"fake"`  // a small imitation of the host, for conform
	Notes []Note `yaml:"notes"` // dated facts about the host, with their source
}

// Certified is one version that the descriptor was proven on.
type Certified struct {
	Pos       Pos      `yaml:"-"`
	Package   Str      `yaml:"package,required"`          // the registry's name of it
	Version   Version  `yaml:"version,required"`          // the exact version
	Date      Str      `yaml:"date,required" form:"date"` // day of the proof
	Evidence  Str      `yaml:"evidence"`                  // where the proof can be read
	Needs     Map[Str] `yaml:"needs"`                     // runtimes it needs, with a version range (omp: bun; pi: node)
	Available *bool    `yaml:"available"`                 // false: no registry serves it any more; absent means true
}

// Note is a dated fact that somebody measured or read.
type Note struct {
	Pos    Pos `yaml:"-"`
	Date   Str `yaml:"date,required" form:"date"` // when it was measured or read
	Text   Str `yaml:"text,required"`             // the fact
	Source Str `yaml:"source"`                    // where it was read or measured
}

// Predicate is the one form in which data is tested, wherever data is tested: exactly one of the operations is set.
type Predicate struct {
	Pos     Pos    `yaml:"-"`
	Key     Str    `yaml:"key,required"` // a gjson path, a variable's name or a fact's, as the field says
	In      []Str  `yaml:"in"`           // the value is one of these
	NotIn   []Str  `yaml:"not_in"`       // the value is none of these; an absent value is none of them
	Match   Regexp `yaml:"match"`        // the value is there and matches somewhere in it
	Absent  bool   `yaml:"absent"`       // there is no value
	Present bool   `yaml:"present"`      // there is a value
}
