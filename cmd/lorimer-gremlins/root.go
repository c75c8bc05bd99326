package main

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/usage"
)

// Exit statuses beside those of wait.
const (
	exitDone    = 0
	exitFault   = 1
	exitRefused = 2
)

// command is a command's answer, ready to be printed.
type command struct {
	*engine.Engine
	answer any
	exit   int
	text   string // instead of the answer, where a format asks for it
}

// run executes one command line, and prints one answer.
func run(e *engine.Engine, args []string, out io.Writer) int {
	c := &command{Engine: e}
	root := newRoot(c)
	root.SetArgs(args)
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	err := root.Execute()
	var refusal *engine.Refusal
	switch {
	case errors.As(err, &refusal):
		c.answer, c.exit, c.text = refused(refusal), exitRefused, ""
	case err != nil && c.answer == nil && usageError(err):
		c.answer, c.exit, c.text = map[string]any{"error": err.Error()}, exitRefused, ""
	case err != nil:
		c.answer, c.exit, c.text = map[string]any{"error": err.Error()}, exitFault, ""
	}
	if c.text != "" {
		io.WriteString(out, c.text)
		return c.exit
	}
	p := json.NewEncoder(out)
	p.SetEscapeHTML(false)
	p.SetIndent("", "  ")
	if c.answer != nil && p.Encode(c.answer) != nil {
		return exitFault
	}
	return c.exit
}

func refused(r *engine.Refusal) map[string]any {
	answer := map[string]any{"error": r.Text}
	for k, v := range r.More {
		answer[k] = v
	}
	return answer
}

// usageError says whether a command line was not understood; for a flag that is missing cobra has no type.
func usageError(err error) bool {
	var fault usage.Fault
	return errors.As(err, &fault) || strings.HasPrefix(err.Error(), "required flag")
}

func newRoot(c *command) *cobra.Command {
	root := &cobra.Command{
		Use:           "lorimer gremlins",
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: "lorimer gremlins"},
		Short:         "Train one headless session, spawn workers from it, and keep account of them",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { c.answer = help(cmd); return nil },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "no-help"})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { c.answer = help(cmd) })
	root.AddCommand(
		whereCmd(c), initCmd(c), trainCmd(c), spawnCmd(c), continueCmd(c), rebaseCmd(c), waitCmd(c), listCmd(c), usageCmd(c), expireCmd(c),
		killCmd(c), tickCmd(c), superviseCmd(c), helpCmd(c), topCmd(c),
	)
	usage.Explain(root)
	return root
}

// Help is what --help answers.
type Help struct {
	Command  string   `json:"command"`
	About    string   `json:"about"`
	Usage    string   `json:"usage"`
	Commands []string `json:"commands,omitempty"`
	Flags    []Flag   `json:"flags,omitempty"`
	Example  string   `json:"example,omitempty"`
}

// Flag is a flag of a command.
type Flag struct {
	Flag     string `json:"flag"`
	About    string `json:"about"`
	Default  string `json:"default,omitempty"`
	Required bool   `json:"required,omitempty"`
}

func help(cmd *cobra.Command) Help {
	h := Help{Command: cmd.Name(), About: cmd.Short, Usage: "lorimer gremlins COMMAND [flags]", Example: cmd.Example}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			h.Commands = append(h.Commands, sub.Name())
		}
	}
	if !cmd.HasParent() {
		h.Command = "gremlins"
		return h
	}
	h.Usage = "lorimer gremlins " + cmd.Use
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		_, required := f.Annotations[cobra.BashCompOneRequiredFlag]
		h.Flags = append(h.Flags, Flag{Flag: "--" + f.Name, About: f.Usage, Default: f.DefValue, Required: required})
	})
	return h
}
