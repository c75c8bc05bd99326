package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/state"
	"github.com/lorimer-dev/lorimer/internal/terminal"
	"github.com/lorimer-dev/lorimer/internal/try"
)

func newTryCmd() *cobra.Command {
	var c try.Command
	cmd := &cobra.Command{
		Use:   "try TOOL ARG... | EVENT ARG...",
		Short: "Ask your hooks about a tool call, in every agent's name, and run no tool",
		Long:  tryHelp,
		Example: `  lorimer try Bash 'rm -rf build'
  lorimer try Write src/a.go 'package a'           # or: lorimer try Write file_path=src/a.go
  lorimer try mcp__db__query sql='drop table x' limit:=5
  lorimer try Stop
  lorimer try UserPromptSubmit 'delete everything'
  lorimer try PostToolUse Bash 'make' --response 'all 3 tests passed'
  lorimer try --event PreToolUse --input @call.json --json | jq '.agents[] | {harness, verdict}'
  lorimer try --dry-run Edit a.go                  # who would be asked? nothing is run`,
		RunE: func(cmd *cobra.Command, words []string) (err error) {
			if c.Home, err = state.Home(); err != nil {
				return err
			}
			c.Table, c.Golden, c.Words = table.All, golden.FS, words
			c.Stdin, c.Stdout, c.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			c.Terminal, c.Width = onTerminal() && c.Input != "-", terminal.Width(os.Stdout)
			return withStatus(c.Run())
		},
	}
	tryFlags(cmd, &c)
	return cmd
}

func tryFlags(cmd *cobra.Command, c *try.Command) {
	f := cmd.Flags()
	f.StringVar(&c.Event, "event", "", "the `EVENT`; else PreToolUse, or the first word")
	f.StringVar(&c.Input, "input", "", "`JSON`, @FILE or - for stdin: the tool's input, or without TOOL the whole payload")
	f.StringVar(&c.Response, "response", "", "the tool's result, for PostToolUse: JSON or a `TEXT`")
	f.BoolVar(&c.Native, "native", false, "--input is as the one agent of --harness sends it, in its own names")
	f.StringVar(&c.Dir, "clone", ".", "the clone, or a `DIR` in it")
	f.StringSliceVar(&c.Only, "harness", nil, "only these of the clone's agents, by `ID`")
	f.BoolVar(&c.Fresh, "fresh", false, "try what the files say now, not what was materialized")
	f.StringVar(&c.Config, "config", "", "try what this `FILE` says instead of lorimer.yaml, as materialize would take it")
	f.BoolVar(&c.Yes, "yes", false, "run handlers that you have not agreed to yet, this once; not those of a manifest from elsewhere")
	f.BoolVar(&c.DryRun, "dry-run", false, "only say which handlers would be asked, run none")
	f.BoolVar(&c.JSON, "json", false, "one JSON document instead of text")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return fmt.Errorf("%w; quote a command that has options: lorimer try Bash 'rm -rf build'", err)
	})
}

const tryHelp = `Show what each agent of a clone would do with a tool call, or with another event: which
handlers it would ask and why not the others, what they say, what becomes of that in
this agent, what its model gets to read, and what of it the agent cannot carry.

YOUR HANDLERS ARE RUN, once for each agent, by the code that runs them for real; a
formatter formats. They see LORIMER_TRY=1, so that one which tells somebody else may
leave it. The tool is not run, and nothing is remembered: no receipt, no log, no count
of stops. Handlers that are async say nothing, and are not started.

ARG fills the tool's main arguments by position (Bash: command; Read, Write, Edit:
file_path; Grep: pattern; WebFetch: url ...); key=value gives any other as a text,
key:=JSON as it stands.

  $ lorimer try Bash 'rm -rf build'
  PreToolUse Bash {"command":"rm -rf build"}

  AGENT        WHAT IT DOES     BECAUSE OF  WHAT IS READ
  Claude Code  does not run it  no-rm       its model: rm -rf is not allowed. Leave build/ alone.
  pi           does not run it  no-rm       its model: rm -rf is not allowed. Leave build/ alone.

  HANDLER  IN   ANSWER
  no-rm    all  blocks
  fmt      all  not asked: its matcher Write|Edit does not fit Bash

What is tried is what agents run: the handlers of the manifest, which you have to trust.
Where nothing was materialized yet (or with --fresh, --config) it is what materialize
would compile; handlers that you have not agreed to are then shown first, and you are
asked. A yes holds for this once and is recorded nowhere.

Claude Code runs the hooks of its own settings by itself where there is no lorimer.yaml:
that is computed here with the same rules, and marked.

Exit status: 0 it passes in every agent, 1 an agent blocks it or asks you first, 2 the
arguments make no sense or it cannot be said, 3 nothing was run, because nobody agreed
to the handlers.`
