// Package cluster assembles one replica of Rowlock over a database: the store, the mirror, the
// workers and the API. `rowlock serve` runs it, and rowlocktest gives it to tests. Open and start
// read as the table of contents.
package cluster

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/podclient"
	"github.com/rowlock/rowlock/internal/reconcile/certificate"
	"github.com/rowlock/rowlock/internal/store"
)

// connections is how many connections a replica may hold. Workers, writers, reads and hints share
// them. Each new session costs PostgreSQL some 40 ms of CPU time, to read the catalog and plan its
// first statements.
const connections = 16

// forkConnections is how many connections a replica may hold to the database of each fork.
const forkConnections = 8

// Config configures a replica.
type Config struct {
	DatabaseURL string
	// Nodes is how many emulated nodes a cluster without nodes begins with; NodeCapacity is the
	// capacity of each, nil meaning 64 CPUs, 256 GiB and 20,000 Pods. Zones is how many zones they
	// are spread over, zero for none.
	Nodes        int
	Zones        int
	NodeCapacity corev1.ResourceList
	// Images are the user's own, which precede the built-in ones. All replicas should have the
	// same.
	Images []emulator.ImageModel
	// Retention says how much of the log is kept; zero keeps everything.
	Retention store.Retention
	// LoopbackGuard refuses requests that a web page may have made; see package api.
	LoopbackGuard bool
	// Authenticator identifies the sender of a request; nil is a replica without a login.
	Authenticator *auth.Authenticator
	// CABundle is the certificates, in PEM, by which clients verify the server: the data of the
	// ConfigMaps kube-root-ca.crt. It is empty for a server that speaks plain HTTP.
	CABundle string
	// Resync is the real time between two passes of the resync; zero means never.
	Resync time.Duration
	// MostObjects is how many objects the cluster may hold: neither clients nor controllers can
	// create more. Zero means no limit.
	MostObjects int
	// JobBackoffCap is the longest pause before a Job creates new Pods after failures; zero means
	// six minutes.
	JobBackoffCap time.Duration
	// StartLateCronJobs lets CronJobs start the latest run although they have missed more than 100,
	// as upstream does.
	StartLateCronJobs bool
	// Gates are the feature gates that are not at their defaults. All replicas should have the
	// same.
	Gates kind.Gates
	// Controllers chooses the controllers that run, as controller.Off reads it; nil means all. All
	// replicas should have the same: writes through a replica do not wake controllers that are off
	// there, and the replica acknowledges wakeups for them.
	Controllers []string
	// PodSecurity configures that admission plugin; nil means upstream's defaults. All replicas
	// should have the same.
	PodSecurity *security.Config
	// WithoutAdmission are the disabled admission plugins, by upstream's names; nil disables none.
	WithoutAdmission map[string]bool
	// AlwaysAllow lets every authenticated user do everything, as upstream's authorization mode of
	// that name.
	AlwaysAllow bool
	// NoStorageClass makes a new cluster begin without the StorageClass "standard", as upstream's
	// API server does.
	NoStorageClass bool
	// Stepped leaves the workers to the caller, who runs their turns one by one: see Workers. The
	// replica does not vacuum either, so that what the turns cost does not depend on time. For tests.
	Stepped bool
	// Draw provides uids and the random ends of names; nil functions mean random ones.
	Draw engine.Draw
	// Tracer sees every statement that the replica sends to its database; may be nil. For tests.
	Tracer pgx.QueryTracer
	Log    *slog.Logger

	authority *certificate.Authority // that of the database
	off       map[string]bool        // the controllers that do not run

	fork bool // it is a fork of the cluster that this process serves
	// login says that users are identified, here or, for a fork, before a request reaches it. A
	// fork's own roles say what they may do in it.
	login bool
}

// connections returns how many connections the replica may hold.
func (c Config) connections() int32 {
	if c.fork {
		return forkConnections
	}
	return connections
}

// Cluster is a running replica. Its methods are safe for concurrent use.
type Cluster struct {
	pool       *pgxpool.Pool
	mirror     *mirror.Mirror
	clock      *clock.Clock
	workers    []*engine.Worker
	handler    http.Handler
	podclients *podclient.Server
	stop       context.CancelFunc
	running    sync.WaitGroup

	following atomic.Pointer[mirror.Mirror] // mirror, for connections that are made before it exists
}

// Handler serves the replica's API.
func (r *Cluster) Handler() http.Handler { return r.handler }

// Workers returns the replica's workers, in the order of controller.Controllers. Only their owner
// may call Turn: the caller, in a cluster that is Stepped.
func (r *Cluster) Workers() []*engine.Worker { return r.workers }

// PodRequests executes API requests of programs in Pods. Only its owner may call Turn: the caller,
// in a cluster that is Stepped.
func (r *Cluster) PodRequests() *podclient.Server { return r.podclients }

// Clock returns the cluster's clock.
func (r *Cluster) Clock() *clock.Clock { return r.clock }

// closeGrace is how long Close waits for work in progress. The database ends a transaction that is
// idle for longer (S15).
const closeGrace = 3 * time.Second

// Close stops the replica: workers finish the transaction that they are in. Those that take longer
// than closeGrace lose their session, so that the database rolls back their transaction, and Close
// returns without them. Requests should have ended before.
func (r *Cluster) Close() {
	if r.stop != nil {
		r.stop()
	}
	ended := make(chan struct{})
	go func() {
		r.running.Wait()
		r.pool.Close()
		close(ended)
	}()
	grace := time.NewTimer(closeGrace)
	defer grace.Stop()
	select {
	case <-ended:
	case <-grace.C:
		for _, w := range r.workers {
			w.Drop()
		}
	}
}

func newUID() types.UID { return types.UID(uuid.Must(uuid.NewV7()).String()) }

// suffixAlphabet has no vowels and no characters that look alike.
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/rand/rand.go.
const suffixAlphabet = "bcdfghjklmnpqrstvwxz2456789"

// nameSuffix draws the five random characters after a generateName.
func nameSuffix() string {
	var b [5]byte
	_, _ = rand.Read(b[:]) // never fails
	for i := range b {
		b[i] = suffixAlphabet[int(b[i])%len(suffixAlphabet)]
	}
	return string(b[:])
}
