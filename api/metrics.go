package api

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics count requests under upstream's names. A nil *metrics counts nothing.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/metrics/metrics.go, requestCounter, requestLatencies, longRunningRequestsGauge,
// currentInflightRequests, currentInqueueRequests
//
// Differs: the verb of lists is GET, and there are no labels for groups and resources, because
// clients could invent any number of them, and the log has each change.
type metrics struct {
	registry prometheus.Registerer
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

func newMetrics(r prometheus.Registerer) *metrics {
	if r == nil {
		return nil
	}
	m := &metrics{
		registry: r,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "apiserver_request_total", Help: "Requests answered, by verb and status code.",
		}, []string{"verb", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "apiserver_request_duration_seconds", Help: "Duration of requests in seconds, by verb, without long-running ones.",
			Buckets: []float64{0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60},
		}, []string{"verb"}),
	}
	r.MustRegister(m.requests, m.seconds)
	for _, verb := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		m.seconds.WithLabelValues(verb)
		for _, code := range []string{"200", "429", "500", "503"} { // start at 0, so that rate() sees the first one
			m.requests.WithLabelValues(verb, code)
		}
	}
	return m
}

// verbOf returns the verb label of a request: WATCH for a long-running one, else its method if
// known, or "other".
func verbOf(req *http.Request, long bool) string {
	if long {
		return "WATCH"
	}
	switch req.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return req.Method
	}
	return "other"
}

// measured counts the requests that next answers.
func (m *metrics) measured(next http.Handler) http.Handler {
	if m == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		started := time.Now() // real time: it measures the server
		inner, _ := inCluster(req)
		long := runsLong(inner)
		rec := recording(w)
		defer func() {
			verb := verbOf(req, long)
			code := rec.code
			if code == 0 {
				code = http.StatusOK
			}
			m.requests.WithLabelValues(verb, strconv.Itoa(code)).Inc()
			if !long {
				m.seconds.WithLabelValues(verb).Observe(time.Since(started).Seconds())
			}
		}()
		next.ServeHTTP(rec, req)
	})
}

// watch registers gauges of the running and waiting requests of each class.
func (m *metrics) watch(mutating, readOnly, longRunning *queue) {
	if m == nil {
		return
	}
	gauge := func(name, help, kind string, value func() float64) {
		o := prometheus.GaugeOpts{Name: name, Help: help}
		if kind != "" {
			o.ConstLabels = prometheus.Labels{"request_kind": kind}
		}
		m.registry.MustRegister(prometheus.NewGaugeFunc(o, value))
	}
	inside := func(q *queue) func() float64 { return func() float64 { n, _ := q.load(); return n } }
	waiting := func(q *queue) func() float64 { return func() float64 { _, n := q.load(); return n } }
	for kind, q := range map[string]*queue{"mutating": mutating, "readOnly": readOnly} {
		gauge("apiserver_current_inflight_requests", "Requests under way, by kind.", kind, inside(q))
		gauge("apiserver_current_inqueue_requests", "Requests that wait for a place, by kind.", kind, waiting(q))
	}
	gauge("apiserver_longrunning_requests", "Watches, followed logs and sessions under way.", "", inside(longRunning))
}
