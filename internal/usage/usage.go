// Package usage makes a command line's faults say what was expected and where that is described. Cobra's own name the fault
// alone, in words of the library ("accepts 1 arg(s), received 0"), and take a subcommand that there is not for a wish for help.
package usage

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lorimer-dev/lorimer/internal/meant"
)

// Explain does so for a command and all below it. It is called when the tree is whole.
func Explain(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(flagFault)
	if !cmd.Runnable() {
		cmd.Args = cobra.ArbitraryArgs // so that Unknown has the word, and not cobra
	}
	explainArgs(cmd)
}

func explainArgs(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		explainArgs(c)
	}
	if args := cmd.Args; args != nil {
		cmd.Args = func(c *cobra.Command, given []string) error {
			if c.HasSubCommands() && len(given) > 0 {
				return unknownCommand(c, given[0])
			}
			if err := args(c, given); err != nil {
				return argsFault(c, given)
			}
			return nil
		}
	}
}

// Unknown is the fault of a command line that names a subcommand that its command does not have; nil when there is none.
func Unknown(root *cobra.Command, args []string) error {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	cmd, rest, err := root.Find(args)
	if err != nil || cmd.Runnable() || !cmd.HasSubCommands() {
		return nil
	}
	for _, word := range rest {
		switch {
		case strings.HasPrefix(word, "__"): // what a shell's completion asks
			return nil
		case !strings.HasPrefix(word, "-"):
			return unknownCommand(cmd, word)
		}
	}
	return nil
}

func unknownCommand(cmd *cobra.Command, word string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return faultf("unknown command %q for %q; expected one of %s%s", word, cmd.CommandPath(), strings.Join(names, ", "), meant.Ending(word, names))
}

// Fault is a command line that was not understood.
type Fault struct{ error }

// Unwrap gives the library's own error, where there is one.
func (f Fault) Unwrap() error { return f.error }

func faultf(format string, args ...any) error { return Fault{fmt.Errorf(format, args...)} }

func argsFault(cmd *cobra.Command, given []string) error {
	got := "nothing"
	if len(given) > 0 {
		got = fmt.Sprintf("%q", given)
		got = got[1 : len(got)-1]
	}
	return faultf("%s got %s; expected %s%s", cmd.CommandPath(), got, cmd.UseLine(), see(cmd))
}

func see(cmd *cobra.Command) string {
	return fmt.Sprintf("; `%s --help` says more", cmd.CommandPath())
}

func flagFault(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		hint := meant.Ending("--"+unknown.GetSpecifiedName(), flags(cmd))
		if hint == "" {
			hint = see(cmd)
		}
		return faultf("unknown flag: --%s%s", unknown.GetSpecifiedName(), hint)
	case errors.As(err, &value):
		return faultf("--%s %q: %s%s", value.GetFlag().Name, value.GetValue(), expected(value), see(cmd))
	}
	return faultf("%w%s", err, see(cmd))
}

func flags(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// expected says what a flag takes. Those of a type of ours say it themselves.
func expected(fault *pflag.InvalidValueError) string {
	switch fault.GetFlag().Value.Type() {
	case "duration":
		return "expected a time with its unit, like 90s, 30m or 1h"
	case "int":
		return "expected a whole number"
	case "float64":
		return "expected a number"
	case "bool":
		return "expected true or false"
	}
	return strings.TrimPrefix(errors.Unwrap(fault).Error(), fmt.Sprintf("%q; ", fault.GetValue()))
}
