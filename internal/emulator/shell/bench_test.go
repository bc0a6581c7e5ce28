package shell_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// BenchmarkHello is the whole life of the container of the CronJob in Kubernetes' docs: it is
// created, runs to its end, and is written as JSON.
func BenchmarkHello(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		w := newWorld(kernel.Limits{})
		w.spawn("sh", "-c", "date; echo Hello from the Kubernetes cluster")
		w.run(time.Hour, 1000, 0)
		if w.code != 0 {
			b.Fatal(w.result)
		}
		if _, err := json.Marshal(w.k); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDay is a busy loop for a day of cluster time.
func BenchmarkDay(b *testing.B) {
	for b.Loop() {
		w := newWorld(kernel.Limits{})
		w.spawn("sh", "-c", "while :; do :; done")
		w.run(24*time.Hour, 1<<40, 0)
		b.ReportMetric(float64(w.steps), "steps")
	}
}

// BenchmarkCount is a loop with arithmetic and a test.
func BenchmarkCount(b *testing.B) {
	for b.Loop() {
		w := newWorld(kernel.Limits{})
		w.spawn("sh", "-c", "i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done")
		w.run(time.Hour, 1<<40, 0)
		b.ReportMetric(float64(w.steps), "steps")
	}
}

// BenchmarkTick is a loop that sleeps a second at a time, for a day.
func BenchmarkTick(b *testing.B) {
	for b.Loop() {
		w := newWorld(kernel.Limits{})
		w.spawn("sh", "-c", "while true; do date > /tmp/now; sleep 1; done")
		w.run(24*time.Hour, 1<<40, 0)
		b.ReportMetric(float64(w.steps), "steps")
	}
}
