package descriptor

// Headless is how the supervisor drives the harness without a person: what it starts, and how it reads what comes back.
type Headless struct {
	Pos    Pos     `yaml:"-"`
	Binary *Binary `yaml:"binary"` // how the executable is found; absent: its detect.process name on PATH

	// Common are the arguments that every method begins with
	Common []Arg `yaml:"common" tokens:"model|effort|agent|session|base|permission|sandbox|tools|allowed_tools|denied_tools|empty_mcp|budget|ping_budget|cwd|prompt"`

	// Methods are train, fork, continue, rebase, ping; an absent one is refused by its name
	Methods Map[Method] `yaml:"methods,required" tokens:"model|effort|agent|session|base|permission|sandbox|tools|allowed_tools|denied_tools|empty_mcp|budget|ping_budget|cwd|prompt"`
	Prompt  Str         `yaml:"prompt,required" enum:"stdin|argument|file"` // how it gets the prompt: on stdin, as the last argument, or in a file

	Tag     Str       `yaml:"tag"`     // field of a stream line that names its type; absent: type
	Stream  Map[Pick] `yaml:"stream"`  // facts in the stream: session, model, text, first, turns, denials, and what `outcome` asks for
	Outcome []Rule    `yaml:"outcome"` // the first whose conditions hold is the result; the last has none
	Usage   *Usage    `yaml:"usage"`   // how tokens are counted
	Cache   *Cache    `yaml:"cache"`   // how long a base stays warm

	Scrub  []Str    `yaml:"scrub" form:"variables"`  // variables that the child must not inherit; NAME or PREFIX*
	Pin    Map[Str] `yaml:"pin" keys:"variable"`     // variables that it must have
	Marker []Str    `yaml:"marker" form:"variable"`  // variables by which its children are known in the process table
	Lock   Str      `yaml:"lock" enum:"ours|theirs"` // who keeps two runs from writing one transcript; absent: ours
	Prefix []Str    `yaml:"prefix"`                  // launch facts that change the cached prefix: the fingerprint

	Quiet           Map[Tree]  `yaml:"quiet"`            // settings a headless run needs (omp: async.enabled false, else no session_stop)
	PermissionModes []Str      `yaml:"permission_modes"` // the closed list of the host's own words
	FullModel       Regexp     `yaml:"full_model"`       // what a full model id looks like; an alias is refused
	Prices          Map[Price] `yaml:"prices"`           // by model id
	Stall           Duration   `yaml:"stall"`            // silence after which a run counts as stalled
	TermWait        Duration   `yaml:"term_wait"`        // between TERM and KILL
}

// Binary is how the executable is found: a variable that names it, else a name on PATH.
type Binary struct {
	Pos  Pos `yaml:"-"`
	Env  Str `yaml:"env"`           // variable that names the executable
	Name Str `yaml:"name,required"` // its name on PATH
}

// Method is one command line: a list of arguments, or a mapping where the prompt goes another way than usual.
type Method struct {
	Pos    Pos
	Argv   []Arg // a method with {session} in it has an id that we chose; otherwise it is read from the stream
	Prompt Str   // stdin, argument or file, when it is not the section's
}

// Arg is one argument, or a flag with its value. An argument whose only token is empty is dropped, with its flag.
type Arg struct {
	Pos   Pos
	Flag  Str // with `{ flag, value, when }`
	Value Template
	When  Str // token that must not be empty for the argument to be given
}

// Pick reads a path from every line of a type and folds the values.
type Pick struct {
	Pos   Pos         `yaml:"-"`
	On    Str         `yaml:"on,required"`                          // type of the line; "*" = every one
	Where []Predicate `yaml:"where"`                                // on the line
	Path  Path        `yaml:"path,required"`                        // of the value, in the line
	Fold  Str         `yaml:"fold" enum:"last|first|sum|count|set"` // what becomes of several values; set: the distinct ones; absent: last
}

