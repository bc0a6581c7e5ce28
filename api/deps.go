package api

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube"
)

// Deps holds the dependencies of New. Kube.Status is always Status.
type Deps struct {
	Kube kube.Deps

	// Ready returns why the server cannot serve, nil if it can. If Ready is nil, the server is
	// always ready.
	Ready func() error
	// Working returns an error that names controllers without progress, nil if there are none. It
	// is reported, and does not make the server unready. A nil function reports none.
	Working func() error
	// Metrics serves /metrics; nil serves none.
	Metrics http.Handler
	// Measures registers the server's own metrics; if nil, there are none.
	Measures prometheus.Registerer
	// LoopbackGuard rejects requests whose Host is not this machine and requests from web pages of
	// other origins. A server without a login must set it.
	LoopbackGuard bool
	// Authenticator authenticates requests; nil means a server without a login. Authorizer
	// authorizes them. If it is nil, a server without a login allows everything to everyone, and a
	// server with a login only to masters.
	Authenticator *auth.Authenticator
	Authorizer    auth.Authorizer
	// Fresh waits until the Authorizer knows everything that was committed before the call. nil
	// means that it always does.
	Fresh func(context.Context) error
	// Faults are the injected faults that affect requests; nil means none.
	Faults Faults
	// Control registers Rowlock's own operations; if nil, there are none.
	Control func(huma.API)
	// Forks serves the paths below /forks/NAME, after the guards and authentication; if nil, forks
	// are not served.
	Forks http.Handler
	// Dashboard serves the files of the dashboard below /ui/, also of each fork, without
	// authentication. It gets the rest of the path. If nil, there is no dashboard.
	Dashboard http.Handler
	Log       *slog.Logger
	// Limits bound the resources that clients use. NewHTTPServer applies those of connections.
	Limits Limits
}
