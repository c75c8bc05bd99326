package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
)

func initCmd(c *command) *cobra.Command {
	var f engine.InitFlags
	var text struct{ harness, model, effort, agent, cwd, binary, tools, allowed, permission, pings string }
	var n struct {
		margin, limit, orphan, rebases int
		delta                          int64
		growth, share                  float64
	}
	cmd := sub(c, "init", "Make a run's state; once more, change only the flags that are given", func(cmd *cobra.Command) error {
		given := func(name string) bool { return cmd.Flags().Changed(name) }
		f.Harness, f.Model, f.Effort = opt(given("harness"), text.harness), opt(given("model"), text.model), opt(given("effort"), text.effort)
		f.Agent, f.CWD, f.Binary = opt(given("agent"), text.agent), opt(given("cwd"), text.cwd), opt(given("binary"), text.binary)
		f.Tools, f.AllowedTools = opt(given("tools"), text.tools), opt(given("allowed-tools"), text.allowed)
		f.PermissionMode = opt(given("permission-mode"), text.permission)
		f.WarmMarginS, f.ParallelCap = opt(given("warm-margin-s"), n.margin), opt(given("parallel-cap"), n.limit)
		f.OrphanAfterS, f.Rebases = opt(given("orphan-after-s"), n.orphan), opt(given("max-rebases"), n.rebases)
		f.DeltaTokens, f.ContextGrowth, f.ContextShare = opt(given("delta-tokens"), n.delta), opt(given("context-growth"), n.growth), opt(given("context-share"), n.share)
		if given("pings") {
			if text.pings != "on" && text.pings != "off" {
				return &engine.Refusal{Text: "--pings is on or off"}
			}
			on := text.pings == "on"
			f.Pings = &on
		}
		out, err := c.Init(f)
		return answered(c, out, err)
	})
	s := cmd.Flags()
	s.StringVar(&text.harness, "harness", c.DefaultHarness(), "which harness the run drives; fixed from then on")
	s.StringVar(&text.model, "model", "", "a full model id, never an alias")
	s.StringVar(&text.effort, "effort", "", "how hard the model is to think, in the harness's words")
	s.StringVar(&text.agent, "agent", "", "the harness's agent to run as")
	s.StringVar(&text.cwd, "cwd", "", "working dir of the base and its gremlins (default: where init is called)")
	s.StringVar(&text.binary, "binary", "", "the harness's program; pins it")
	s.StringVar(&text.pings, "pings", "on", "keep bases warm: on or off")
	s.IntVar(&n.margin, "warm-margin-s", 600, "seconds before its end from which a cache counts as expiring; at most half its life counts")
	s.StringVar(&text.tools, "tools", "", "the tools that there are, in the harness's form")
	s.StringVar(&text.allowed, "allowed-tools", "", "the tools that need no permission; pass it together with --tools")
	s.StringVar(&text.permission, "permission-mode", "", "one of the harness's own modes")
	s.IntVar(&n.limit, "parallel-cap", 3, "spawns, continues and rebases that may run at once")
	s.IntVar(&n.orphan, "orphan-after-s", 1200, "seconds without an orchestrator's call after which a gremlin is ended")
	s.Int64Var(&n.delta, "delta-tokens", 20_000, "tokens of notes since the base above which rebase_due is raised")
	s.Float64Var(&n.growth, "context-growth", 0.5, "growth of a gremlin's context over its base's above which rebase_due is raised")
	s.Float64Var(&n.share, "context-share", 0.6, "share of the model's window above which a base's context raises retrain_due")
	s.IntVar(&n.rebases, "max-rebases", 6, "rebases in a row above which retrain_due is raised")
	cmd.Example = "lorimer gremlins init --run docs/run.md --model claude-opus-5-5"
	return withRun(cmd, &f.Run)
}

func opt[T any](given bool, v T) *T {
	if !given {
		return nil
	}
	return &v
}

