package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// validateDebug returns what is wrong with an address for profiles. Profiles show the memory of the
// process and need no login: they are for this machine only.
func validateDebug(address string) error {
	if address == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("--debug-listen: %w", err)
	}
	if !isLoopback(host) {
		return fmt.Errorf("--debug-listen: %q is not a loopback address, and profiles are served without a login", host)
	}
	return nil
}

// startDebug serves profiles on an address until stop is called; without an address it serves none.
func startDebug(address string) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--debug-listen: %w", err)
	}
	srv := &http.Server{Handler: debugHandler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = srv.Serve(listener) }() // until it is closed
	return func() { _ = srv.Close() }, nil
}

// debugHandler serves Go's profiles, where `go tool pprof` expects them. It refuses a request for
// another name than this machine's, because a web page may have made it.
func debugHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		host, _, err := net.SplitHostPort(req.Host)
		if err != nil {
			host = req.Host
		}
		if !isLoopback(host) {
			http.Error(w, "profiles are served only for requests to localhost", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, req)
	})
}
