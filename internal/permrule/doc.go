// Package permrule tests a tool call against a permission rule as Claude Code writes it: "Bash(rm *)", "Write(src/**)", "Read".
// Hooks have such a rule in their `if`.
//
// What fits is measured on the real program (e2e/settings_test.go). A shell line is taken apart into its commands, and each is
// tested, those in substitutions too. A rule is a filter that saves the start of a handler, never a guard by itself, so where a
// line cannot be taken apart for certain (a function, a here-document, an expansion that Claude would resolve), it fits.
package permrule