func trainCmd(c *command) *cobra.Command {
	var f engine.TrainFlags
	cmd := sub(c, "train", "Train a base: a session that reads, and that gremlins are spawned from", func(*cobra.Command) error {
		out, err := c.Train(f)
		return answered(c, out, err)
	})
	s := cmd.Flags()
	s.StringVar(&f.Base, "base", "", "a name for the base")
	s.StringVar(&f.Brief, "brief", "", "file with what it is to read")
	s.IntVar(&f.Phase, "phase", 0, "the phase whose gremlins it serves")
	s.StringVar(&f.Supersedes, "supersedes", "", "the base that it replaces once it is trained")
	require(cmd, "base", "brief")
	cmd.Example = "lorimer gremlins train --run docs/run.md --base B1 --brief briefs/train.md --phase 1"
	return withRun(cmd, &f.Run)
}

func spawnCmd(c *command) *cobra.Command {
	var f engine.SpawnFlags
	cmd := sub(c, "spawn", "Spawn a gremlin from a base for one block.", nil)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 && len(f.Paths) == 0 {
			return &engine.Refusal{Text: "spawn takes flags alone, and not " + args[0]}
		}
		f.Paths = append(f.Paths, args...) // --paths a b c
		out, err := c.Spawn(f)
		return answered(c, out, err)
	}
	s := cmd.Flags()
	s.StringVar(&f.Base, "base", "", "the base")
	s.StringVar(&f.Block, "block", "", "a name for the block of work")
	s.StringVar(&f.Brief, "brief", "", "file with what it is to do")
	s.IntVar(&f.Phase, "phase", 0, "the phase of the block")
	s.StringVar(&f.Mode, "mode", "sequential", "sequential (it commits) or parallel (it does not)")
	s.StringArrayVar(&f.Paths, "paths", nil, "the files this gremlin may touch (repeatable, and may be followed by several)")
	s.Float64Var(&f.MaxMinutes, "max-minutes", 0, "minutes after which it is ended; 0 = no limit")
	s.Float64Var(&f.MaxBudgetUSD, "max-budget-usd", 0, "US dollars that it may cost; 0 = no limit")
	s.BoolVar(&f.Force, "force", false, "spawn from a base that is not active")
	s.StringArrayVar(&f.DeltaNotes, "delta-note", nil, "handoff note that the base does not know yet (repeatable)")
	s.StringVar(&f.Method, "method", "fork", "how its session is made")
	require(cmd, "base", "block", "brief")
	cmd.Example = "lorimer gremlins spawn --run docs/run.md --base B1 --block parser --brief briefs/parser.md --phase 1"
	return withRun(cmd, &f.Run)
}

func continueCmd(c *command) *cobra.Command {
	var f engine.ContinueFlags
	cmd := sub(c, "continue", "One more turn in a gremlin (resume without a fork).", func(*cobra.Command) error {
		out, err := c.Continue(f)
		return answered(c, out, err)
	})
	s := cmd.Flags()
	s.StringVar(&f.Job, "job", "", "the spawn job")
	s.StringVar(&f.Brief, "brief", "", "file with the prompt, sent as it is")
	s.Float64Var(&f.MaxMinutes, "max-minutes", 0, "minutes after which it is ended; 0 = no limit")
	require(cmd, "job", "brief")
	return withRun(cmd, &f.Run)
}

func rebaseCmd(c *command) *cobra.Command {
	var f engine.RebaseFlags
	cmd := sub(c, "rebase", "Make a new base: a fork of the old one that takes in what changed", func(*cobra.Command) error {
		out, err := c.Rebase(f)
		return answered(c, out, err)
	})
	s := cmd.Flags()
	s.StringVar(&f.Base, "base", "", "the old base")
	s.StringVar(&f.As, "as", "", "a name for the new one")
	s.IntVar(&f.Phase, "phase", 0, "the phase whose gremlins it serves")
	s.StringArrayVar(&f.DeltaNotes, "delta-note", nil, "handoff note since the old base was trained (repeatable)")
	require(cmd, "base", "as", "phase")
	return withRun(cmd, &f.Run)
}

func require(cmd *cobra.Command, names ...string) {
	for _, n := range names {
		cmd.MarkFlagRequired(n)
	}
}
