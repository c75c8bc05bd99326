package descriptor

// Detect is how a process finds out, from inside, that this harness runs it. The HAL asks in the order of the sections.
type Detect struct {
	Pos        Pos         `yaml:"-"`
	Env        []Predicate `yaml:"env"`                         // on environment variables; any one that holds is a sign. What is empty or not there never is
	SessionEnv []Str       `yaml:"session_env" form:"variable"` // variables that hold the session's id, whatever the version; the first non-empty wins
	Process    []Process   `yaml:"process"`                     // an ancestor that looks like this
	Files      []FilePath  `yaml:"files" path:"clone"`          // paths in the workspace that show the harness is used there
	Before     []Str       `yaml:"before"`                      // ids that must be asked after this one (omp sets CLAUDECODE too: before claude)
}

// Process is what an ancestor process looks like: exactly one of the two is set.
type Process struct {
	Pos    Pos `yaml:"-"`
	Exe    Str `yaml:"exe" form:"exe"` // exact base name of the executable
	Script Str `yaml:"script"`         // end of the script's path, links resolved, when the executable is an interpreter (omp under bun)
}

// Capability is the HAL's row for a range of versions. The first range that a version is below wins; an unknown version
// gets the last.
type Capability struct {
	Pos          Pos      `yaml:"-"`
	Until        Version  `yaml:"until"`                                                                        // versions below this one; absent only in the last range
	AsOf         Str      `yaml:"as_of"`                                                                        // label under which the matrix can be asked for, for example "seed"
	Hooks        Str      `yaml:"hooks,required" enum:"full|partial|none"`                                      // what becomes of hooks in it; supportsHooks() is true for full alone
	Startup      Str      `yaml:"startup,required" enum:"hook_injection|startup_fallback|polling"`              // how a new session gets its first instructions
	GUPP         Str      `yaml:"gupp,required" enum:"hook_injection|startup_fallback|prompt_preamble|polling"` // how an idle session is told that there is work
	Stall        Duration `yaml:"stall,required"`                                                               // silence after which an agent counts as stalled
	Nudge        Duration `yaml:"nudge,required"`                                                               // time between two nudges
	NudgeSupport Str      `yaml:"nudge_support" enum:"filesystem|rendezvous|limited|none"`                      // the way in which a running session can be nudged
	ContextFork  bool     `yaml:"context_fork"`                                                                 // a session can be forked with its context
	Restart      bool     `yaml:"restart"`                                                                      // a session can be ended and taken up again with its context
	SessionIDEnv Strs     `yaml:"session_id_env" form:"variable?"`                                              // the matrix's cell: which of detect.session_env these versions set, or GT_SESSION_ID
	Labels       Map[Str] `yaml:"labels" keys:"cell"`                                                           // the matrix's own word for a cell, by key (cursor: startup "Command palette"); name is the column's head

	StartupCommands []Template `yaml:"startup_commands" tokens:"role"` // what startup_fallback runs; absent: the HAL's default
}
