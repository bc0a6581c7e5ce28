package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/pg/tenancy"
	"github.com/rowlock/rowlock/migrations"
)

const (
	// databaseVariable names a PostgreSQL for envtest; without it, the instances share one of their
	// own.
	databaseVariable = "ROWLOCK_ENVTEST_DATABASE_URL"
	// databasePath is where the program etcd serves which database an instance has.
	databasePath = "/rowlock/database"
	// spareDelay is when the spare database is created, from which the next instance starts faster:
	// later than the API server of this one starts, because both need the processor.
	spareDelay = time.Second
	// etcdStop bounds how long dropping the database may take; others sweep what is left.
	etcdStop = 5 * time.Second
)

// etcdConfig is etcd's flags.
type etcdConfig struct {
	clientURLs []string
	help       bool
	version    bool
}

func (c *etcdConfig) flags() *pflag.FlagSet {
	f := pflag.NewFlagSet(assetEtcd, pflag.ContinueOnError)
	f.StringSliceVar(&c.clientURLs, "listen-client-urls", []string{"http://localhost:2379"}, "URLs to listen on for the API server; only the first has an effect")
	f.StringSlice("advertise-client-urls", nil, "without effect")
	f.StringSlice("listen-peer-urls", nil, "without effect: there are no peers")
	f.String("data-dir", "", "without effect: data is in PostgreSQL, and is deleted when this process ends")
	f.Bool("unsafe-no-fsync", false, "without effect: nothing is flushed to disk")
	f.BoolVar(&c.version, "version", false, "print the version of etcd that it replaces")
	f.BoolVarP(&c.help, "help", "h", false, "print this help")
	return f
}

// runEtcd is the program that replaces etcd in envtest: it holds a database for the API server
// while it runs.
func runEtcd(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var c etcdConfig
	flags := c.flags()
	log := slog.New(slog.NewTextHandler(stderr, nil))
	err := parseLeniently(flags, args, log)
	switch {
	case err != nil:
	case c.help:
		fmt.Fprintf(stdout, "Usage:\n  etcd [flags]\n\nRowlock's replacement for etcd in envtest.\n\n%s", flags.FlagUsages())
	case c.version:
		fmt.Fprintf(stdout, "etcd Version: %s\n%s", etcdVersion, versionText())
	default:
		err = c.serve(ctx, os.Getenv, log)
	}
	if err != nil {
		fmt.Fprintln(stderr, "rowlock: etcd:", err)
		return 1
	}
	return 0
}

// etcdVersion is the etcd that Kubernetes 1.36 is tested with.
const etcdVersion = "3.6.8"

// serve holds a database until ctx ends. The listener opens first, and is healthy when PostgreSQL
// runs: the API server starts while the database is made.
func (c *etcdConfig) serve(ctx context.Context, getenv func(string) string, log *slog.Logger) (err error) {
	listener, err := c.listen()
	if err != nil {
		return err
	}
	defer listener.Close() //nolint:errcheck // the HTTP server has closed it already, unless it was never started
	starting, started := context.WithTimeout(ctx, startTimeout)
	defer started()
	base := getenv(databaseVariable)
	if base != "" {
		err = tenancy.Sweep(starting, base)
	} else {
		var member *tenancy.Member
		if member, err = joinShared(starting, getenv); err == nil {
			base = member.URL()
			defer func() { err = errors.Join(err, member.Close()) }()
		}
	}
	if err != nil {
		return err
	}
	mine := &instance{made: make(chan struct{})}
	server := &http.Server{Handler: mine.handler(), ReadHeaderTimeout: etcdStop, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	database, err := tenancy.NewDatabase(starting, base, recipe())
	if err != nil {
		return err
	}
	defer func() {
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), etcdStop)
		defer cancel()
		err = errors.Join(err, database.Close(stopping))
	}()
	started()
	mine.databaseURL = database.URL()
	close(mine.made)
	prepare := time.AfterFunc(spareDelay, func() {
		if err := tenancy.Prepare(ctx, base, recipe()); err != nil {
			log.Debug("could not prepare a spare database", "error", err)
		}
	})
	defer prepare.Stop()
	select {
	case <-ctx.Done():
		return server.Close()
	case err := <-failed:
		return err
	}
}

