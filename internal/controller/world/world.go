// Package world has what controllers need to know besides the mirror: how the server is configured,
// and what is kept up to date by observing the mirror.
package world

import (
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/injector"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/reconcile/certificate"
)

// World is what snapshots are made from besides the mirror.
type World struct {
	Kinds     *kind.Catalogue
	Images    *emulator.Catalogue
	Nodes     *Nodes
	Expiry    *Expiry
	Tally     *Tally             // nil counts no Pods
	Faults    *injector.Injector // nil for none
	Addresses *Addresses
	CABundle  string // of the server, in PEM; empty for plain HTTP
	// Authority signs certificates; nil signs none.
	Authority *certificate.Authority
	// ClientCA is the certificate, in PEM, that verifies the clients whose certificates Authority
	// has signed; empty publishes none.
	ClientCA string
	// Allowed reports whether a user may do something; nil allows everything.
	Allowed func(authorizationv1.SubjectAccessReviewSpec) bool
	// JobBackoffCap is the longest pause before a Job creates new Pods after failures; zero means
	// job.DefaultBackoffCap.
	JobBackoffCap time.Duration
	// Tokens tracks the Secrets that hold tokens; nil tracks none.
	Tokens *Tokens
	// Real returns real time; nil means cluster time. Sign signs the claims of tokens, or returns
	// that it cannot do so yet; if nil, tokens in Pods are empty.
	Real func() time.Time
	Sign func(claims []byte) (token []byte, signed bool)
	// EndedPods is how many ended Pods are kept; zero means nodelifecycle.DefaultEndedPods.
	EndedPods int
	// StartLateCronJobs lets CronJobs start a run although they have missed more than 100.
	StartLateCronJobs bool
	// Off are the controllers that do not run, by name; nil means none. See the function Off.
	Off map[string]bool
}
