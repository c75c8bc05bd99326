// Package claudehooks reads hooks as Claude Code writes them: the `hooks` object of a settings file, and the same object in
// another file's syntax.
//
// What counts as an entry, which faults take what with them, and what is passed over is Claude's own behaviour, measured on
// the real program (e2e/settings_test.go), because a hook must do the same in every agent. Claude drops what it cannot read
// without a word; here each drop is a warning with its place.
//
// The reader walks Nodes, which know where they stand; JSON gives them for a settings file.
package claudehooks
