// Package config reads lorimer.yaml: which handlers a clone has, on which events and in which harnesses they run.
//
// Load says everything that is wrong with the file at once, each fault with its place. What only counts once the harnesses
// are known (an event that one of them lacks, a time limit that a handler does not fit into) is Fit's. Manifest then compiles
// what the dispatcher reads: nothing about YAML, defaults or "not" is left in it.
package config
