// Package materialize brings a clone's shims and hook configs up to date with its lorimer.yaml, says what would change, and
// takes everything out again.
//
// The three share one way: what should stand in the clone is rendered in memory (want.go), held against what stands there
// and against the ownership record (plan.go), and becomes a Plan: a list of files with old and new bytes. check shows the
// plan, materialize applies it, and clean is the plan in which nothing should stand there.
//
// Other people's files are at stake, so a plan is refused rather than guessed: a file that we did not write, an entry of ours
// that someone changed, a link that leads out of the clone, a settings file that cannot be edited safely. Apply announces in
// the record what it is about to do, writes every file beside its place, and only then renames; whatever interrupts it, each
// file is the old or the new one and the next run ends what was begun.
//
// Nothing here knows a harness: the rows of the table and the golden files come as parameters.
package materialize
