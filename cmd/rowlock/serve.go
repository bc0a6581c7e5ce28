package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/cmd/rowlock/client"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/credential"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/pg/server"
)

const (
	// startTimeout bounds the time from start to ready, including a first initdb and a recovery
	// after a crash.
	startTimeout = 2 * time.Minute
	// drainTimeout bounds how long a stopping server waits for requests; watches are ended at once.
	drainTimeout = 5 * time.Second
)

func serveCommand(getenv func(string) string) *cobra.Command {
	var c config
	command := &cobra.Command{
		Use:   "serve",
		Short: "Run a Rowlock replica",
		Long: "Run a Rowlock replica: the Kubernetes API, the controllers and the emulated nodes. Replicas of one\n" +
			"cluster share a PostgreSQL, which --database-url names; without it, the replica runs a PostgreSQL of\n" +
			"its own.\n\n" +
			"When the replica is ready, it prints one line with its URL and the path of a kubeconfig. On SIGTERM\n" +
			"or Ctrl-C, it finishes the requests in progress and stops.\n\n" +
			"Each flag can also be set with the environment variable in brackets; the flag takes precedence.",
		Example: "  # Start a cluster\n" +
			"  rowlock serve\n\n" +
			"  # Start a cluster with 100 nodes that keeps nothing\n" +
			"  rowlock serve --nodes 100 --ephemeral\n\n" +
			"  # Run a replica on an existing PostgreSQL\n" +
			"  rowlock serve --database-url postgres://user@host/rowlock\n\n" +
			"  # Serve other machines over TLS, with a token\n" +
			"  rowlock serve --listen 0.0.0.0:6443 --credentials-dir ~/.rowlock/credentials",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := environment(command.Flags(), getenv); err != nil {
				return err
			}
			if err := c.validate(); err != nil {
				return err
			}
			tuneMemory(command.Context(), getenv)
			return serve(command.Context(), c, getenv, command.OutOrStdout())
		},
	}
	c.flags(command.Flags())
	return command
}

// serve is the program's table of contents: the database, the replica over it, the HTTP server in
// front and, when ctx ends, all of it stopped in the opposite order.
func serve(ctx context.Context, c config, getenv func(string) string, stdout io.Writer) error {
	log, err := c.logger(os.Stderr)
	if err != nil {
		return err
	}
	for _, name := range c.gates.unrecognized() {
		log.Warn("unrecognized feature gate", "name", name)
	}
	if c.dataDir == "" && !c.ephemeral {
		if c.dataDir, err = server.DefaultDataDir(getenv); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", c.listen) // first, so that a port in use is found before anything is started
	if err != nil {
		return err
	}
	defer listener.Close() //nolint:errcheck // the HTTP server has closed it already, unless it was never started

	debug, err := startDebug(c.debugListen)
	if err != nil {
		return err
	}
	defer debug()

	secure, err := c.secure.open(log, listener.Addr())
	if err != nil {
		return err
	}

	starting, started := context.WithTimeout(ctx, startTimeout)
	defer started()
	database, err := openDatabase(starting, c)
	if err != nil {
		return err
	}
	defer database.stop()

	of, err := c.cluster()
	if err != nil {
		return err
	}
	of.DatabaseURL, of.Log = database.url, log
	of.LoopbackGuard, of.Authenticator, of.CABundle = secure.authenticator == nil, secure.authenticator, string(secure.access.CA)
	replica, err := cluster.Open(starting, of)
	if err != nil {
		return err
	}
	defer replica.Close()
	started()

	kubeconfig, err := c.writeKubeconfig(secure.access, database.dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "ready url=%s kubeconfig=%s\n", secure.access.Server, kubeconfig)
	return serveHTTP(ctx, front{listener, secure.tls, replica.Handler(), drainTimeout / 5}, database, log)
}

// cluster returns the flags' settings of the cluster, without its database, its log and its logins.
func (c config) cluster() (cluster.Config, error) {
	capacity, err := c.capacity()
	if err != nil {
		return cluster.Config{}, err
	}
	security, err := readAdmission(c.admission)
	if err != nil {
		return cluster.Config{}, err
	}
	images, err := c.models()
	if err != nil {
		return cluster.Config{}, err
	}
	return cluster.Config{
		Nodes: c.nodes, Zones: c.zones, NodeCapacity: capacity, Images: images,
		Resync: c.resync, Retention: c.retain, MostObjects: c.mostObjects,
		JobBackoffCap: c.jobBackoff, StartLateCronJobs: c.startLate,
		Controllers: c.controllers, Gates: kind.Gates(c.gates), PodSecurity: security,
	}, nil
}

// front is where requests arrive.
type front struct {
	listener net.Listener
	tls      *tls.Config // nil for plain HTTP
	handler  http.Handler
	watches  time.Duration // how long watches continue when the server stops
}

// serveHTTP serves until ctx ends or the database's own server dies.
func serveHTTP(ctx context.Context, f front, database *database, log *slog.Logger) error {
	requests, endRequests := context.WithCancel(context.WithoutCancel(ctx))
	defer endRequests()
	srv := api.NewHTTPServer(f.handler, api.Limits{}, f.tls, log)
	srv.BaseContext = func(net.Listener) context.Context { return requests }
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(f.listener) }()
	var cause error
	select {
	case <-ctx.Done():
	case cause = <-failed:
	case <-database.died:
		cause = errors.Join(errors.New("the database server exited"), database.failure())
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	time.AfterFunc(f.watches, endRequests) // watches do not end by themselves
	if err := srv.Shutdown(drain); err != nil {
		log.Warn("some requests did not finish in time and were cut off", "error", err)
	}
	return cause
}

// database is where the replica's data lives.
type database struct {
	url  string
	dir  string          // where the replica's own files live
	died <-chan struct{} // closed when our own server has ended; nil for an external one
	// failure returns how our own server has ended; nil while it runs and if it ended normally.
	failure func() error
	stop    func()
}

// openDatabase uses the configured database, or starts one.
func openDatabase(ctx context.Context, c config) (*database, error) {
	if c.databaseURL != "" {
		return &database{url: c.databaseURL, dir: c.dataDir, stop: func() {}}, nil
	}
	own, err := server.Start(ctx, server.Options{DataDir: c.dataDir, Ephemeral: c.ephemeral, BinDir: c.pgBin})
	if err != nil {
		return nil, err
	}
	stop := func() {
		ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
		defer cancel()
		_ = own.Stop(ctx) // it ends with this process anyway
	}
	dir := c.dataDir // as given: the server's own name for it is absolute and free of symbolic links
	if c.ephemeral {
		dir = own.Dir()
	}
	return &database{url: own.URL(), dir: dir, died: own.Done(), failure: own.Err, stop: stop}, nil
}

// writeKubeconfig writes the kubeconfig to the configured path, and returns that.
func (c config) writeKubeconfig(to client.Access, dir string) (string, error) {
	path := c.kubeconfig
	switch {
	case path != "":
	case c.secure.credentialsDir != "":
		path = credential.Dir(c.secure.credentialsDir).Kubeconfig()
	default:
		path = filepath.Join(dir, "kubeconfig")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return path, client.WriteKubeconfig(path, to)
}
