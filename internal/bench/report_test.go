package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReport(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := newReport(&out)
	r.rate("create", 2000, "Pods", 500*time.Millisecond)
	r.rateOf("get", latencies{3 * time.Millisecond, time.Millisecond, 2 * time.Millisecond}, time.Second)
	r.latency("event", latencies{120 * time.Millisecond})
	r.duration("start", 1234*time.Millisecond)
	r.memory("idle", 61_400_000)
	r.ratio("growth", 1.049)
	const want = `| measure | result | p50 | p99 |
| --- | ---: | ---: | ---: |
| create | 4,000 Pods/s |  |  |
| get | 3 /s | 2.00 ms | 3.00 ms |
| event |  | 120 ms | 120 ms |
| start | 1.23 s |  |  |
| idle | 61 MB |  |  |
| growth | 1.05 |  |  |
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
		want    string
	}{
		{"the median of a hundred", hundred, 50, "50.00 ms"},
		{"the 99th of a hundred", hundred, 99, "99.00 ms"},
		{"the only one", hundred[:1], 50, "100 ms"},
		{"none", nil, 50, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.of.at(tt.percent); got != tt.want {
				t.Errorf("at(%d) = %q, want %q", tt.percent, got, tt.want)
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
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := parse(tt.args); (err != nil) != tt.fails {
				t.Errorf("parse(%v) = %v, fails is to be %v", tt.args, err, tt.fails)
			}
		})
	}
}
