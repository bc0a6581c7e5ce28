package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// report prints figures as the rows of a Markdown table, each when it is known.
type report struct{ out io.Writer }

func newReport(out io.Writer) *report {
	r := &report{out}
	r.row("measure", "result", "p50", "p99")
	r.row("---", "---:", "---:", "---:")
	return r
}

func (r *report) row(cells ...string) { fmt.Fprintf(r.out, "| %s |\n", strings.Join(cells, " | ")) }

// rate reports how many of something were done in a time.
func (r *report) rate(measure string, n int, unit string, took time.Duration) {
	r.row(measure, fmt.Sprintf("%s %s/s", rounded(float64(n)/took.Seconds()), unit), "", "")
}

// rateOf reports how many requests were answered in a time, and how long each took.
func (r *report) rateOf(measure string, each latencies, took time.Duration) {
	r.row(measure, rounded(float64(len(each))/took.Seconds())+" /s", each.at(50), each.at(99))
}

// latency reports how long each of many took.
func (r *report) latency(measure string, each latencies) {
	r.row(measure, "", each.at(50), each.at(99))
}

func (r *report) duration(measure string, took time.Duration) { r.row(measure, short(took), "", "") }

func (r *report) memory(measure string, bytes int64) {
	r.row(measure, fmt.Sprintf("%.0f MB", float64(bytes)/1e6), "", "")
}

func (r *report) ratio(measure string, ratio float64) {
	r.row(measure, fmt.Sprintf("%.2f", ratio), "", "")
}

// latencies are how long each of many things took.
type latencies []time.Duration

// at is the percentile, by the nearest rank; "" of nothing.
func (l latencies) at(percent int) string {
	if len(l) == 0 {
		return ""
	}
	sorted := slices.Sorted(slices.Values(l))
	rank := (len(sorted)*percent + 99) / 100 // rounded up, from 1
	return short(sorted[max(rank, 1)-1])
}

// short is a duration in the unit that suits it, with about three digits.
func short(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= 100*time.Millisecond:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1e3)
	default:
		return fmt.Sprintf("%.2f ms", d.Seconds()*1e3)
	}
}

// rounded is a number with a comma between thousands, without what is behind the point.
func rounded(f float64) string {
	digits := fmt.Sprintf("%.0f", f)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
