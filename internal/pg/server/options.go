package server

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
)

// Options say which server to run.
type Options struct {
	// DataDir is where the data lives. It is created if it does not exist. Required, unless
	// Ephemeral.
	DataDir string

	// Ephemeral puts the data into a temporary directory that is removed when the server stops or
	// its process dies. Such a server commits in order but does not flush to disk.
	Ephemeral bool

	// TempDir is where an ephemeral server's directory is made. If empty, os.TempDir().
	TempDir string

	// BinDir is the directory of the server's binaries. If empty, Find searches for them.
	BinDir string

	// MaxConnections is how many sessions the server takes. 0 means 200.
	MaxConnections int
}

// Validate reports what Start would refuse before it touches anything.
func (o Options) Validate() error {
	switch {
	case o.Ephemeral && o.DataDir != "":
		return errors.New("an ephemeral server cannot have a data directory")
	case !o.Ephemeral && o.TempDir != "":
		return errors.New("only an ephemeral server can have a temporary directory")
	case !o.Ephemeral && o.DataDir == "":
		return errors.New("no data directory")
	case o.MaxConnections < 0:
		return fmt.Errorf("the maximum number of connections must not be negative: %d", o.MaxConnections)
	}
	return nil
}

// DefaultDataDir returns where data is kept by default: /var/lib/rowlock for root, whose home is
// closed to the user that the server runs as, and $XDG_DATA_HOME/rowlock or ~/.local/share/rowlock
// for other users.
func DefaultDataDir(getenv func(string) string) (string, error) {
	if runsAsRoot() {
		return "/var/lib/rowlock", nil
	}
	if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "rowlock"), nil
	}
	if local := getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && local != "" {
		return filepath.Join(local, "rowlock"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "share", "rowlock"), nil
	}
	return "", errors.New("no data directory: neither XDG_DATA_HOME nor HOME is set")
}
