package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// healthTimeout bounds a health check of a server; it is less than container runtimes and proxies
// wait.
const healthTimeout = 5 * time.Second

// HealthCommand makes `rowlock health`, which asks a server whether it is ready. In a container,
// which has no other program, it is the health check.
func HealthCommand(getenv func(string) string) *cobra.Command {
	var server string
	command := &cobra.Command{
		Use:   "health",
		Short: "Check whether the server on this machine is ready",
		Long: "Check whether the server on this machine is ready. The command exits with 0 if it is, and with 1 if\n" +
			"it is not or does not answer.\n\n" +
			"The server is the one that `rowlock serve` starts with the same environment; KUBECONFIG and\n" +
			"ROWLOCK_EXTERNAL_URL are ignored.",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(command.Context(), healthTimeout)
			defer cancel()
			return health(ctx, server, local(getenv), command.OutOrStdout())
		},
	}
	command.Flags().StringVar(&server, "server", "", "URL of the server (default: http:// or https:// and $ROWLOCK_LISTEN, else http://127.0.0.1:8080)")
	return command
}

// local returns the environment without variables that lead to servers on other machines.
func local(getenv func(string) string) func(string) string {
	return func(name string) string {
		if name == "KUBECONFIG" || name == "ROWLOCK_EXTERNAL_URL" {
			return ""
		}
		return getenv(name)
	}
}

func health(ctx context.Context, server string, getenv func(string) string, stdout io.Writer) error {
	c, err := newClient(server, getenv)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.JoinPath("/readyz").String(), nil)
	if err != nil {
		return err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreachable, err)
	}
	defer res.Body.Close() //nolint:errcheck // it is only read
	said, err := io.ReadAll(io.LimitReader(res.Body, 4<<10))
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreachable, err)
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s: %s", c.base.Host, res.Status, strings.TrimSpace(string(said)))
	}
	_, err = fmt.Fprintln(stdout, strings.TrimSpace(string(said)))
	return err
}
