package worker

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/rowlock/rowlock/internal/store"
)

// Metrics count what workers do, by controller.
type Metrics struct {
	Claims   *prometheus.CounterVec // objects that were looked at
	Changes  *prometheus.CounterVec // changes that were committed
	LeftOut  *prometheus.CounterVec // planned changes that the commit left out, for whatever reason (see store.Outcome)
	Failures *prometheus.CounterVec // transactions and looks that failed

	ResyncLooks *prometheus.CounterVec // looks that only the resync asked for
	ResyncFound *prometheus.CounterVec // those of them that found something to change: a defect each
}

// NewMetrics registers the counters.
func NewMetrics(r prometheus.Registerer) *Metrics {
	counter := func(name, help string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "rowlock", Subsystem: "worker", Name: name, Help: help}, []string{"controller"})
		r.MustRegister(c)
		return c
	}
	return &Metrics{
		Claims:   counter("claims_total", "Objects that this process claimed and looked at."),
		Changes:  counter("changes_total", "Changes that this process's reconcilers committed."),
		LeftOut:  counter("left_out_total", "Planned changes that the commit left out, mostly because their object was locked or had moved on."),
		Failures: counter("failures_total", "Transactions that were rolled back, and looks that failed and were put off."),

		ResyncLooks: counter("resync_looks_total", "Looks that only the resync asked for."),
		ResyncFound: counter("resync_found_total", "Looks that only the resync asked for and that found something to change: each is a defect."),
	}
}

func (m *Metrics) observe(controller string, claims int, a store.Applied) {
	m.Claims.WithLabelValues(controller).Add(float64(claims))
	m.Changes.WithLabelValues(controller).Add(float64(len(a.Versions)))
	m.LeftOut.WithLabelValues(controller).Add(float64(a.LeftOut()))
}
