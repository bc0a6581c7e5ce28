package injector

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/rowlock/rowlock/internal/fault"
)

// metrics counts faults by target and effect: the labels have few values, whatever clients ask for.
type metrics struct{ hits *prometheus.CounterVec }

func newMetrics() *metrics {
	return &metrics{hits: prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "rowlock", Name: "fault_hits_total", Help: "How often this process has made a request, a Pod, an image or a node fail because of a fault.",
	}, []string{"target", "effect"})}
}

// Describe implements prometheus.Collector.
func (in *Injector) Describe(d chan<- *prometheus.Desc) {
	d <- active
	in.metrics.hits.Describe(d)
}

var active = prometheus.NewDesc("rowlock_faults_active", "The active faults, as this process knows them.", []string{"target"}, nil)

// Collect implements prometheus.Collector.
func (in *Injector) Collect(out chan<- prometheus.Metric) {
	counts := map[string]int{}
	in.mu.Lock()
	for _, f := range in.faults {
		counts[f.Spec.Target()]++
	}
	in.mu.Unlock()
	for _, target := range fault.Targets {
		out <- prometheus.MustNewConstMetric(active, prometheus.GaugeValue, float64(counts[target]), target)
	}
	in.metrics.hits.Collect(out)
}

// Struck counts faults that happened to containers or Pods.
func (in *Injector) Struck(target, effect string) {
	if in != nil {
		in.metrics.hits.WithLabelValues(target, effect).Inc()
	}
}
