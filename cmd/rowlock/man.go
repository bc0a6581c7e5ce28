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
		Use:   "man FOLDER",
		Short: "Write manual pages, one for each command",
		Long: "Write manual pages, one for each command, into a folder, which is made if it is not there.\n" +
			"SOURCE_DATE_EPOCH, in seconds since 1970, is the date on them; without, it is today's.",
		Example: "  rowlock man ~/.local/share/man/man1",
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
			_, err := fmt.Fprintf(command.OutOrStdout(), "manual pages are in %s\n", args[0])
			return err
		},
	}
}
