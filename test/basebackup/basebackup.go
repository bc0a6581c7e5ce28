// Package basebackup copies the files of a running PostgreSQL, for tests of standbys and of recovery.
package basebackup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/rowlock/rowlock/internal/pg/server"
)

// Files are the files of a server that has not started yet.
type Files struct {
	Dir string // for server.Options.DataDir
}

// Take copies the server of a URL into a new directory, as pg_basebackup does, with the arguments
// that are given beside those that say from where and to where. The copy belongs to the user who
// owns the other server's data directory, because PostgreSQL refuses files of anyone else.
func Take(ctx context.Context, url, like, dir string, arguments ...string) (Files, error) {
	bin, err := server.Find(os.Getenv("PG_BIN"), 0)
	if err != nil {
		return Files{}, err
	}
	f := Files{dir}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Files{}, err
	}
	arguments = append([]string{"--pgdata=" + f.data(), "--dbname=" + url, "--checkpoint=fast", "--no-sync"}, arguments...)
	copying := exec.CommandContext(ctx, filepath.Join(bin.Dir, "pg_basebackup"), arguments...)
	var said bytes.Buffer
	copying.Stdout, copying.Stderr = &said, &said
	if err := copying.Run(); err != nil {
		return Files{}, fmt.Errorf("pg_basebackup: %w\n%s", err, said.String())
	}
	return f, giveAs(f.data(), Files{like}.data())
}

// data is the data directory of PostgreSQL itself.
func (f Files) data() string { return filepath.Join(f.Dir, "pgdata") }

// Set appends a setting to the configuration. The last one of a name wins.
func (f Files) Set(name, value string) error {
	file, err := os.OpenFile(filepath.Join(f.data(), "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s = '%s'\n", name, value)
	return errors.Join(err, file.Close())
}

// Recover makes the server recover from archived WAL when it starts, rather than only from what the
// copy has.
func (f Files) Recover() error {
	return os.WriteFile(filepath.Join(f.data(), "recovery.signal"), nil, 0o644)
}
