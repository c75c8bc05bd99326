package descriptor

// Fake is a small imitation of the host, in which `lorimer conform` proves the rest of the descriptor: nothing else can tell
// what the host's own functions return, which events it fires when, and what it makes of an answer.
//
// In scope in the snippets of Args, Events and Saw: `host` (what is imitated of it: prompt(text), context(text), notify(text),
// report(line), busy, cwd, noticed), `session` ({ id, parent, from, transcript }), `n` (counts the samples from 1), `text` (the
// prompt, the last message: whatever is said), `call` ({ name, id, input, output }), `active` (the last stop made the session go
// on), `play` (what is played: a neutral event, or another play), `how` (the same where it is no neutral event; startup for
// SessionStart).
type Fake struct {
	Pos Pos `yaml:"-"`

	Calls  Map[FakeCall] `yaml:"calls"`  // by Claude's name of a tool: the host's call of it
	Plays  Map[[]Str]    `yaml:"plays"`  // by neutral event, or another play's name: the host events that are fired, in order; absent: the host event of the event's first row
	Cannot Map[Str]      `yaml:"cannot"` // by case of conform: why it does not hold at this host

	Real *Real `yaml:"real"` // how the installed program is run against a fake model, for conform --real

	Params Expr           `yaml:"params"`             // generative: what the module is called with; `host` is in scope, and its add(name, fn) takes a handler
	Args   Map[Expr]      `yaml:"args"`               // generative, by channel: the handler's arguments, as an array; `event` is in scope too
	Modes  Map[[]Str]     `yaml:"modes"`              // generative, by mode of the shim: the arguments that the host's process has then
	Events Map[Expr]      `yaml:"events"`             // generative, by host event: a sample
	Saw    Map[Map[Expr]] `yaml:"saw" keys:"/effect"` // generative, by host event and effect: what the host takes from the handler, undefined for nothing; `event`, `result` and `thrown` are in scope too

	Payloads Map[Tree]        `yaml:"payloads" tokens:"host_event|session|agent|own|parent|transcript|cwd|text|how|active|tool|call_id|input|output|exit"` // external, by host event, with "*" before each: the payload; a member whose token has no value is left out; in a sub-agent {session} and {parent} are the main session's id, {agent} and {own} its own; {exit} is the status of a command, 1 where PostToolUseFailure is played
	Reads    Map[Map[[]Read]] `yaml:"reads" keys:"/effect"`                                                                                                // external, by host event or "*", and effect: where the host looks for it in the answer; the first that is there counts
}

// Real is how the installed program is run without a person, with a model of ours behind it that listens at {url}, a throwaway
// home, and nothing of the caller's environment but PATH.
type Real struct {
	Pos     Pos           `yaml:"-"`
	Argv    []Template    `yaml:"argv,required" tokens:"prompt"`                // behind the program: one prompt, asked to its end
	Fork    []Template    `yaml:"fork" tokens:"prompt|session"`                 // the same in a fork of the session; absent: it has none
	Env     Map[Template] `yaml:"env" tokens:"url|home|shared" keys:"variable"` // keys that are dummies, and what keeps it from calling home; {shared}: a directory that is kept from case to case and run to run (copilot unpacks 230 MB)
	Escapes Map[Str]      `yaml:"escapes"`                                      // in what hooks say: what the program writes instead of a text (qwen: &lt; for <)
	Calls   Map[FakeCall] `yaml:"calls"`                                        // by Claude's name of a tool: the call as the model makes it, where hooks see another one (codex: exec_command is Bash)
	Files   Map[Tree]     `yaml:"files" tokens:"url|clone"`                     // by ~/ path, or path in the clone: a file of its own, a mapping as JSON, a text as it is
}

// FakeCall is a tool call in the host's own words.
type FakeCall struct {
	Pos   Pos  `yaml:"-"`
	Name  Str  `yaml:"name,required"`                                                // the host's name of the tool
	Input Tree `yaml:"input,required" tokens:"command|path|content|old|new|pattern"` // object; what the token {path} stands for has to arrive as file_path, and so on
}

// Read is one place in the answer of a hook command.
type Read struct {
	Pos   Pos         `yaml:"-"`
	Exit  Int         `yaml:"exit,required"`           // only when the command ended with this code
	Where []Predicate `yaml:"where"`                   // only when all of these hold for the JSON
	On    Str         `yaml:"on" enum:"stdout|stderr"` // where the JSON is; stdout when absent (qwen reads stderr with exit code 2)
	Path  Path        `yaml:"path"`                    // of the value in the JSON; absent: stderr, trimmed
}
