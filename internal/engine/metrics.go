package engine

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/rowlock/rowlock/internal/store"
)

// Metrics counts what workers do, by controller.
type Metrics struct {
	Turns    *prometheus.CounterVec // turns that were committed
	Claims   *prometheus.CounterVec // objects that were synced
	Changes  *prometheus.CounterVec // changes that were committed
	LeftOut  *prometheus.CounterVec // planned changes that the commit left out, for whatever reason (see store.Outcome)
	Failures *prometheus.CounterVec // transactions and syncs that failed

	Panics  *prometheus.CounterVec // turns in which a reconciler panicked
	Ended   *prometheus.CounterVec // turns that took too long, or whose session the database ended
	PutOff  *prometheus.CounterVec // objects whose sync failed, and that wait for a retry
	Behind  *prometheus.CounterVec // claims that were given back because the mirror had not caught up with them
	Foreign *prometheus.CounterVec // wakeups for objects that the controller does not sync
	Limit   *prometheus.GaugeVec   // how many objects the next turn takes at most

	ResyncSyncs *prometheus.CounterVec // syncs that only the resync asked for
	ResyncFound *prometheus.CounterVec // those of them that found something to change: each is a defect

	unmoved unmoved
}

// NewMetrics registers the counters.
func NewMetrics(r prometheus.Registerer) *Metrics {
	counter := func(name, help string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "rowlock", Subsystem: "worker", Name: name, Help: help}, []string{"controller"})
		r.MustRegister(c)
		return c
	}
	limit := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "rowlock", Subsystem: "worker", Name: "batch_limit",
		Help: "How many objects the controller's next turn takes at most: fewer than usual after turns that took too long.",
	}, []string{"controller"})
	r.MustRegister(limit)
	m := &Metrics{
		Turns:    counter("turns_total", "Transactions of this process that synced objects: claims_total divided by it is how many one transaction syncs."),
		Claims:   counter("claims_total", "Objects that this process claimed and looked at."),
		Changes:  counter("changes_total", "Changes that this process's reconcilers committed."),
		LeftOut:  counter("left_out_total", "Planned changes that the commit left out, mostly because their object was locked or had moved on."),
		Failures: counter("failures_total", "Transactions that were rolled back, and syncs that failed and were put off."),

		Panics:  counter("panics_total", "Turns in which a reconciler panicked."),
		Ended:   counter("ended_sessions_total", "Turns that took too long, or whose session the database ended."),
		PutOff:  counter("put_off_total", "Objects whose sync failed and that wait for a retry."),
		Behind:  counter("mirror_behind_total", "Claims that were given back because this process had not read the newest revision in time."),
		Foreign: counter("foreign_wakeups_total", "Wakeups that were dropped because their object is of a kind that the controller does not sync."),
		Limit:   limit,

		ResyncSyncs: counter("resync_syncs_total", "Syncs that only the resync asked for."),
		ResyncFound: counter("resync_found_total", "Syncs that only the resync asked for and that found something to change: each is a defect."),
	}
	r.MustRegister(&m.unmoved)
	return m
}

// track makes the metrics report a worker: its first limit, and how long it has made no progress.
func (m *Metrics) track(controller string, limit int, unmoved func() time.Duration) {
	for _, c := range []*prometheus.CounterVec{
		m.Turns, m.Claims, m.Changes, m.LeftOut, m.Failures, m.Panics, m.Ended, m.PutOff, m.Behind, m.Foreign, m.ResyncSyncs,
		m.ResyncFound,
	} {
		c.WithLabelValues(controller) // an increase from a missing series would not be seen
	}
	m.batch(controller, limit)
	m.unmoved.add(controller, unmoved)
}

// batch records how many objects the controller's next turn takes at most.
func (m *Metrics) batch(controller string, limit int) {
	m.Limit.WithLabelValues(controller).Set(float64(limit))
}

func (m *Metrics) observe(controller string, claims int, a store.Applied) {
	m.Turns.WithLabelValues(controller).Inc()
	m.Claims.WithLabelValues(controller).Add(float64(claims))
	m.Changes.WithLabelValues(controller).Add(float64(len(a.Versions)))
	m.LeftOut.WithLabelValues(controller).Add(float64(a.LeftOut()))
}

// unmoved is the metric of how long each worker has made no progress, computed when collected. Safe
// for concurrent use.
type unmoved struct {
	mu      sync.Mutex
	workers map[string]func() time.Duration
}

var unmovedSeconds = prometheus.NewDesc("rowlock_worker_unmoved_seconds",
	"For how long the controller has had work and not got on with any of it: about a second at most if all is well.", []string{"controller"}, nil)

func (u *unmoved) add(controller string, of func() time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.workers == nil {
		u.workers = map[string]func() time.Duration{}
	}
	u.workers[controller] = of
}

// Describe implements prometheus.Collector.
func (u *unmoved) Describe(all chan<- *prometheus.Desc) { all <- unmovedSeconds }

// Collect implements prometheus.Collector.
func (u *unmoved) Collect(all chan<- prometheus.Metric) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for controller, of := range u.workers {
		all <- prometheus.MustNewConstMetric(unmovedSeconds, prometheus.GaugeValue, of().Seconds(), controller)
	}
}
