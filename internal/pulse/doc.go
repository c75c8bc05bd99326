// Package pulse looks at the agents of an orchestrator through the files that it keeps of them: who has been silent for longer
// than its runtime allows (Stalls), and is there work for one (Poll).
//
//	<state>/hooks/<agent>.json         what an agent has to do; the orchestrator's
//	<state>/agents/<agent>.json        who an agent is; the orchestrator's
//	<state>/nudge/<agent>/latest.json  the newest nudge; the orchestrator's
//	<state>/heartbeats/<agent>.json    that an agent still polls; ours, and the only thing that is written here
//
// The files are written by programs that may be of another version, in the middle of it, or broken. One that cannot be read is
// passed over with a warning that names it; none makes a command fail, hang or eat memory.
package pulse
