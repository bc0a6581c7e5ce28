package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
)

// registerHealth mounts what watches over the process: /livez, /readyz, /healthz and /metrics.
func registerHealth(api huma.API, d Deps) {
	alive := func() error { return nil }
	ready := d.Ready
	if ready == nil {
		ready = alive
	}
	plain := func(path, id, summary, media string, serve http.HandlerFunc) {
		op := &huma.Operation{
			Method: http.MethodGet, Path: path, OperationID: id, Summary: summary, Tags: []string{"health"},
			Responses: map[string]*huma.Response{
				"200":     {Description: "OK", Content: map[string]*huma.MediaType{media: {Schema: &huma.Schema{Type: "string"}}}},
				"default": {Ref: "#/components/responses/Status"},
			},
		}
		if path != "/metrics" {
			op.Parameters = []*huma.Param{{Ref: "#/components/parameters/verbose"}}
		}
		api.OpenAPI().AddOperation(op)
		api.Adapter().Handle(op, func(c huma.Context) {
			req, w := humachi.Unwrap(c)
			serve(w, req)
		})
	}
	plain("/livez", "getLivez", "whether the process is alive", "text/plain", health("livez", "ping", alive))
	plain("/readyz", "getReadyz", "whether the server can serve", "text/plain", health("readyz", "database", ready))
	plain("/healthz", "getHealthz", "whether the server can serve; use /livez or /readyz", "text/plain", health("healthz", "database", ready))
	if d.Metrics != nil {
		plain("/metrics", "getMetrics", "metrics in Prometheus' text format", "text/plain", d.Metrics.ServeHTTP)
	}
}

// health answers "ok", or what is wrong with 503. With ?verbose it names its only check.
func health(path, name string, check func() error) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		if err := check(); err != nil {
			writeError(w, req, unavailable(path+" check failed: "+name+": "+err.Error(), 1))
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		body := "ok"
		if req.URL.Query().Has("verbose") {
			body = "[+]" + name + " ok\n" + path + " check passed\n"
		}
		_, _ = w.Write([]byte(body)) // the client is gone; nobody is left to be told
	}
}
