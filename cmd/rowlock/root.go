package main

import (
	"github.com/spf13/cobra"

	"github.com/rowlock/rowlock/cmd/rowlock/client"
	"github.com/rowlock/rowlock/cmd/rowlock/exit"
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
		{"server", "Run a server:", []*cobra.Command{serveCommand(getenv), client.HealthCommand(getenv), restoredCommand(getenv)}},
		{"client", "Get started:", []*cobra.Command{client.KubeconfigCommand(getenv), client.DemoCommand(getenv), envtestCommand(getenv)}},
		{"time", "Time, history and copies:", []*cobra.Command{
			client.ClockCommand(getenv), client.LogCommand(getenv), client.ForkCommand(getenv), client.SnapshotCommand(getenv),
		}},
		{"faults", "Faults and load:", []*cobra.Command{client.FaultCommand(getenv), client.LoadCommand(getenv)}},
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
	root.SetFlagErrorFunc(exit.Misuse)
	toldOfMisuse(root)
	return root
}

// toldOfMisuse gives errors about the arguments of a command, and of those below it, the exit code
// of a misuse.
func toldOfMisuse(command *cobra.Command) {
	if check := command.Args; check != nil {
		command.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return exit.Misuse(c, err)
			}
			return nil
		}
	}
	for _, below := range command.Commands() {
		toldOfMisuse(below)
	}
}
