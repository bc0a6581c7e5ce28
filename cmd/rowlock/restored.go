package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/pg/server"
)

// restoredCommand begins a new history in a restored database.
func restoredCommand(getenv func(string) string) *cobra.Command {
	var c config
	command := &cobra.Command{
		Use:   "restored",
		Short: "Record that the database was restored to an earlier state",
		Long: "Record that the database was restored to an earlier state, so that clients which know later revisions get 410 and list again.\n" +
			"Replicas find out by themselves after pg_restore, recovery to a point in time and a failover. This command is for copies of\n" +
			"PostgreSQL's files, such as a snapshot of a disk. Run it before replicas start; replicas that run load again.",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := environment(command.Flags(), getenv); err != nil {
				return err
			}
			if c.databaseURL == "" && c.dataDir == "" {
				return errors.New("name the database with --database-url, or the folder of Rowlock's own PostgreSQL with --data-dir")
			}
			if c.databaseURL != "" {
				c.dataDir = ""
			}
			database, err := openDatabase(command.Context(), c)
			if errors.Is(err, server.ErrInUse) {
				return fmt.Errorf("%w: stop it first", err)
			}
			if err != nil {
				return err
			}
			defer database.stop()
			revision, err := cluster.Restored(command.Context(), database.url)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(command.OutOrStdout(), "the history begins anew with resourceVersion %d\n", revision)
			return err
		},
	}
	f := command.Flags()
	f.StringVar(&c.databaseURL, "database-url", "", "the restored database [$DATABASE_URL]")
	f.StringVar(&c.dataDir, "data-dir", "", "the folder of Rowlock's own PostgreSQL, if that was restored [$ROWLOCK_DATA_DIR]")
	f.StringVar(&c.pgBin, "pg-bin", "", "folder of PostgreSQL's server programs (default: looked for on PATH and in the usual places) [$PG_BIN]")
	return command
}
