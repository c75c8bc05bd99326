package descriptor

// Sections that may be written in several ways are read from these: the mapping that stands where another descriptor has
// one word, one path or one snippet.

// Context that is kept for a later row.
type heldContext struct {
	Hold Str  `yaml:"hold,required"` // the slot that keeps it, until a `deliver` row takes it out (pi, opencode)
	Key  Expr `yaml:"key"`           // what tells calls that run at the same time apart; the `deliver` row has one too (pi)
}

// A source with more to say than its path.
type sourceForm struct {
	Pos    Pos      `yaml:"-"`
	Path   paths    `yaml:"path"`   // where the value is; of several paths the first with a value counts
	Values Map[Str] `yaml:"values"` // the host's word to Claude's (copilot: new is startup); others pass unchanged
	Cut    Regexp   `yaml:"cut"`    // what is taken out of the text, because it is not the host's to say (gemini: the prompt begins with the context that we gave at the session's start)
	Value  Str      `yaml:"value"`  // a constant, instead of a path
}

// Answers that differ between operating systems.
type answersByOS struct {
	Default Form  `yaml:"default"` // for all that are not named
	Linux   *Form `yaml:"linux"`   // on Linux
	Darwin  *Form `yaml:"darwin"`  // on macOS
	Windows *Form `yaml:"windows"` // on Windows
}

// Paths that differ between operating systems.
type pathsByOS struct {
	Linux   *FilePath `yaml:"linux"`   // on Linux
	Darwin  *FilePath `yaml:"darwin"`  // on macOS
	Windows *FilePath `yaml:"windows"` // on Windows
}

// How the host is told to stop when the shim does not load.
type strictForm struct {
	Flag Str `yaml:"flag,required"` // command-line flag that takes the shim's path (omp: --trusted-extension)
	Note Str `yaml:"note"`          // what the user should know of it (omp: leaves the user's own extensions out)
}

// What the user must do before hooks fire.
type trustForm struct {
	Do   Str        `yaml:"do,required"` // said to the user
	User bool       `yaml:"user"`        // the user's own hook file has to be trusted, too (codex)
	Seen *TrustSeen `yaml:"seen"`        // how doctor sees that it was done; absent: it cannot
	Ask  *TrustAsk  `yaml:"ask"`         // how the host's own program is asked what it trusts, and told (codex)
}

// A method whose prompt goes another way than usual.
type methodForm struct {
	Argv   []Arg `yaml:"argv,required"`                     // the arguments; with {session} in them the session has an id that we chose
	Prompt Str   `yaml:"prompt" enum:"stdin|argument|file"` // how this method gets its prompt
}

// A flag with its value.
type argForm struct {
	Flag  Str      `yaml:"flag,required"` // the flag
	Value Template `yaml:"value"`         // its value; the flag is dropped when the only token in it is empty
	When  Str      `yaml:"when"`          // token that must not be empty for the argument to be given
}
