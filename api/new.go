package api

import (
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"

	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/api/kube/discovery"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/internal/kind/builtin"
)

// New returns the handler of everything that Rowlock serves.
func New(d Deps) http.Handler {
	d.Kube.Status = Status
	d.Kube.Authorizer = newLogin(&d).authorizer
	if d.Kube.Log == nil {
		d.Kube.Log = d.Log
	}
	return build(d).handler
}

// OpenAPIYAML returns the OpenAPI document of all operations of the catalogue. It does not need a
// running server.
func OpenAPIYAML(control func(huma.API)) ([]byte, error) {
	d := described(control)
	doc := build(d).api.OpenAPI()
	route.Describe(doc.Components, d.Kube.Catalogue)
	return doc.YAML()
}

// described returns the dependencies of a server that can only describe its operations.
func described(control func(huma.API)) Deps {
	return Deps{
		Kube:    kube.Deps{Catalogue: builtin.Catalogue(), Status: Status},
		Metrics: http.NotFoundHandler(), Control: control, Log: slog.New(slog.DiscardHandler),
	}
}

// built is the result of build: the router with all routes, the middleware around it, and the
// document.
type built struct {
	handler http.Handler
	router  chi.Router
	api     huma.API
}

// build mounts everything. Each line wraps the handler in another middleware, so a request passes
// the last one first.
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
