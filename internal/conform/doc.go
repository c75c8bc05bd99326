// Package conform proves what a descriptor became: it plays a table of cases against an imitation of the host, with the
// artifacts that materialize puts into a clone, the real dispatcher behind them and a real handler behind that, and says of
// each case what was expected and what was seen.
//
// It knows no harness. A host is data (harness.Fake), for one that loads modules with a piece of code beside it that a carrier,
// node or bun, runs. A case (cases_*.go) is a story of a few lines over a World: what the handlers answer, what the host plays,
// what must have been seen.
//
// What the descriptor says cannot hold is played all the same, and must not hold.
package conform