// recipe is what the databases of instances begin with: what the API server's first start leaves
// there.
func recipe() tenancy.Recipe {
	fill := func(ctx context.Context, url string) error {
		replica, err := cluster.Open(ctx, cluster.Config{DatabaseURL: url, Controllers: []string{}, NoStorageClass: true, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			return err
		}
		replica.Close()
		return nil
	}
	return tenancy.Recipe{Migrations: migrations.FS, Version: versionText(), Fill: fill}
}

// listen listens at the first of the URLs.
func (c *etcdConfig) listen() (net.Listener, error) {
	if len(c.clientURLs) == 0 {
		return nil, errors.New("--listen-client-urls: give at least one URL")
	}
	u, err := url.Parse(c.clientURLs[0])
	if err != nil {
		return nil, fmt.Errorf("--listen-client-urls: %w", err)
	}
	if u.Scheme != "http" || !isLoopback(u.Hostname()) {
		return nil, fmt.Errorf("--listen-client-urls: %q is not an http URL of a loopback address, "+
			"such as http://127.0.0.1:2379: it is served without TLS", c.clientURLs[0])
	}
	return net.Listen("tcp", u.Host)
}

// instance is what the program has for the API server.
type instance struct {
	made        chan struct{} // closed when the database is made
	databaseURL string        // set before
}

// handler answers the requests of envtest and kube-apiserver to this program.
func (i *instance) handler() http.Handler {
	mux := http.NewServeMux()
	answer := func(pattern string, body any) {
		mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(body) // the client may have gone
		})
	}
	answer("/health", map[string]string{"health": "true", "reason": ""})
	answer("/version", map[string]string{"etcdserver": etcdVersion, "etcdcluster": etcdVersion})
	mux.HandleFunc("GET "+databasePath, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-i.made:
		case <-r.Context().Done():
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if json.NewEncoder(w).Encode(instanceDatabase{URL: i.databaseURL}) == nil && http.NewResponseController(w).Flush() == nil {
			<-r.Context().Done() // the answer ends with this process, or with the API server
		}
	})
	return mux
}

// instanceDatabase is the beginning of the answer at databasePath.
type instanceDatabase struct {
	URL string `json:"url"`
}

// holdDatabase asks the program etcd at a URL which database it has. The returned context ends with
// ctx, with release, and with that program, because the database ends with it.
func holdDatabase(ctx context.Context, etcd string) (held context.Context, databaseURL string, release func(), err error) {
	held, stop := context.WithCancel(ctx)
	defer func() {
		if err != nil {
			stop()
		}
	}()
	at, err := url.JoinPath(etcd, databasePath)
	if err != nil {
		return nil, "", nil, err
	}
	req, err := http.NewRequestWithContext(held, http.MethodGet, at, http.NoBody)
	if err != nil {
		return nil, "", nil, err
	}
	late := time.AfterFunc(startTimeout, stop)
	resp, err := http.DefaultClient.Do(req) //nolint:bodyclose // it is read, and closed, in the background: it ends with etcd
	if err != nil {
		return nil, "", nil, err
	}
	var d instanceDatabase
	if resp.StatusCode != http.StatusOK || json.NewDecoder(io.LimitReader(resp.Body, 1<<16)).Decode(&d) != nil || d.URL == "" {
		return nil, "", nil, errors.Join(fmt.Errorf("%s is not the etcd of `rowlock envtest`: run all programs from the same directory", etcd), resp.Body.Close())
	}
	late.Stop()
	go func() {
		defer stop()
		_, _ = io.Copy(io.Discard, resp.Body) // however it ends, it has ended
		_ = resp.Body.Close()                 // it was read
	}()
	return held, d.URL, stop, nil
}

// parseLeniently parses flags, and warns about unknown ones. Upstream's programs have hundreds, and
// suites pass some of them that have no effect here.
func parseLeniently(flags *pflag.FlagSet, args []string, log *slog.Logger) error {
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.Usage = func() {}
	for _, name := range unknownFlags(flags, args) {
		log.Warn("ignored a flag that has no effect", "flag", name)
	}
	return flags.Parse(args)
}
