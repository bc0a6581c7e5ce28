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
		Long: "Record that the database was restored to an earlier state, so that clients which know later\n" +
			"revisions get 410 Gone and list again.\n\n" +
			"Replicas detect pg_restore, recovery to a point in time and a failover by themselves. Use this\n" +
			"command after restoring a copy of PostgreSQL's files, such as a disk snapshot. Run it before\n" +
			"replicas start; replicas that are running load the state again.",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := environment(command.Flags(), getenv); err != nil {
				return err
			}
			if c.databaseURL == "" && c.dataDir == "" {
				return errors.New("specify the database with --database-url, or the directory of Rowlock's own PostgreSQL with --data-dir")
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
			_, err = fmt.Fprintf(command.OutOrStdout(), "a new history begins at resourceVersion %d\n", revision)
			return err
		},
	}
	f := command.Flags()
	f.StringVar(&c.databaseURL, "database-url", "", "URL of the restored database [$DATABASE_URL]")
	f.StringVar(&c.dataDir, "data-dir", "", "directory of Rowlock's own PostgreSQL, if that was restored [$ROWLOCK_DATA_DIR]")
	f.StringVar(&c.pgBin, "pg-bin", "", "directory of PostgreSQL's server programs (default: searched for on PATH and in the usual places) [$PG_BIN]")
	return command
}
