package usage

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// tree has what the command lines of this module have: commands that only hold others, one that is runnable as well, arguments
// and flags.
func tree() *cobra.Command {
	run := func(*cobra.Command, []string) error { return errors.New("it ran") }
	leaf := &cobra.Command{Use: "paths ID", Args: cobra.ExactArgs(1), RunE: run}
	leaf.Flags().Duration("for", time.Second, "")
	leaf.Flags().Int("jobs", 0, "")
	leaf.Flags().Bool("json", false, "")
	group := &cobra.Command{Use: "runtime"}
	group.AddCommand(leaf)
	both := &cobra.Command{Use: "hal", Args: cobra.NoArgs, RunE: run}
	both.AddCommand(&cobra.Command{Use: "detect", Args: cobra.NoArgs, RunE: run})
	root := &cobra.Command{Use: "x", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(group, both)
	root.SetOut(io.Discard)
	Explain(root)
	return root
}

func TestFaults(t *testing.T) {
	for line, want := range map[string]string{
		"":                            "",
		"runtime":                     "", // help
		"runtime paths pi":            "it ran",
		"hal":                         "it ran",
		"--help":                      "",
		"help":                        "",
		"completion bash":             "",
		"nosuch":                      `unknown command "nosuch" for "x"; expected one of completion, hal, runtime`,
		"runtme":                      `unknown command "runtme" for "x"; expected one of completion, hal, runtime; did you mean "runtime"?`,
		"runtime path":                `unknown command "path" for "x runtime"; expected one of paths; did you mean "paths"?`,
		"hal detct":                   `unknown command "detct" for "x hal"; expected one of detect; did you mean "detect"?`,
		"hal detect y":                "x hal detect got \"y\"; expected x hal detect [flags]; `x hal detect --help` says more",
		"runtime paths":               "x runtime paths got nothing; expected x runtime paths ID [flags]; `x runtime paths --help` says more",
		"runtime paths a b":           "x runtime paths got \"a\" \"b\"; expected x runtime paths ID [flags]; `x runtime paths --help` says more",
		"runtime paths pi --jsn":      `unknown flag: --jsn; did you mean "--json"?`,
		"runtime paths pi --whatever": "unknown flag: --whatever; `x runtime paths --help` says more",
		"runtime paths pi -1":         "unknown shorthand flag: '1' in -1; `x runtime paths --help` says more",
		"runtime paths pi --for 5":    "--for \"5\": expected a time with its unit, like 90s, 30m or 1h; `x runtime paths --help` says more",
		"runtime paths pi --jobs y":   "--jobs \"y\": expected a whole number; `x runtime paths --help` says more",
		"runtime paths pi --json=y":   "--json \"y\": expected true or false; `x runtime paths --help` says more",
	} {
		root, args := tree(), strings.Fields(line)
		root.SetArgs(args)
		err := Unknown(root, args)
		if err == nil {
			err = root.Execute()
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("x %s: %s\nexpected %s", line, got, want)
		}
	}
}

// A shell's completion asks through a command that cobra adds when it runs.
func TestUnknownLeavesCompletionAlone(t *testing.T) {
	if err := Unknown(tree(), []string{"__complete", "run"}); err != nil {
		t.Error(err)
	}
}
