package setup

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/conform"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// Exit statuses that Run returns.
const (
	Done    = 0 // all is written and proven; or nothing had to be done; or with DryRun all was shown
	Partly  = 1 // it is written, and something is not proven; or you said no
	Failed  = 2 // it cannot be done here; the error says what to do
	Unasked = 3 // there is something to write, and nobody to ask
)

// Command is one command line.
type Command struct {
	materialize.Options                      // Only: the agents to serve; empty = those that are found
	Certified           []*harness.Certified // how a harness is asked for its version
	Dir                 string               // the clone
	With                []string             // ready hooks to put into it, by name
	Yes                 bool                 // write without being asked
	DryRun              bool                 // only show
	JSON                bool                 // one document; never asks
	Stdin               io.Reader
	Terminal            bool // a person reads Stdout and types into Stdin
	Stdout              io.Writer
	Stderr              io.Writer

	// Bundled is the dispatcher that is put where hooks look for it; "" = the one beside the running lorimer.
	Bundled string
	// Carriers run the modules that are proven; nil = what is on PATH.
	Carriers []conform.Carrier
}

// Run looks, shows, asks, writes and proves. It returns an exit status; the error is what is still to be said.
func (c *Command) Run(ctx context.Context) (status int, err error) {
	answers := bufio.NewReader(c.Stdin)
	s, err := c.survey(ctx)
	if err == nil {
		err = c.offer(s, answers)
	}
	if err == nil {
		err = c.plan(s)
	}
	if err != nil {
		return Failed, err
	}
	status, err = c.carryOut(ctx, s, answers)
	if c.JSON && err == nil {
		err = s.json(c.Stdout)
	}
	return status, err
}

// carryOut does what was planned, as far as somebody agrees to it.
func (c *Command) carryOut(ctx context.Context, s *survey, answers *bufio.Reader) (int, error) {
	if !c.JSON {
		s.show(c.Stdout, c.Yes && !c.DryRun)
	}
	switch {
	case s.settled():
		s.Status = cmp.Or(s.Status, "same")
		c.say("nothing has to be written")
	case c.DryRun:
		s.Status = "planned"
		return Done, nil
	case !c.Yes && (!c.Terminal || c.JSON):
		s.Status = "planned"
		c.note("nothing was written: this is no terminal, so nobody can be asked; look at what stands above and run it again with --yes")
		return Unasked, nil
	default:
		if done, err := c.agreedAndWritten(s, answers); !done {
			return Partly, err
		} else if err != nil {
			return Failed, err
		}
	}
	if !c.DryRun && !c.prove(ctx, s) {
		return Partly, nil
	}
	return Done, nil
}

// agreedAndWritten asks, where that is to be, and writes. done is false when the user said no.
func (c *Command) agreedAndWritten(s *survey, answers *bufio.Reader) (done bool, err error) {
	if err := state.InsideAgent(c.getenv); err != nil {
		return true, insideAgent(err)
	}
	if err := c.canWrite(s); err != nil {
		return true, err
	}
	if !c.Yes && !c.yes(answers, "Write this, and run these hooks in your agents? [y/N] ") {
		s.Status = "refused"
		c.say("nothing was written")
		return false, nil
	}
	s.Status = "written"
	return true, c.write(s)
}

// yes asks a question. No answer is a no.
func (c *Command) yes(answers *bufio.Reader, question string) bool {
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(c.answer(answers, question)))
}

// answer asks for a line.
func (c *Command) answer(answers *bufio.Reader, question string) string {
	io.WriteString(c.Stdout, question)
	line, _ := answers.ReadString('\n') // the end of the input is an empty answer
	return strings.TrimSpace(line)
}

// say tells a person something; a program gets the document.
func (c *Command) say(line string) {
	if !c.JSON {
		io.WriteString(c.Stdout, line+"\n")
	}
}

// note is say for what went otherwise than wanted.
func (c *Command) note(line string) { io.WriteString(c.Stderr, line+"\n") }
