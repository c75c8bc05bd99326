// Package gate locks features of an agent, so that a locked one is physically gone: absent from what the model is told, or
// there and refused, as the agent's descriptor says of each.
//
// A catalog maps features to surfaces (tools, skills, MCP servers, extensions, sources of context, an approval mode). Render
// turns a set of unlocked features into the agent's own config and command line; what a Config unlocks is read back from what
// was rendered (Config.Enabled), never from what was asked for, so that monotony and parity are facts about the result.
//
// The engine knows no agent: all it has is a harness.Gate, generated from a descriptor. Whoever starts an agent behind a gate
// needs Open, Gate.Overlay and Overlay.Write. Package prove shows on the installed program that a gate holds.
package gate
