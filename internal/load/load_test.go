package load_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/load"
)

var midnight = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)

func TestLoad_At(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text       string
		after      time.Duration
		amount     float64
		cpu        float64
		perRequest bool
	}{
		{"cpu=4", 0, 4, 4, false},
		{"cpu=500m", 100 * time.Hour, 0.5, 0.5, false},
		{"requests=300", 0, 300, 3, true},
		{"requests=300 request-cpu=2m", 0, 300, 0.6, true},
		{"cpu=1 steps=5m:8,30m:2", 0, 1, 1, false},
		{"cpu=1 steps=5m:8,30m:2", 5 * time.Minute, 8, 8, false},
		{"cpu=1 steps=5m:8,30m:2", time.Hour, 2, 2, false},
		{"cpu=1 steps=5m:8 since=2026-01-02T01:00:00Z", time.Hour, 1, 1, false},
		{"cpu=1 steps=5m:8 since=2026-01-02T01:00:00Z", 65 * time.Minute, 8, 8, false},
		{"cpu=4 night=1", 15 * time.Hour, 4, 4, false},
		{"cpu=4 night=1", 3 * time.Hour, 1, 1, false},
		{"cpu=4 night=1 peak=06:30", 30 * time.Minute, 2.5, 2.5, false},
	} {
		l, err := load.Parse(row.text, midnight)
		if err != nil {
			t.Fatal(err)
		}
		now := midnight.Add(row.after)
		if a, c := l.At(now), l.CPUAt(now); math.Abs(a-row.amount) > 1e-9 || math.Abs(c-row.cpu) > 1e-9 || l.Requests != row.perRequest {
			t.Errorf("%s after %s: %v, %v cores", row.text, row.after, a, c)
		}
	}
}

func TestLoad_Refused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                      "it must have either cpu or requests",
		"cpu=1 requests=2":      "it must have either cpu or requests",
		"cpu":                   `"cpu" is not of the form name=value`,
		"cpu=1 cpu=2":           "cpu is given twice",
		"cpu=-1":                `cpu: "-1" is not a quantity such as "4" or "500m", at least 0 and at most 1G`,
		"cpu=1e30":              `cpu: "1e30" is not a quantity such as "4" or "500m", at least 0 and at most 1G`,
		"cpu=1 steps=5m":        `steps: "5m" is not a step such as 5m:8`,
		"cpu=1 steps=5m:1,5m:2": `steps: "5m:2" comes before the step that it follows`,
		"cpu=1 since=now":       `since: "now" is not a time such as 2026-01-02T03:04:05Z`,
		"cpu=1 peak=25:00":      `peak: "25:00" is not a time of day such as 15:00`,
		"cpu=1 noise=2":         `noise: "2" is not a percentage from 0% to 100%`,
		"cpu=1 night=x":         `night: "x" is not a quantity such as "4" or "500m", at least 0 and at most 1G`,
		"cpu=1 color=red":       "color: there is no such part of a load",
	} {
		if _, err := load.Parse(text, midnight); err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestLoad_Noise: noise stays within its bounds, is constant within a window, and is the same for
// the same seed.
func TestLoad_Noise(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.StringMatching(`[a-z0-9]{1,8}`).Draw(t, "seed")
		window := midnight.Add(time.Duration(rapid.Int64Range(0, 1e6).Draw(t, "window")) * load.Window)
		a, err := load.Parse("cpu=100 noise=10% seed="+seed, midnight)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := load.Parse("cpu=100 noise=10% seed="+seed, window)
		got := a.At(window)
		if got < 90 || got > 110 || got != b.At(window.Add(load.Window-1)) {
			t.Errorf("%v, and %v later", got, b.At(window.Add(load.Window-1)))
		}
		if next := a.At(window.Add(load.Window)); math.Abs(next-got) < 1e-12 {
			t.Errorf("%v, and again in the next window", got)
		}
	})
}
