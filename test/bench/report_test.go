package main

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReport(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := newReport(&out)
	used := cpuTime{600 * time.Millisecond, 300 * time.Millisecond}
	r.rate("create", 2000, "Pods", 500*time.Millisecond, used)
	r.rateOf("get", latencies{3 * time.Millisecond, time.Millisecond, 2 * time.Millisecond}, time.Second, cpuTime{})
	r.latency("event", latencies{120 * time.Millisecond}, 3, used)
	r.duration("start", 1234*time.Millisecond)
	r.durationOf("day", 300, 6*time.Second, used)
	r.memory("idle", 61_400_000)
	r.ratio("growth", 1.049)
	const want = `| measure | result | CPU server | CPU PostgreSQL | p50 | p99 |
| --- | ---: | ---: | ---: | ---: | ---: |
| create | 4,000 Pods/s | 0.30 ms | 0.15 ms |  |  |
| get | 3 /s |  |  | 2.00 ms | 3.00 ms |
| event |  | 200 ms | 100 ms | 120 ms | 120 ms |
| start | 1.23 s |  |  |  |  |
| day | 6.00 s | 2.00 ms | 1.00 ms |  |  |
| idle | 61 MB |  |  |  |  |
| growth | 1.05 |  |  |  |  |
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	hundred := make(latencies, 100)
	for i := range hundred {
		hundred[i] = time.Duration(100-i) * time.Millisecond // 100 ms … 1 ms
	}
	tests := []struct {
		name    string
		of      latencies
		percent int
		want    time.Duration
	}{
		{"the median of a hundred", hundred, 50, 50 * time.Millisecond},
		{"the 99th of a hundred", hundred, 99, 99 * time.Millisecond},
		{"the only one", hundred[:1], 50, 100 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.of.at(tt.percent); got != tt.want {
				t.Errorf("at(%d) = %v, want %v", tt.percent, got, tt.want)
			}
		})
	}
}

func TestRounded(t *testing.T) {
	t.Parallel()
	for number, want := range map[float64]string{0: "0", 999.4: "999", 1000: "1,000", 12345.6: "12,346", 1234567: "1,234,567"} {
		if got := rounded(number); got != want {
			t.Errorf("rounded(%v) = %q, want %q", number, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		args  []string
		fails bool
	}{
		{"nothing", nil, false},
		{"some groups", []string{"-only", "start,api"}, false},
		{"no such group", []string{"-only", "nothing"}, true},
		{"no Pods", []string{"-pods", "0"}, true},
		{"two binaries and one page", []string{"-against", "other", "-page", "page.md"}, true},
		{"no turns", []string{"-against", "other", "-turns", "0"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := parse(tt.args, groups()); (err != nil) != tt.fails {
				t.Errorf("parse(%v) = %v, fails is to be %v", tt.args, err, tt.fails)
			}
		})
	}
}

// TestCompare: three turns of two binaries: the medians, and the differences. A size in a name
// differs, and one turn was too fast for the clock.
func TestCompare(t *testing.T) {
	t.Parallel()
	turns := func(name string, rates ...int) (reports []*report) {
		for i, rate := range rates {
			r := &report{}
			r.rate(name, rate, "Pods", time.Second, cpuTime{time.Duration(i*rate) * time.Millisecond, 0})
			r.duration("start", time.Duration(rate)*time.Millisecond)
			r.latency("list", latencies{time.Millisecond}, 1, cpuTime{})
			reports = append(reports, r)
		}
		return reports
	}
	var out bytes.Buffer
	printComparison(&out, median(turns("create (1 MB)", 1000, 3000, 2000)), median(turns("create (2 MB)", 2500, 2400, 2600)))
	const want = `| create (2 MB) | 2,000 Pods/s | 2,500 Pods/s | +25.0 % |
| create (2 MB): CPU server | 1.00 ms | 1.00 ms | +0.0 % |
| create (2 MB): CPU PostgreSQL | 0.00 ms | 0.00 ms |  |
| start | 2.00 s | 2.50 s | +25.0 % |
| list: p50 | 1.00 ms | 1.00 ms | +0.0 % |
| list: p99 | 1.00 ms | 1.00 ms | +0.0 % |
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("comparison (-want +got):\n%s", diff)
	}
}

// TestCPUOf: the processor time of processes below a server counts as PostgreSQL's, at any depth;
// that of others does not.
func TestCPUOf(t *testing.T) {
	t.Parallel()
	stat := func(parent int, ticks string) process {
		p, ok := parseStat(fmt.Sprintf("7 (a (b) c) S %d 7 7 0 -1 4194560 1 2 3 4 %s 20 0 1 0 5", parent, ticks))
		if !ok {
			t.Fatal("not read")
		}
		return p
	}
	all := map[int]process{
		1: stat(0, "900 900 900 900"), 10: stat(1, "1 2 4 8"), 20: stat(10, "16 32 64 128"), 30: stat(20, "256 0 0 0"), 40: stat(1, "900 0 0 0"),
	}
	want := cpuTime{server: 3 * tick, database: (12 + 16 + 32 + 64 + 128 + 256) * tick}
	if got := cpuOf(10, all); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, ok := parseStat("7 (short) S 1"); ok {
		t.Error("a line without times was read")
	}
}
