package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

// The program's exit codes, besides 0.
const (
	failed      = 1   // the request was refused, or not carried out
	misused     = 2   // the command, flag or argument does not exist
	interrupted = 130 // Ctrl-C
)

// rootCommand is the program with all its commands.
func rootCommand(getenv func(string) string) *cobra.Command {
	root := &cobra.Command{
		Use:   "rowlock",
		Short: "A Kubernetes control plane in one binary and one PostgreSQL",
		Long: "Rowlock is a Kubernetes control plane in one binary and one PostgreSQL.\n\n" +
			"`rowlock serve` runs a server. kubectl, Helm and client-go talk to it as they talk to any cluster.\n" +
			"The other commands do what the Kubernetes API cannot: advance the cluster's clock, query its\n" +
			"history, fork it, and make parts of it fail.\n\n" +
			"Exit codes: 0 on success; 1 if the operation was refused or failed; 2 if the command, flag or\n" +
			"argument does not exist; 130 after Ctrl-C.",
		Example: "  # Start a cluster that keeps nothing\n" +
			"  rowlock serve --ephemeral\n\n" +
			"  # Connect kubectl to it\n" +
			"  rowlock kubeconfig > kubeconfig\n" +
			"  export KUBECONFIG=$PWD/kubeconfig\n\n" +
			"  # Create workloads to explore, most of them with a problem\n" +
			"  rowlock demo\n\n" +
			"  # Let a day pass\n" +
			"  rowlock clock advance 1d\n\n" +
			"  # Show what caused a change\n" +
			"  rowlock log why 1234\n\n" +
			"  # Try something on a copy of the cluster\n" +
			"  rowlock fork what-if\n\n" +
			"  # Make a node fail\n" +
			"  rowlock fault node node-2 failed",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       versionText(),
	}
	root.SetVersionTemplate("{{.Version}}")
	for _, group := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"server", "Run a server:", []*cobra.Command{serveCommand(getenv), healthCommand(getenv), restoredCommand(getenv)}},
		{"client", "Get started:", []*cobra.Command{kubeconfigCommand(getenv), demoCommand(getenv), envtestCommand(getenv)}},
		{"time", "Time, history and copies:", []*cobra.Command{clockCommand(getenv), logCommand(getenv), forkCommand(getenv), snapshotCommand(getenv)}},
		{"faults", "Faults and load:", []*cobra.Command{faultCommand(getenv), loadCommand(getenv)}},
		{"other", "Other commands:", []*cobra.Command{versionCommand(), openapiCommand(), manCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, command := range group.commands {
			command.GroupID = group.id
			root.AddCommand(command)
		}
	}
	root.SetHelpCommandGroupID("other")
	root.SetCompletionCommandGroupID("other")
	root.SetFlagErrorFunc(misuse)
	toldOfMisuse(root)
	return root
}

// misuse returns an error about a flag, with its own exit code and a pointer to the help.
func misuse(command *cobra.Command, err error) error {
	if errors.As(err, new(exitError)) {
		return err
	}
	return exitError{misused, errors.New(err.Error() + " (see " + command.CommandPath() + " --help)")}
}

// toldOfMisuse gives errors about the arguments of a command, and of those below it, the exit code
// of a misuse.
func toldOfMisuse(command *cobra.Command) {
	if check := command.Args; check != nil {
		command.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return misuse(c, err)
			}
			return nil
		}
	}
	for _, below := range command.Commands() {
		toldOfMisuse(below)
	}
}

// exitError is an error that ends the program with its own exit code.
type exitError struct {
	code int
	error
}

func (e exitError) Unwrap() error { return e.error }

// exitCode returns the program's exit code after an error.
func exitCode(err error) int {
	var own exitError
	switch {
	case errors.As(err, &own):
		return own.code
	case strings.HasPrefix(err.Error(), "unknown command "): // cobra has no type for it
		return misused
	}
	return failed
}
