// Package descriptor reads harnesses/<id>.yaml, the only place where anything is written about a particular harness.
//
// The model files (model*.go) are the format: one Go field a YAML key, documented with what it means and which host
// forced it in. Load reads a directory strictly and returns every fault of every file at once. What is checked here needs
// one file alone, or the ids of its neighbours; defaults and cross-checks between sections are package plan's, and what is
// made of it all is the emitters'.
//
// A descriptor is one of three kinds: generative (it has `shim:`, and its event rows are JavaScript), external (it has
// `hooks:`, and its event rows are data) or bare (neither: the HAL alone knows it). Go cannot run JavaScript, so an
// external row has `where` and paths where a generative one has `when` and expressions.
package descriptor
