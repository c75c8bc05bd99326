package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden/go/runtimes"
	"github.com/lorimer-dev/lorimer/internal/sense/cli"
)

func newHALCmd() *cobra.Command { return cli.New(runtimes.All, "lorimer hal", withStatus) }
