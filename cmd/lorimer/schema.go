package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/gen/schema"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/config"
	inner "github.com/lorimer-dev/lorimer/internal/schema"
)

func newSchemaCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [config|descriptor]",
		Short: "Print the JSON schema of lorimer.yaml, or of descriptors, for your editor",
		Long: `Print the JSON schema (draft 7) of what this lorimer reads: with "config", or nothing,
that of lorimer.yaml; with "descriptor" that of harness descriptors. An editor with
a YAML language server then completes keys, shows what they mean and underlines what
is wrong. Tell it where the schema is in the file's first line:

  # yaml-language-server: $schema=PATH_OR_URL

The schema takes a little more than lorimer validate, which also looks up names and
reads JavaScript.`,
		Example: `  lorimer schema > ~/.config/lorimer.schema.json
  lorimer schema descriptor > schema.json`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"config", "descriptor"},
		RunE: func(cmd *cobra.Command, args []string) error {
			var s *inner.Schema
			var err error
			if len(args) > 0 && args[0] == "descriptor" {
				s, err = schema.Descriptor()
			} else {
				s, err = schema.Config(config.IDs(config.Usable(table.All)))
			}
			if err != nil {
				return err
			}
			data, err := s.Bytes()
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(data)
			return err
		},
	}
}