// Rule gives a finished run its status.
type Rule struct {
	Pos    Pos         `yaml:"-"`
	When   []Predicate `yaml:"when"`                                            // on the stream's facts and on exit, signal, killed_by, timed_out, model_changed, result
	Status Str         `yaml:"status,required" enum:"ok|failed|killed|timeout"` // how the run counts
	Reason Template    `yaml:"reason" tokens:"killed_by"`                       // one word, as the ledger has it
	Flags  []Str       `yaml:"flags"`                                           // flags raised with it, for example needs_attention
}

// Usage says how the harness counts tokens.
type Usage struct {
	Pos    Pos         `yaml:"-"`
	Scope  Str         `yaml:"scope,required" enum:"run|session"` // what the numbers are of; session: a fork's go on from its parent's (codex)
	On     Str         `yaml:"on,required"`                       // type of the line
	Where  []Predicate `yaml:"where"`                             // on the line
	Fold   Str         `yaml:"fold" enum:"last|sum"`              // what becomes of several lines; absent: last
	Input  Path        `yaml:"input"`                             // tokens that went in
	Output Path        `yaml:"output"`                            // tokens that came out
	Read   Path        `yaml:"read"`                              // read from the cache
	Write  Path        `yaml:"write"`                             // written to the cache
	Write1 Path        `yaml:"write_1h"`                          // the part of it with the long life (claude)
	Cost   Path        `yaml:"cost"`                              // US dollars, when the harness says them; absent: by `prices`
	Dedupe Path        `yaml:"dedupe"`                            // id by which repeated rows of a transcript are known (claude: requestId)

	InputIncludesCache bool `yaml:"input_includes_cache"` // input contains read and write (codex, gemini)

	Otherwise *UsageOtherwise `yaml:"otherwise"` // what counts of a line that tells only zeros by the paths above

	Check *UsageCheck `yaml:"check"` // other lines that must add up to the same; where they do not, a job is flagged usage_mismatch
}

// UsageOtherwise is where a line tells usage that it leaves out in its usual place. What stands there in a list is added up.
type UsageOtherwise struct {
	Pos    Pos  `yaml:"-"`
	Input  Path `yaml:"input,required"`  // tokens that went in
	Output Path `yaml:"output,required"` // tokens that came out
	Read   Path `yaml:"read"`            // read from the cache
	Write  Path `yaml:"write"`           // written to the cache
	Write1 Path `yaml:"write_1h"`        // the part of it with the long life
}

// UsageCheck says which other lines tell what went in: its sum is held against that of the lines that count.
type UsageCheck struct {
	Pos    Pos         `yaml:"-"`
	On     Str         `yaml:"on,required"`    // type of the line
	Where  []Predicate `yaml:"where"`          // on the line
	Dedupe Path        `yaml:"dedupe"`         // id by which repeated lines are known (claude: one a content block)
	Input  Path        `yaml:"input,required"` // tokens that went in
	Read   Path        `yaml:"read"`           // read from the cache
	Write  Path        `yaml:"write"`          // written to the cache
}

// Cache says how long a prompt cache lives and how it is kept warm.
type Cache struct {
	Pos     Pos     `yaml:"-"`
	TTL     []TTL   `yaml:"ttl,required"`          // the first whose conditions hold; the last has none
	KeepBy  Str     `yaml:"keep_by"`               // method that touches it; absent: nothing does
	MinRead float64 `yaml:"min_read" form:"share"` // share of the base's context, 0 to 1, that must be read for a hit
}

// TTL is the life of the cache under conditions on env.NAME and launch facts.
type TTL struct {
	Pos  Pos         `yaml:"-"`
	When []Predicate `yaml:"when"`         // on env.NAME and launch facts; absent: always
	For  Duration    `yaml:"for,required"` // how long
}

// Price is what a model costs, in US dollars for a million tokens, and its context window in tokens.
type Price struct {
	Pos    Pos     `yaml:"-"`
	In     float64 `yaml:"in,required"`  // tokens that go in
	Out    float64 `yaml:"out,required"` // tokens that come out
	Read   float64 `yaml:"read"`         // tokens read from the cache
	Write  float64 `yaml:"write"`        // tokens written to the cache
	Write1 float64 `yaml:"write_1h"`     // tokens written to the cache for an hour (claude)
	Window int     `yaml:"window"`       // context window, in tokens
}
