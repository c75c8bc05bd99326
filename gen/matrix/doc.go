// Package matrix shows what each harness can: as a table for terminals, Markdown, JSON, and one page of HTML.
//
// What is said comes from the descriptors. Whether it was seen comes from harnesses/proofs/: what a suite saw the real program do,
// by event and effect, with the version and the day. The suites write these files and fail when they see less than is written
// there, so a cell that is called proven is one that a run proves today. Everything else is a claim, with its source.
package matrix
