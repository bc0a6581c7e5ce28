// Package pg is Rowlock's access to PostgreSQL: a pool whose sessions notice dead peers within
// seconds, the interpretation of SQLSTATEs, and the migrations. Its subpackage server runs a
// PostgreSQL of Rowlock's own.
package pg

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// MinServerVersion is the oldest server that Open accepts, as PostgreSQL writes it in
// server_version_num.
const MinServerVersion = 150000

// Config says which database to use and how.
type Config struct {
	// URL is a connection string as libpq takes it, a URL or keywords and values. PG* environment
	// variables fill in what it leaves out. Required. A session setting that it names overrides
	// Rowlock's own.
	URL string

	// MaxConns bounds the pool. 0 means pgxpool's default: 4, or the number of CPUs if there are
	// more.
	MaxConns int32

	// ApplicationName is how pg_stat_activity shows the sessions. Empty means "rowlock".
	ApplicationName string

	// OnConnect, if not nil, is called whenever the pool has made a connection, before that is
	// used: the server may differ, or have another state, than before. It must not block or use the
	// pool.
	OnConnect func()

	// ConnectTimeout bounds the opening of one connection. 0 means the URL's connect_timeout, or 5
	// s.
	ConnectTimeout time.Duration

	// Tracer sees every statement that the pool's sessions send; may be nil. Sessions share it.
	Tracer pgx.QueryTracer
}

// Validate reports what Open would refuse before it connects to a server. It changes nothing.
func (c Config) Validate() error {
	if c.URL == "" {
		return errors.New("no database URL")
	}
	if c.MaxConns < 0 {
		return fmt.Errorf("the maximum number of connections must not be negative: %d", c.MaxConns)
	}
	_, err := c.pool(nil)
	return err
}

// sessionSettings are sent with every connection, so that no session can exist without them.
//
// A server detects a peer that is gone by itself: it checks the socket while a statement runs
// (client_connection_check_interval), probes a silent one after a second (tcp_keepalives_*), gives
// up on unacknowledged bytes (tcp_user_timeout), and ends a transaction in which nothing happens.
// So row locks of a dead or stopped replica are free again in two to three seconds at most.
//
// No statement asks for enough rows to be worth a compilation or parallel workers: to start those
// takes 30 ms, for a page of 1,000 objects that is read in 2 ms.
var sessionSettings = map[string]string{
	"idle_in_transaction_session_timeout": "2s",
	"client_connection_check_interval":    "500ms",
	"tcp_keepalives_idle":                 "1",
	"tcp_keepalives_interval":             "1",
	"tcp_keepalives_count":                "2",
	"tcp_user_timeout":                    "3000",
	"jit":                                 "off",
	"max_parallel_workers_per_gather":     "0",
	"synchronous_commit":                  "on",
	"TimeZone":                            "UTC",
}

// pool converts the Config to pgxpool's. It leaves out the settings named in without.
func (c Config) pool(without map[string]bool) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	if c.MaxConns > 0 {
		config.MaxConns = c.MaxConns
	}
	if c.ConnectTimeout > 0 {
		config.ConnConfig.ConnectTimeout = c.ConnectTimeout
	} else if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	params := config.ConnConfig.RuntimeParams
	for name, value := range sessionSettings {
		if _, named := params[name]; !named && !without[name] {
			params[name] = value
		}
	}
	if c.ApplicationName != "" {
		params["application_name"] = c.ApplicationName
	} else if params["application_name"] == "" {
		params["application_name"] = "rowlock"
	}
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		encodeArraysAtOnce(conn)
		if c.OnConnect != nil {
			c.OnConnect()
		}
		return nil
	}
	config.ConnConfig.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	config.ConnConfig.DialFunc = dialer().DialContext
	config.ConnConfig.Tracer = traced(c.Tracer)
	return config, nil
}
