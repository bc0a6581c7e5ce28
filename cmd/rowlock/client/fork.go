package client

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	v1 "github.com/rowlock/rowlock/api/v1"
)

// forkClient implements the commands for forks.
type forkClient struct {
	server, clock, ttl, snapshot string
	at                           int64
	getenv                       func(string) string
}

// ForkCommand makes `rowlock fork`.
func ForkCommand(getenv func(string) string) *cobra.Command {
	c := &forkClient{getenv: getenv}
	command := &cobra.Command{
		Use:   "fork [NAME]",
		Short: "Create a copy of the cluster that changes independently",
		Long: "Create a fork: a second cluster that starts with the state of this one, now or at an earlier\n" +
			"revision, or with that of a snapshot. A fork has a database and a clock of its own, and changes in\n" +
			"it do not affect the cluster. The same processes serve it, below a path.",
		Example: "  # Create a fork, and connect kubectl to it\n" +
			"  rowlock fork what-if\n" +
			"  rowlock kubeconfig --fork what-if > what-if.kubeconfig\n\n" +
			"  # Look at the state at revision 1200 for an hour\n" +
			"  rowlock fork before --at 1200 --clock paused --ttl 1h\n\n" +
			"  # List the forks, and delete one\n" +
			"  rowlock fork list\n" +
			"  rowlock fork delete what-if",
		Args: cobra.MaximumNArgs(1),
		RunE: c.make,
	}
	serverFlag(command.PersistentFlags(), &c.server)
	command.Flags().Int64Var(&c.at, "at", 0, "revision to start with, if the log still has it (default: the newest)")
	command.Flags().StringVar(&c.snapshot, "snapshot", "", "start with this snapshot, which the server keeps")
	command.Flags().StringVar(&c.ttl, "ttl", "", "delete the fork after this time, such as 90s, 36h or 7d, in real time (default: never)")
	clockFlag(command.Flags(), &c.clock)
	command.AddCommand(
		&cobra.Command{Use: "list", Short: "List forks", Args: cobra.NoArgs, RunE: c.list},
		&cobra.Command{Use: "delete NAME", Short: "Delete a fork and everything in it", Args: cobra.ExactArgs(1), RunE: c.remove},
	)
	return command
}

func (c *forkClient) make(command *cobra.Command, args []string) error {
	r := v1.ForkRequest{At: c.at, Snapshot: c.snapshot, Clock: c.clock, TTL: c.ttl}
	if len(args) > 0 {
		r.Name = args[0]
	} else {
		r.Name = "fork-" + strconv.FormatUint(uint64(rand.Uint32()), 36)
	}
	server, err := newClient(c.server, c.getenv)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(command.Context(), longTimeout)
	defer cancel()
	var made v1.Fork
	if err := server.do(ctx, http.MethodPost, v1.ForksPath, nil, r, &made); err != nil {
		return err
	}
	_, err = fmt.Fprintf(command.OutOrStdout(), "fork %s of revision %d: %s\n", made.Name, made.Revision, server.base.JoinPath(made.Path))
	return err
}

func (c *forkClient) list(command *cobra.Command, _ []string) error {
	server, err := newClient(c.server, c.getenv)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(command.Context(), requestTimeout)
	defer cancel()
	var list v1.ForkList
	if err := server.do(ctx, http.MethodGet, v1.ForksPath, nil, nil, &list); err != nil {
		return err
	}
	if len(list.Items) == 0 {
		_, err := fmt.Fprintln(command.ErrOrStderr(), "no forks")
		return err
	}
	t := tabwriter.NewWriter(command.OutOrStdout(), 0, 8, 3, ' ', 0)
	fmt.Fprint(t, "NAME\tSTATE\tOF\tCREATED\tEXPIRES\tURL\n")
	for _, f := range list.Items {
		of, expires := "revision "+strconv.FormatInt(f.Revision, 10), "never"
		if f.Snapshot != "" {
			of = "snapshot " + f.Snapshot
		}
		if f.Expires != nil {
			expires = timeText(*f.Expires)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", f.Name, f.State, of, timeText(f.Created), expires, server.base.JoinPath(f.Path))
	}
	return t.Flush()
}

func (c *forkClient) remove(command *cobra.Command, args []string) error {
	server, err := newClient(c.server, c.getenv)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(command.Context(), longTimeout)
	defer cancel()
	var was v1.Fork
	if err := server.do(ctx, http.MethodDelete, v1.ForksPath+"/"+url.PathEscape(args[0]), nil, nil, &was); err != nil {
		return err
	}
	_, err = fmt.Fprintf(command.OutOrStdout(), "deleted %s\n", was.Name)
	return err
}
