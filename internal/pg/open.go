package pg

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	//go:embed set_config.sql
	sqlSetConfig string
	//go:embed server_version.sql
	sqlServerVersion string
)

// ErrServerTooOld says that the server is older than MinServerVersion.
var ErrServerTooOld = errors.New("Rowlock needs PostgreSQL 15 or newer") //nolint:staticcheck // a name

// Open connects to the database, checks that its server is new enough and writable, and returns a
// pool whose every session has the settings that Rowlock relies on. The caller closes the pool.
//
// It tries once: an unreachable server, or a standby, is an error at once; IsConnectionLoss and
// IsRetryable distinguish it from a refusal. ErrServerTooOld refuses an old server. A pooler in
// transaction mode is not supported, because it shares sessions; most refuse the settings
// themselves.
func Open(ctx context.Context, c Config) (*pgxpool.Pool, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	pool, err := c.connect(ctx, nil)
	if IsInvalidSetting(err) || state(err) == stateUndefinedObject { // an older server does not know its name
		unknown, failure := probe(ctx, c)
		if err = failure; err == nil {
			pool, err = c.connect(ctx, unknown)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	return pool, nil
}

// connect makes a pool, without the settings named in without, and its first connection.
func (c Config) connect(ctx context.Context, without map[string]bool) (*pgxpool.Pool, error) {
	config, err := c.pool(without)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	err = pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error { return checkServer(ctx, conn.Conn()) })
	if err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

// probe asks a server that has refused a setting over a connection without any: whether it is too
// old to know them all, or which setting its platform does not support.
func probe(ctx context.Context, c Config) (unknown map[string]bool, err error) {
	config, err := c.pool(nil)
	if err != nil {
		return nil, err
	}
	plain := config.ConnConfig
	for name := range sessionSettings {
		delete(plain.RuntimeParams, name)
	}
	conn, err := pgx.ConnectConfig(ctx, plain)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx) //nolint:errcheck // nothing was written
	if err := checkServer(ctx, conn); err != nil {
		return nil, err
	}
	// A server on Windows cannot watch a socket while it works, and refuses any interval but 0.
	const interval = "client_connection_check_interval"
	_, err = conn.Exec(ctx, sqlSetConfig, interval, sessionSettings[interval])
	switch {
	case IsInvalidSetting(err):
		return map[string]bool{interval: true}, nil
	case err != nil:
		return nil, err
	}
	return nil, nil
}

// checkServer returns an error if the server is too old.
func checkServer(ctx context.Context, conn *pgx.Conn) error {
	var version string
	if err := conn.QueryRow(ctx, sqlServerVersion).Scan(&version); err != nil {
		return fmt.Errorf("read the server's version: %w", err)
	}
	return checkVersion(version, conn.PgConn().ParameterStatus("server_version"))
}

// checkVersion compares a server_version_num with MinServerVersion. name is how the error calls the
// version.
func checkVersion(number, name string) error {
	version, err := strconv.Atoi(number)
	if err != nil {
		return fmt.Errorf("read the server's version: %w", err)
	}
	if version < MinServerVersion {
		return fmt.Errorf("%w; this server is %s", ErrServerTooOld, name)
	}
	return nil
}
