// Package lazyre holds patterns that are compiled when they are first asked for. A command starts with all packages of the program,
// and uses few of them: a pattern that is compiled before main costs every start some ten microseconds, one of these nothing.
package lazyre

import (
	"regexp"
	"sync"
)

// Pattern is a package's constant pattern: var x = lazyre.Pattern{Expr: `...`}. That every Expr compiles is seen by a test of
// internal/arch.
type Pattern struct {
	Expr string

	once sync.Once
	re   *regexp.Regexp
}

// Re is the compiled pattern. It panics when Expr is none.
func (p *Pattern) Re() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.Expr) })
	return p.re
}
