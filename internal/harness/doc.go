// Package harness holds the types that generated Go is made of: what one AI coding agent's hook surface looks like, as
// data, and the few functions that a generated stub calls.
//
// It is a leaf: standard library only, no I/O, no knowledge of any particular harness. Tables of these values are
// generated into golden/go/table from the descriptors in harnesses/; the hand-written engines take the values as
// parameters, so an engine can be tested with rows of its own.
package harness
