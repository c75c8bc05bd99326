package descriptor

// Hooks says where an external harness reads its hook config and what an entry of ours looks like in it.
type Hooks struct {
	Pos        Pos         `yaml:"-"`
	Files      HookFiles   `yaml:"files,required"`                                                           // the hook configs, by scope
	At         []Template  `yaml:"at,required" tokens:"host_event|event"`                                    // keys that lead to the list of groups
	Group      Tree        `yaml:"group,required" tokens:"entry|event|host_event"`                           // what is appended to that list; may be "{entry}" alone
	Entry      Tree        `yaml:"entry,required" tokens:"dispatcher|args|command|timeout|event|host_event"` // the command; {args} is a list of its own, {command} both in one string
	FailClosed Tree        `yaml:"fail_closed"`                                                              // object merged into the entry of events that must block when the dispatcher cannot answer
	Root       Tree        `yaml:"root"`                                                                     // object: top-level keys that a fresh file needs (cursor: version)
	Quote      Str         `yaml:"quote" enum:"none|shell"`                                                  // who reads the entry; none (also when absent): no shell does; shell: {command} goes to a POSIX shell
	Timeout    HookTimeout `yaml:"timeout,required"`                                                         // what {timeout} becomes
	ProjectEnv []Str       `yaml:"project_env" form:"variable"`                                              // variables in which the host names its project directory, the most certain first
	Scope      Str         `yaml:"scope" enum:"project|user"`                                                // where entries go unless the user says so: project (also when absent), or user (codex: one file to trust for all clones)
	Linked     Str         `yaml:"linked" enum:"own|main"`                                                   // whose project files the host reads in a linked git worktree: its own (also when absent), or the main checkout's (codex)
	Voids      []Predicate `yaml:"voids"`                                                                    // what makes the host drop a whole file, on values in a group, or with key {host_event} on an event's name: never to be emitted (cursor: a URL in a command, an event that it does not know)

	RestartToApply bool       `yaml:"restart_to_apply"` // the host reads the file once, at start
	Switches       []Switch   `yaml:"switches"`         // where a user switches all hooks of the host off, the file that counts first at the beginning: doctor looks there
	StopCap        *StopCap   `yaml:"stop_cap"`         // where the host itself ends a loop of blocked stops; absent: nowhere, or where no prompt of the user's counts
	Version        *VersionIn `yaml:"version"`          // where a hook finds out the host's version, which receipts then name; absent: nowhere
}

// Switch is a value in a file of the host's that switches all its hooks off.
type Switch struct {
	Pos  Pos      `yaml:"-"`
	File FilePath `yaml:"file,required" path:"clone|user"` // JSON, with comments or without, or TOML
	Key  Str      `yaml:"key,required"`                    // a dotted path to a boolean (gemini: hooksConfig.enabled)
	Off  bool     `yaml:"off"`                             // the value that means off; false when absent
}

// StopCap is the blocked stop that a host does not go on from, whatever its hooks say.
type StopCap struct {
	Pos   Pos `yaml:"-"`
	Stops Int `yaml:"stops,required"`      // counted from 1, since the last prompt (qwen: 8, so it goes on seven times)
	Env   Str `yaml:"env" form:"variable"` // a variable in which the user says another number
}

// VersionIn is where the host tells its hooks which version it is: in a variable, or where that says nothing in its payload.
type VersionIn struct {
	Pos   Pos    `yaml:"-"`
	Env   Str    `yaml:"env" form:"variable"` // a variable's name
	Key   Str    `yaml:"key"`                 // a dotted path in the payload
	Match Regexp `yaml:"match"`               // group 1 is the version; absent: the whole text. "2-1-332" is read as 2.1.332
}

// HookFiles are the hook configs by scope. At least one is set.
type HookFiles struct {
	Pos    Pos      `yaml:"-"`
	Local  FilePath `yaml:"local" path:"clone"`  // the file in the clone that git ignores by convention (claude)
	Shared FilePath `yaml:"shared" path:"clone"` // the file in the clone that is usually tracked
	User   FilePath `yaml:"user" path:"user"`    // the user's own file

	Managed *ManagedFile `yaml:"managed"` // what an organization sets on a machine, with `payload: native`: its hooks are a source of handlers, too; absent: nothing is
}

// ManagedFile is the file by which an organization sets a machine's agents up, on each system. Those of the folder beside it that
// is named like it, but .d instead of .json, are read after it in the order of their names, and overrule it. At least one is set.
type ManagedFile struct {
	Pos     Pos `yaml:"-"`
	Linux   Str `yaml:"linux" form:"managed"`   // an absolute path that ends with .json
	Darwin  Str `yaml:"darwin" form:"managed"`  // the same on macOS
	Windows Str `yaml:"windows" form:"managed"` // the same on Windows, where it begins with a drive
}

// HookTimeout is the host's way to say a hook's time limit.
type HookTimeout struct {
	Pos     Pos      `yaml:"-"`
	Unit    Str      `yaml:"unit,required" enum:"s|ms"` // what the host counts in
	Default Duration `yaml:"default,required"`          // what an entry asks for, where `limits` says nothing else
	MsFrom  Int      `yaml:"ms_from"`                   // beside unit s: the host takes numbers from this one on for milliseconds, so longer limits are written in those (qwen: 1000)
}

// Payload says how the base keys are found in the host's payload. `payload: native`: the host already sends Claude's
// shape, and its bytes are passed on as they are.
type Payload struct {
	Pos    Pos
	Native bool
	Keys   Map[Source] // base key to where it is; hook_event_name: where the payload names its event, so that a start without arguments can be served; empty when native
}

// Polarity is what the host makes of a hook that did not answer: each is allow or block.
type Polarity struct {
	Pos       Pos `yaml:"-"`
	Exit1     Str `yaml:"exit_1" enum:"allow|block"`     // exit code 1
	ExitOther Str `yaml:"exit_other" enum:"allow|block"` // any code but 0, 1 and 2
	Missing   Str `yaml:"missing" enum:"allow|block"`    // the command does not exist
	Timeout   Str `yaml:"timeout" enum:"allow|block"`    // the host's limit passed
}

// Answer is what the dispatcher says to the host: one form, or one an operating system.
type Answer struct {
	Pos     Pos
	Default Form
	OS      Map[Form] // linux, darwin, windows; written `{ default: {...}, windows: {...} }`
}

// Form is one answer, in the three ways a process can speak.
type Form struct {
	Pos    Pos  `yaml:"-"`
	Exit   Int  `yaml:"exit,required" form:"status"`                                                                    // exit code: 2 blocks, 0 does not
	Stderr Tree `yaml:"stderr" tokens:"reason|context|event|host_event|notice"`                                         // what is written to stderr, in the same way (qwen takes a reason that is JSON for an answer, so the answer is JSON)
	Stdout Tree `yaml:"stdout" tokens:"reason|context|event|host_event|input|output|output_text|result|why|notice|env"` // an object is written as JSON, a string as it is; "{input}" or "{output}" alone is the JSON that it stands for, {output_text} the text of a result in the form of Claude's tools, {result} that with the reason and the context behind it
}
