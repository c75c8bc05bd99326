package configfile

import "github.com/lorimer-dev/lorimer/internal/strictyaml"

// What stands under `hooks:` is read as Claude Code reads its settings (package claudehooks). These structs are never filled:
// an editor's schema is made of them.

// One group of hooks, as Claude Code writes it.
type claudeGroup struct {
	Matcher strictyaml.Str `yaml:"matcher"`        // which tools: names such as Bash or Write|Edit, or a regular expression; absent: all
	Hooks   []claudeHook   `yaml:"hooks,required"` // what runs
}

// One hook, as Claude Code writes it.
type claudeHook struct {
	Type        strictyaml.Str   `yaml:"type,required" enum:"command"`     // command: what Claude alone can run cannot stand here
	Command     strictyaml.Str   `yaml:"command,required" form:"nonempty"` // a shell line; with args the program
	Args        []strictyaml.Str `yaml:"args"`                             // the program's arguments; then no shell reads them
	Timeout     float64          `yaml:"timeout" form:"seconds"`           // seconds; absent: as long as Claude gives it
	If          strictyaml.Str   `yaml:"if"`                               // only for calls that fit a permission rule, for example Bash(git push *); tool events alone
	Shell       strictyaml.Str   `yaml:"shell" enum:"bash"`                // what reads the line; bash
	OnFailure   strictyaml.Str   `yaml:"onFailure" enum:"continue|block"`  // block: a hook that fails counts as one that blocks
	Once        bool             `yaml:"once"`                             // Claude ignores it here: the hook runs each time
	Async       bool             `yaml:"async"`                            // it is started and not waited for, and so can block nothing
	AsyncRewake bool             `yaml:"asyncRewake"`                      // Claude wakes the model when it ends with 2; other agents wait for it
}
