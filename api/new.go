package api

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/api/kube/discovery"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/internal/kind/builtin"
)

// Deps is what New needs. Kube.Status need not be set; it is Status.
type Deps struct {
	Kube kube.Deps

	// Ready says why the server cannot serve, nil if it can; a nil function is always ready.
	Ready func() error
	// Working says which controllers do not get on with their work, nil if all do; a nil function
	// is always well. It is shown and does not make the server unready.
	Working func() error
	// Metrics serves /metrics; nil serves none.
	Metrics http.Handler
	// Measures is where the server registers its own metrics; nil has it count nothing.
	Measures prometheus.Registerer
	// LoopbackGuard refuses requests that name another host than this machine or come from a web
	// page of another origin, as a server without a login must.
	LoopbackGuard bool
	// Authenticator finds out who sends a request; nil is a server without a login. Authorizer says
	// who may do what; nil lets everybody do everything on a server without a login, and masters
	// alone on one with.
	Authenticator *auth.Authenticator
	Authorizer    auth.Authorizer
	// Fresh waits until the Authorizer knows all that was committed before the call. nil means that
	// it always does.
	Fresh func(context.Context) error
	// Faults are those on purpose that happen to requests; nil is none.
	Faults Faults
	// Control registers Rowlock's own operations; nil registers none.
	Control func(huma.API)
	// Forks serves what is below /forks/NAME, behind the guards and the login; nil serves none.
	Forks http.Handler
	// Dashboard serves /ui/ and, below each fork, the same, to everybody: files that are in the
	// program. It gets the rest of the path; nil serves none.
	Dashboard http.Handler
	Log       *slog.Logger
	// Limits bound what clients can take of the server; those of connections are NewHTTPServer's.
	Limits Limits
}

// New makes the handler for everything that Rowlock serves.
func New(d Deps) http.Handler {
	d.Kube.Status = Status
	d.Kube.Authorizer = newLogin(&d).authorizer
	if d.Kube.Log == nil {
		d.Kube.Log = d.Log
	}
	return build(d).handler
}

// OpenAPIYAML is the OpenAPI document of all operations over the catalogue. It describes them
// without a server.
func OpenAPIYAML(control func(huma.API)) ([]byte, error) {
	d := described(control)
	doc := build(d).api.OpenAPI()
	route.Describe(doc.Components, d.Kube.Catalogue)
	return doc.YAML()
}

// described is a server that has everything which can be served, and behind which there is nothing.
func described(control func(huma.API)) Deps {
	return Deps{
		Kube:    kube.Deps{Catalogue: builtin.Catalogue(), Status: Status},
		Metrics: http.NotFoundHandler(), Control: control, Log: slog.New(slog.DiscardHandler),
	}
}

// built is what build makes: the router with everything mounted on it, the middleware around it,
// the document about it.
type built struct {
	handler http.Handler
	router  chi.Router
	api     huma.API
}

// build mounts everything. Middleware is put around from the inside out as it is written here: a
// request passes the last first.
func build(d Deps) built {
	router := chi.NewRouter()
	server := kube.New(d.Kube)
	router.NotFound(notFound(d.Kube.Catalogue.Builtin(), server))
	router.MethodNotAllowed(func(w http.ResponseWriter, req *http.Request) { writeError(w, req, errMethod) })

	config := huma.Config{OpenAPI: &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Rowlock", Version: discovery.ServerVersion.GitVersion,
			Description: "The Kubernetes API as Rowlock emulates it, and Rowlock's own operations.",
		},
		Components: route.NewComponents(),
	}}
	api := humachi.New(router, config)
	server.Register(api)
	registerHealth(api, d)
	if d.Control != nil {
		d.Control(api)
	}
	registerDocuments(api, router, d.Kube, server)
	registerRoot(api)
	several := &streams{}
	several.register(api)

	served := http.Handler(router)
	if d.Faults != nil {
		served = newFlaky(d.Faults, served)
	}
	limits, login, measures := d.Limits.WithDefaults(), newLogin(&d), newMetrics(d.Measures)
	h := limitInFlight(limits, measures, forked(d.Forks, served))
	h = login.authorize(limitBody(limits, receive(limits, h)))
	several.next = recoverPanic(d.Log, trimSlash(plainPath(h)))
	h = login.authenticate(h)
	h = limitHeader(limits, dashboard(d.Dashboard, trimSlash(plainPath(h))))
	var ofPods *pages
	if d.LoopbackGuard {
		ofPods = newPages()
	}
	h = guard(d.LoopbackGuard, d.LoopbackGuard || d.Authenticator != nil, ofPods, h)
	h = paced(limits.WriteTimeout, logged(d.Log, limits.Slow, noSniffing(measures.measured(recoverPanic(d.Log, h)))))
	return built{handler: h, router: router, api: api}
}
