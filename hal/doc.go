// Package hal is the Runtime HAL: it tells a program which AI coding agent it runs in, and what it can count on there, so that
// nobody else needs to look at environment variables, files or the process table for that.
//
//	switch hal.GetStartupStrategy() {
//	case hal.HookInjection:   // a hook brings the agent its first context
//	case hal.StartupFallback: // run hal.GetStartupCommands(hal.Polecat)
//	default:                  // the agent looks for itself, every hal.GetNudgeInterval()
//	}
//
// It looks once, at the first question, and keeps what it saw. It never writes, never panics and never waits: what cannot be
// seen is no answer, and without any the runtime is Unknown, for which everything has a working default.
//
// The functions of the package ask about this process. New makes a HAL for another world: a version that is known, an
// environment of somebody else's, a process tree that was recorded.
//
// golden/hal/hal.mjs is the same for JavaScript, `lorimer hal` for shells; docs/hal.md has all three side by side.
package hal
