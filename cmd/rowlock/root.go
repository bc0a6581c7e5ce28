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
		Long: "A Kubernetes control plane in one binary and one PostgreSQL.\n\n" +
			"`rowlock serve` is the server; kubectl, Helm and client-go talk to it as they talk to any cluster. The other commands do what\n" +
			"Kubernetes has no words for: they move the cluster's clock, ask its history, copy it, and make it fail.\n\n" +
			"It exits with 0 if all went well, with 1 if something was refused or failed, with 2 if there is no such command, flag or\n" +
			"argument, and with 130 after Ctrl-C.",
		Example: "  rowlock serve --ephemeral                                   start a cluster that keeps nothing\n" +
			"  rowlock kubeconfig > kubeconfig; export KUBECONFIG=kubeconfig\n" +
			"  rowlock demo                                                fill it with things to look at\n" +
			"  rowlock clock advance 1d                                    let a day pass\n" +
			"  rowlock log why 1234                                        ask what led to a change\n" +
			"  rowlock fork what-if                                        try something on a copy\n" +
			"  rowlock fault node node-2 failed                            make a node fail",
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
		{"client", "Connect to it:", []*cobra.Command{kubeconfigCommand(getenv), demoCommand(getenv), envtestCommand(getenv)}},
		{"time", "Time, history and copies:", []*cobra.Command{clockCommand(getenv), logCommand(getenv), forkCommand(getenv), snapshotCommand(getenv)}},
		{"trouble", "Trouble and work:", []*cobra.Command{faultCommand(getenv), loadCommand(getenv)}},
		{"about", "About the program:", []*cobra.Command{versionCommand(), openapiCommand(), manCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, command := range group.commands {
			command.GroupID = group.id
			root.AddCommand(command)
		}
	}
	root.SetHelpCommandGroupID("about")
	root.SetCompletionCommandGroupID("about")
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
