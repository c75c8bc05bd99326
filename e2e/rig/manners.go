//go:build linux

package rig

import "regexp"

// Manners are what a host makes of things, in its own words and by its own ways: measured, and held by the cases so that a change
// is seen. The zero value is a host that says what it was told and nothing more.
type Manners struct {
	// What the model reads. Tokens: {tool}, {line} (the command of the call), {reason}, {xml} (the reason, escaped),
	// {command} (of the hook's entry), {result} (what a command wrote), {context}.
	Denied    string            // in place of a blocked tool's answer; empty = the reason
	Continued string            // after the answer that a blocked stop was about; empty = the reason, as the user's message
	Beside    map[string]string // by event, "" = any other: a call's answer with the context that hooks gave; nil = tool, then context
	Opening   string            // before the first of those answers
	Order     Order             // of those answers, where calls run at the same time and are told as they end

	Around  *regexp.Regexp           // what stands around results and reasons; the first group of it stays. nil = nothing
	HookRun *regexp.Regexp           // what names the hook in Continued, and differs from run to run; nil = nothing
	Note    func(text string) string // what it makes of a note on a result; nil = nothing

	// What hooks are not told.
	NoCallID      bool // the id of a call
	NoLastMessage bool // what the model said last

	// Sessions. What goes on from another session is a fork.
	ForkSource string // how a fork's SessionStart names its source; empty = fork
	Resumes    bool   // it has no forks: the session itself is taken up again

	// How it ends. In a mode that is talked to or serves, it ends well whatever became of one prompt.
	Refused     int            // exit status when the only prompt was blocked
	Interrupted int            // exit status when it was interrupted
	Dies        bool           // the interrupt simply kills it: nothing of it runs any more, SessionEnd neither
	Failed      map[string]int // exit status by mode when the provider fails; 1 in others
	BreaksOff   []string       // modes in which it ends then without a SessionEnd

	// The end of a run whose stops are all blocked, where no cap is set.
	Rounds int    // continuations; 0 = as many as Lorimer allows
	Capped string // what Lorimer says when there were Rounds

	// Its streams, in modes.
	Chats   []string // in which it says anything on standard error
	Blanks  bool     // it writes empty lines there
	Mutes   []string // in which it shows nobody what a hook says that does not block
	Objects []string // in which standard output is one JSON object, on as many lines as it likes
}

// Order is what can be relied on of the order in which results of calls are told that ran at the same time.
type Order int

// The orders: as they were called; as they ended, each with its context behind it; any, also of what stands beside them.
const (
	AsCalled Order = iota
	AsEnded
	AnyLine
)
