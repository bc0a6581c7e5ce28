package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/server"
	"github.com/rowlock/rowlock/test/basebackup"
	"github.com/rowlock/rowlock/test/exercise"
)

// connections is how many sessions each of the two servers accepts: those of three replicas and
// their forks, and the rest for one fault to take.
const connections = 120

// database is a PostgreSQL and its synchronous standby, which reaches it through a link.
type database struct {
	dir  string
	link *link // from the standby to the primary

	mu      sync.Mutex
	primary node
	standby node
	copies  int // copies made so far
}

// node is one of the two servers. server is nil while it is down.
type node struct {
	dir    string
	server *server.Server
}

// newDatabase starts both, still without a database.
func newDatabase(ctx context.Context, dir string) (*database, error) {
	d := &database{dir: dir, primary: node{dir: filepath.Join(dir, "server-1")}, copies: 1}
	var err error
	if d.link, err = newLink(d.dial); err != nil {
		return nil, err
	}
	if d.primary.server, err = startServer(ctx, d.primary.dir); err != nil {
		return nil, err
	}
	if err := d.each(ctx, sqlReplicate); err != nil {
		return nil, err
	}
	return d, d.addStandby(ctx)
}

func startServer(ctx context.Context, dir string) (*server.Server, error) {
	ctx, cancel := context.WithTimeout(ctx, exercise.Patience)
	defer cancel()
	return server.Start(ctx, server.Options{DataDir: dir, BinDir: os.Getenv("PG_BIN"), MaxConnections: connections})
}

// end stops both.
func (d *database) end() {
	d.link.close()
	d.stop(&d.standby, 0)
	d.stop(&d.primary, 0)
}

// stop shuts a server down, and makes it exit at once after a timeout.
func (d *database) stop(n *node, within time.Duration) {
	d.mu.Lock()
	s := n.server
	n.server = nil
	d.mu.Unlock()
	if s == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	_ = s.Stop(ctx) // its error says that it was made to exit
}

// startPrimary starts the primary after stop.
func (d *database) startPrimary(ctx context.Context) error {
	s, err := startServer(ctx, d.primary.dir)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.primary.server = s
	return nil
}

var errDown = errors.New("the primary is down")

// url returns how to connect to the primary, past all links.
func (d *database) url() (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.primary.server == nil {
		return "", errDown
	}
	return d.primary.server.URL(), nil
}

// dial connects to the primary.
func (d *database) dial() (net.Conn, error) {
	at, err := d.url()
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(at)
	if err != nil {
		return nil, err
	}
	if u.Host != "" {
		return net.Dial("tcp", u.Host)
	}
	return net.Dial("unix", filepath.Join(u.Query().Get("host"), ".s.PGSQL.5432"))
}

// exec sends statements to the primary.
func (d *database) exec(ctx context.Context, sql string) error { return d.read(ctx, sql, nil) }

// each sends the statements of a script separately: some settings cannot be changed in a
// transaction.
func (d *database) each(ctx context.Context, script string) error {
	for statement := range strings.SplitSeq(strings.TrimSpace(script), ";\n") {
		if err := d.exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// read reads the only row of a query from the primary.
func (d *database) read(ctx context.Context, sql string, args []any, into ...any) error {
	at, err := d.url()
	if err != nil {
		return err
	}
	return ask(ctx, at, sql, args, into...)
}

// oneSession configures a pool of a single session.
func oneSession(at string) pg.Config {
	return pg.Config{URL: at, ApplicationName: "campaign", MaxConns: 1}
}

func ask(ctx context.Context, at, sql string, args []any, into ...any) error {
	ctx, cancel := context.WithTimeout(ctx, exercise.Patience)
	defer cancel()
	pool, err := pg.Open(ctx, oneSession(at))
	if err != nil {
		return err
	}
	defer pool.Close()
	if len(into) > 0 {
		return pool.QueryRow(ctx, sql, args...).Scan(into...)
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = conn.Conn().PgConn().Exec(ctx, sql).ReadAll() // of several statements
	return err
}

// await repeats a query until its row has a number above zero.
func (d *database) await(ctx context.Context, what, sql string, args ...any) error {
	at, err := d.url()
	if err != nil {
		return err
	}
	return awaitAt(ctx, at, what, sql, args...)
}

func awaitAt(ctx context.Context, at, what, sql string, args ...any) error {
	var n int
	var err error
	there := exercise.Retry(ctx, 50*time.Millisecond, func() bool {
		err = ask(ctx, at, sql, args, &n)
		return err == nil && n > 0
	})
	if there {
		return nil
	}
	return errors.Join(fmt.Errorf("waited %v for %s without success", exercise.Patience, what), err, ctx.Err())
}

// addStandby copies the primary, starts the copy, and makes commits wait for it.
func (d *database) addStandby(ctx context.Context) error {
	at, err := d.url()
	if err != nil {
		return err
	}
	d.copies++
	dir := filepath.Join(d.dir, "server-"+strconv.Itoa(d.copies))
	bounded, cancel := context.WithTimeout(ctx, exercise.Patience)
	defer cancel()
	files, err := basebackup.Take(bounded, at, d.primary.dir, dir, "--wal-method=stream", "--write-recovery-conf")
	if err != nil {
		return err
	}
	// The standby receives its changes through the link.
	if err := files.Set("primary_conninfo", fmt.Sprintf("host=127.0.0.1 port=%d user=rowlock sslmode=disable", d.link.port())); err != nil {
		return err
	}
	s, err := startServer(ctx, dir)
	if err != nil {
		return err
	}
	d.mu.Lock()
	d.standby = node{dir, s}
	d.mu.Unlock()
	if err := d.await(ctx, "the standby to stream", sqlStreaming, "async"); err != nil {
		return err
	}
	if err := d.each(ctx, sqlSynchronous); err != nil {
		return err
	}
	return d.awaitSync(ctx)
}

// awaitSync waits until the standby has everything that was acknowledged.
func (d *database) awaitSync(ctx context.Context) error {
	return d.await(ctx, "the standby to be in step", sqlStreaming, "sync")
}
