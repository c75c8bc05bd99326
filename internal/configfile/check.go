package configfile

import (
	"fmt"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

var nameForm = lazyre.Pattern{Expr: `^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`}

// Validate checks what one handler says.
func (h *Handler) Validate(c *strictyaml.Context) {
	if !nameForm.Re().MatchString(h.Name.Text) {
		c.ReportAt(h.Name.Pos, strictyaml.Fault{What: fmt.Sprintf("the name %q cannot be used", h.Name.Text),
			Expected: "1 to 100 letters, digits and . _ -, a letter or digit first"})
	}
	switch argv := len(h.Argv) > 0; {
	case argv && h.Run.Set():
		c.ReportAt(h.Run.Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q has both argv and run", h.Name.Text),
			Expected: "argv (without a shell) or run (a shell line)"})
	case argv && h.Argv[0].Text == "":
		c.ReportAt(h.Argv[0].Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q has an empty text for its program", h.Name.Text),
			Expected: "the program first, then its arguments"})
	case !argv && strings.TrimSpace(h.Run.Text) == "":
		c.ReportAt(h.Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q has nothing to run", h.Name.Text),
			Expected: "argv: [PROGRAM, ARGUMENT...] or run: a shell line"})
	}
	if h.Timeout.Set() && h.Timeout.D.Milliseconds() == 0 {
		c.ReportAt(h.Timeout.Pos, strictyaml.Fault{What: "a timeout of " + h.Timeout.Text, Expected: "1ms or more",
			Hint: "leave it out for the event's own limit"})
	}
	if h.If.Text != "" && h.Event.Known() && !h.Event.Tool() {
		c.ReportAt(h.If.Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q has an if on %s", h.Name.Text, h.Event.Event),
			Expected: "an event of a tool call: only that is held against a rule"})
	}
	h.paths(c)
	if h.Async.B && h.FailsClosed() {
		c.ReportAt(h.OnError.Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q is async and on_error: block", h.Name.Text),
			Expected: "one of the two: what is not waited for can block nothing"})
	}
	if h.Async.B && h.Block.Or(false) {
		c.ReportAt(h.Block.Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q is async and block: true", h.Name.Text),
			Expected: "one of the two: what is not waited for can block nothing"})
	}
	h.redaction(c)
	if len(h.Harnesses) > 0 && len(h.Not) > 0 {
		c.ReportAt(h.Not[0].Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q has both harnesses and not", h.Name.Text),
			Expected: "one of the two"})
	}
}

// paths: only a tool call touches files, and an empty glob would fit them all.
func (h *Handler) paths(c *strictyaml.Context) {
	if len(h.Files) > 0 && h.Event.Known() && !h.Event.Tool() {
		c.ReportAt(h.Files[0].Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q has files on %s", h.Name.Text, h.Event.Event),
			Expected: "an event of a tool call: nothing else touches files"})
	}
	for _, glob := range h.Files {
		if glob.Set() && glob.Text == "" {
			c.ReportAt(glob.Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q has an empty text among its files", h.Name.Text),
				Expected: "a path or a glob, for example *.go or src/**"})
		}
	}
}

// redaction: only what is waited for, obeyed, and asked after the tool can take something out of a result.
func (h *Handler) redaction(c *strictyaml.Context) {
	why := ""
	switch {
	case !h.Redacts.B:
	case h.Event.Known() && h.Event.Event != harness.PostToolUse:
		why = "on " + string(h.Event.Event)
	case h.Async.B:
		why = "async"
	case !h.Block.Or(true):
		why = "block: false"
	}
	if why != "" {
		c.ReportAt(h.Redacts.Pos, strictyaml.Fault{What: fmt.Sprintf("handler %q redacts and is %s", h.Name.Text, why),
			Expected: "a handler on PostToolUse that is waited for and obeyed: only that can replace a result"})
	}
}
