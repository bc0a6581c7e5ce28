package api

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
)

// registerHealth mounts the health checks, /livez, /readyz and /healthz with a path for each check,
// and /metrics.
func registerHealth(api huma.API, d Deps) {
	alive := func() error { return nil }
	ready, working := d.Ready, d.Working
	if ready == nil {
		ready = alive
	}
	if working == nil {
		working = alive
	}
	plain := func(path, id, summary, media string, serve http.HandlerFunc, parameters ...string) {
		op := &huma.Operation{
			Method: http.MethodGet, Path: path, OperationID: id, Summary: summary, Tags: []string{"health"},
			Responses: map[string]*huma.Response{
				"200":     {Description: "OK", Content: map[string]*huma.MediaType{media: {Schema: &huma.Schema{Type: "string"}}}},
				"default": {Ref: "#/components/responses/Status"},
			},
		}
		for _, name := range parameters {
			op.Parameters = append(op.Parameters, &huma.Param{Ref: "#/components/parameters/" + name})
		}
		api.OpenAPI().AddOperation(op)
		api.Adapter().Handle(op, func(c huma.Context) {
			req, w := humachi.Unwrap(c)
			serve(w, req)
		})
	}
	family := func(path, id, summary string, checks ...healthCheck) {
		plain("/"+path, id, summary, "text/plain", health(path, checks), "verbose", "exclude")
		for _, c := range checks {
			plain("/"+path+"/"+c.name, id+strings.ToUpper(c.name[:1])+c.name[1:], "only the check "+c.name+" of /"+path, "text/plain", one(path, c))
		}
	}
	ping, database := healthCheck{name: "ping", run: alive}, healthCheck{name: "database", run: ready}
	// A replica with a stalled controller still serves requests. Sending them elsewhere would not
	// help the controller, and if all replicas stalled for the same reason, none would be left to
	// serve.
	controllers := healthCheck{name: "controllers", run: working, shown: true}
	family("livez", "getLivez", "whether the process is alive", ping)
	family("readyz", "getReadyz", "whether the server can serve", ping, database, controllers)
	family("healthz", "getHealthz", "whether the server can serve; use /livez or /readyz", ping, database)
	if d.Metrics != nil {
		plain("/metrics", "getMetrics", "metrics in Prometheus' text format", "text/plain", d.Metrics.ServeHTTP)
	}
}

// healthCheck is one check.
type healthCheck struct {
	name  string
	run   func() error
	shown bool // reported only: a failure does not make the endpoint fail
}

// health answers "ok", or 503 with the failures. ?verbose lists the checks, ?exclude skips some.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/server/healthz/healthz.go, handleRootHealth
//
// Differs: a failure is a Status with Retry-After, where upstream answers 500 with text.
func health(path string, checks []healthCheck) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		query := req.URL.Query()
		exclude := map[string]bool{}
		for _, name := range query["exclude"] {
			exclude[name] = true
		}
		var report strings.Builder
		for _, c := range checks {
			if exclude[c.name] {
				delete(exclude, c.name)
				report.WriteString("[+]" + c.name + " excluded: ok\n")
				continue
			}
			if c.shown {
				report.WriteString(c.line())
				continue
			}
			if !c.passes(w, req, path) {
				return
			}
			report.WriteString("[+]" + c.name + " ok\n")
		}
		if len(exclude) > 0 {
			var names []string
			for _, name := range slices.Sorted(maps.Keys(exclude)) {
				names = append(names, strconv.Quote(name))
			}
			report.WriteString("warn: some health checks cannot be excluded: no matches for " + strings.Join(names, ",") + "\n")
		}
		body := "ok"
		if query.Has("verbose") {
			body = report.String() + path + " check passed\n"
		}
		writePlain(w, body)
	}
}

// line is the ?verbose output for a check that is only reported.
func (c healthCheck) line() string {
	if err := c.run(); err != nil {
		return "[-]" + c.name + " failed: " + err.Error() + " (not decisive)\n"
	}
	return "[+]" + c.name + " ok\n"
}

// one answers "ok" if a check passes, otherwise 503 with the failure.
func one(path string, c healthCheck) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		if c.passes(w, req, path) {
			writePlain(w, "ok")
		}
	}
}

// passes runs the check and answers the request if it fails.
func (c healthCheck) passes(w http.ResponseWriter, req *http.Request, path string) bool {
	err := c.run()
	if err != nil {
		writeError(w, req, unavailable(path+" check failed: "+c.name+": "+err.Error(), 1))
	}
	return err == nil
}

func writePlain(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(body)) // best effort: the client may have disconnected
}
