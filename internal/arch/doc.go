// Package arch has no code: its tests hold the layers of docs/architecture.md against what the packages really import, and
// look for harness ids in code that must not know any.
package arch
