package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand writes manual pages, for packages of the program.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIRECTORY",
		Short: "Write manual pages, one for each command",
		Long: "Write manual pages, one for each command, to a directory, which is created if it does not exist.\n\n" +
			"Their date is that of the environment variable SOURCE_DATE_EPOCH, in seconds since 1970, or today's\n" +
			"if it is not set.",
		Example: "  # Install the pages for this user\n  rowlock man ~/.local/share/man/man1\n  man rowlock-clock",
		Args:    cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := command.Root()
			root.InitDefaultCompletionCmd()
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Title: "ROWLOCK", Section: "1", Source: "Rowlock", Manual: "Rowlock"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(command.OutOrStdout(), "wrote manual pages to %s\n", args[0])
			return err
		},
	}
}
