package cluster

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/rowlock/rowlock/internal/store"
)

// registerMetrics registers the metrics of the process and its parts. The workers register theirs:
// see engine.NewMetrics.
func (p *parts) registerMetrics(objects *store.Store) {
	p.panics = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "rowlock", Name: "part_panics_total", Help: "Panics of parts of the process; each part was restarted.",
	}, []string{"part"})
	p.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), p.faults, p.panics,
		sessions{p.pool}, size{objects},
	)
	gauge := func(name, help string, value func() float64) {
		p.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "rowlock", Name: name, Help: help}, value))
	}
	m := p.mirror
	gauge("mirror_revision", "The newest revision that this process has applied.", func() float64 { return float64(m.Revision()) })
	gauge("mirror_objects",
		"The objects that the cluster holds, as of the newest revision that this process has applied.",
		func() float64 { return float64(m.Objects()) })
	gauge("database_unreachable_seconds", "For how long the database has not answered this process: a second at most if all is well.",
		func() float64 { return m.Silence().Seconds() })
	p.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Namespace: "rowlock", Name: "mirror_loads_total",
		Help: "How often this process has loaded all objects: once, unless the database was set back or the process fell far behind.",
	}, func() float64 { return float64(m.Loads()) }))
}

var (
	connectionsInUse = prometheus.NewDesc("rowlock_database_connections",
		"The process's connections to PostgreSQL, by state: in use, idle, or being made.", []string{"state"}, nil)
	connectionsMost = prometheus.NewDesc("rowlock_database_connections_max", "How many connections to PostgreSQL the process may have.", nil, nil)
	connectionWaits = prometheus.NewDesc("rowlock_database_connection_wait_seconds_total",
		"How long the process has waited for connections to PostgreSQL, in all.", nil, nil)
	storageSize = prometheus.NewDesc("apiserver_storage_size_bytes", "Size of the database on the disk.", nil, nil)
)

// sessions reports a pool of connections.
type sessions struct{ pool *pgxpool.Pool }

// Describe implements prometheus.Collector.
func (s sessions) Describe(all chan<- *prometheus.Desc) {
	all <- connectionsInUse
	all <- connectionsMost
	all <- connectionWaits
}

// Collect implements prometheus.Collector.
func (s sessions) Collect(all chan<- prometheus.Metric) {
	stat := s.pool.Stat()
	for state, n := range map[string]int32{"in-use": stat.AcquiredConns(), "idle": stat.IdleConns(), "connecting": stat.ConstructingConns()} {
		all <- prometheus.MustNewConstMetric(connectionsInUse, prometheus.GaugeValue, float64(n), state)
	}
	all <- prometheus.MustNewConstMetric(connectionsMost, prometheus.GaugeValue, float64(stat.MaxConns()))
	all <- prometheus.MustNewConstMetric(connectionWaits, prometheus.CounterValue, stat.EmptyAcquireWaitTime().Seconds())
}

// sizeTimeout bounds how long the database is queried for its size. A database that does not answer
// has none.
const sizeTimeout = time.Second

// size reports how large the database is, under upstream's name.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/etcd3/metrics/metrics.go, apiserver_storage_size_bytes
type size struct{ objects *store.Store }

// Describe implements prometheus.Collector.
func (size) Describe(all chan<- *prometheus.Desc) { all <- storageSize }

// Collect implements prometheus.Collector.
func (s size) Collect(all chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), sizeTimeout)
	defer cancel()
	if bytes, err := s.objects.Size(ctx); err == nil { // the other metrics are reported without it
		all <- prometheus.MustNewConstMetric(storageSize, prometheus.GaugeValue, float64(bytes))
	}
}
