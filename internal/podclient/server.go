package podclient

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/store"
)

// Server executes requests of Pods to the API server. Its fields do not change once Run or Turn is
// called. Run and Turn are for one goroutine; the other methods are safe for concurrent use.
type Server struct {
	Store *store.Store
	// Presences returns the replicas that are present: see replica.Hints.
	Presences func(context.Context) ([]int32, error)
	// Handler serves the API. It learns from auth.FromPod that a request comes from a Pod.
	Handler http.Handler
	// Until returns how much real time passes until a moment of cluster time.
	Until func(time.Time) time.Duration
	// Authorities are the certificates by which clients verify the server, in PEM; empty if the
	// cluster publishes none. Clients that trust any file then trust the server.
	Authorities string
	Log         *slog.Logger

	signal  chan struct{} // buffer of one
	timed   atomic.Bool   // Run waits for a moment of cluster time
	mu      sync.Mutex
	running map[key]bool
	missed  map[int32]int // consecutive checks in which a replica with taken requests was missing
}

// key identifies a call.
type key struct {
	caller types.UID
	number int
	at     time.Time
}

func keyOf(c store.APICall) key { return key{c.Caller, c.Number, c.At} }

// New makes a server without Presences and a Handler.
func New(s *store.Store, until func(time.Time) time.Duration, authorities string, log *slog.Logger) *Server {
	return &Server{
		Store: s, Until: until, Authorities: authorities, Log: log,
		signal: make(chan struct{}, 1), running: map[key]bool{}, missed: map[int32]int{},
	}
}

// Wake makes the server look for requests. It does not block.
func (s *Server) Wake() {
	select {
	case s.signal <- struct{}{}:
	default:
	}
}

// ClockChanged makes the server look for requests if it waits for a moment of cluster time. It does
// not block.
func (s *Server) ClockChanged() {
	if s.timed.Load() {
		s.Wake()
	}
}
