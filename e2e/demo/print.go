//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// printer writes for a person: colours on a terminal, plain lines elsewhere.
type printer struct {
	w        io.Writer
	terminal bool // whether lines may be rewritten
	colours  bool
}

// newPrinter obeys NO_COLOR (https://no-color.org) and TERM=dumb.
func newPrinter(f *os.File) *printer {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	term := err == nil
	return &printer{w: f, terminal: term, colours: term && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

const (
	bold = "1"
	dim  = "2"
	red  = "31"
)

func (p *printer) in(colour, s string) string {
	if !p.colours || s == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

func (p *printer) title(s string) { fmt.Fprintf(p.w, "\n%s\n", p.in(bold, s)) }
func (p *printer) text(s string)  { fmt.Fprintln(p.w, s) }

// file shows a file of the project.
func (p *printer) file(name, content string) {
	fmt.Fprintf(p.w, "\n  %s\n", name)
	for line := range strings.Lines(content) {
		fmt.Fprintln(p.w, "    "+p.in(dim, "| ")+strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    "))
	}
}

// command shows what was typed and what it printed.
func (p *printer) command(line, output string) {
	fmt.Fprintf(p.w, "\n  %s\n", p.in(bold, "$ "+line))
	for l := range strings.Lines(output) {
		fmt.Fprintln(p.w, "  "+strings.TrimRight(l, "\n"))
	}
}

// step is one thing that happened: who did it, and what. Further lines of what are indented to the first.
func (p *printer) step(who, what string) {
	what = strings.ReplaceAll(what, "\n", "\n"+strings.Repeat(" ", 19))
	fmt.Fprintf(p.w, "  %s%s\n", p.in(dim, fmt.Sprintf("%-17s", who)), what)
}

// blocked is a step in which a hook said no.
func (p *printer) blocked(what, more string) {
	if more != "" {
		more = ": " + more
	}
	fmt.Fprintf(p.w, "  %s%s%s\n", p.in(dim, fmt.Sprintf("%-17s", "the hook")), p.in(red, what), more)
}

// failure says what did not happen.
func (p *printer) failure(err error) {
	fmt.Fprintf(p.w, "\n%s\n%v\n", p.in(red, "The demo failed."), err)
}
