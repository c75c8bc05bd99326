package hal

import "time"

// own is the HAL of this process.
var own = New(Options{})

// DetectProvider returns the runtime that this process runs in.
func DetectProvider() RuntimeProvider { return own.DetectProvider() }

// GetStartupStrategy returns how an agent gets its first context in this runtime.
func GetStartupStrategy() StartupStrategy { return own.GetStartupStrategy() }

// GetStartupCommands returns the shell lines that start an agent of the role in this runtime.
func GetStartupCommands(role AgentRole) []string { return own.GetStartupCommands(role) }

// SupportsHooks says whether this runtime runs hooks.
func SupportsHooks() bool { return own.SupportsHooks() }

// SupportsNudge says whether an agent can be nudged in this runtime.
func SupportsNudge() bool { return own.SupportsNudge() }

// SupportsRestart says whether this runtime can take a session up again with its context.
func SupportsRestart() bool { return own.SupportsRestart() }

// GetSessionID returns the id of the session that this process runs in, and false while it is not known.
func GetSessionID() (string, bool) { return own.GetSessionID() }

// GetGUPPStrategy returns how an agent is held to its rules in this runtime.
func GetGUPPStrategy() GUPPStrategy { return own.GetGUPPStrategy() }

// GetStallThreshold returns the silence after which an agent counts as stalled in this runtime.
func GetStallThreshold() time.Duration { return own.GetStallThreshold() }

// GetNudgeInterval returns the time between two nudges in this runtime.
func GetNudgeInterval() time.Duration { return own.GetNudgeInterval() }

// Explain returns how this process's runtime was found out.
func Explain() Detection { return own.Explain() }
