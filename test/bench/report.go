package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// report receives figures, and prints each as a row of a Markdown table as soon as it is known.
type report struct {
	out     io.Writer // nil for a report that is not printed
	figures []figure
}

// figure is one measure with its values.
type figure struct {
	measure string
	values  []value // at most one per column
}

// value is one of the numbers of a measure.
type value struct {
	column column
	n      float64              // in a unit that says determines
	says   func(float64) string // formats a number like n with its unit
}

// column is a column of the table.
type column int

const (
	result column = iota
	cpuServer
	cpuDatabase
	p50
	p99
)

// columns are the headings. CPU time is per operation: per Pod, Job, request or whatever the row
// counts.
var columns = [...]string{result: "result", cpuServer: "CPU server", cpuDatabase: "CPU PostgreSQL", p50: "p50", p99: "p99"}

func newReport(out io.Writer) *report {
	printRow(out, append([]string{"measure"}, columns[:]...)...)
	printRow(out, "---", "---:", "---:", "---:", "---:", "---:")
	return &report{out: out}
}

func printRow(out io.Writer, cells ...string) {
	fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
}

func (r *report) add(measure string, values ...value) {
	r.figures = append(r.figures, figure{measure, values})
	if r.out == nil {
		return
	}
	cells := make([]string, 1+len(columns))
	cells[0] = measure
	for _, v := range values {
		cells[1+v.column] = v.says(v.n)
	}
	printRow(r.out, cells...)
}

// rate reports how many of something were done in a time, and the processor time used.
func (r *report) rate(measure string, n int, unit string, took time.Duration, used cpuTime) {
	says := func(f float64) string { return fmt.Sprintf("%s %s/s", rounded(f), unit) }
	r.add(measure, append(used.each(n).values(), value{result, float64(n) / took.Seconds(), says})...)
}

// rateOf reports how many requests were answered in a time, how long each took, and the processor
// time used.
func (r *report) rateOf(measure string, each latencies, took time.Duration, used cpuTime) {
	says := func(f float64) string { return rounded(f) + " /s" }
	values := append(each.values(), used.each(len(each)).values()...)
	r.add(measure, append(values, value{result, float64(len(each)) / took.Seconds(), says})...)
}

// latency reports how long each of many took, and the processor time of n operations.
func (r *report) latency(measure string, each latencies, n int, used cpuTime) {
	r.add(measure, append(each.values(), used.each(n).values()...)...)
}

func (r *report) duration(measure string, took time.Duration) { r.add(measure, ofTime(result, took)) }

// durationOf reports how long n operations took together, and the processor time used.
func (r *report) durationOf(measure string, n int, took time.Duration, used cpuTime) {
	r.add(measure, append(used.each(n).values(), ofTime(result, took))...)
}

func (r *report) memory(measure string, bytes int64) {
	r.add(measure, value{result, float64(bytes), func(f float64) string { return fmt.Sprintf("%.0f MB", f/1e6) }})
}

func (r *report) ratio(measure string, ratio float64) {
	r.add(measure, value{result, ratio, func(f float64) string { return fmt.Sprintf("%.2f", f) }})
}

func ofTime(c column, d time.Duration) value {
	return value{c, float64(d), func(f float64) string { return short(time.Duration(f)) }}
}

// values returns the table's values for processor time; none if the system does not report it.
func (c cpuTime) values() []value {
	if c == (cpuTime{}) {
		return nil
	}
	return []value{ofTime(cpuServer, c.server), ofTime(cpuDatabase, c.database)}
}

// latencies is how long each of many things took.
type latencies []time.Duration

// at returns the percentile, by the nearest rank. There must be at least one latency.
func (l latencies) at(percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(l))
	rank := (len(sorted)*percent + 99) / 100 // rounded up, from 1
	return sorted[max(rank, 1)-1]
}

// values returns the table's values for them; none if there are none.
func (l latencies) values() []value {
	if len(l) == 0 {
		return nil
	}
	return []value{ofTime(p50, l.at(50)), ofTime(p99, l.at(99))}
}

// short formats a duration in a suitable unit, with about three digits.
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

// rounded formats a number without decimals, with a comma between thousands.
func rounded(f float64) string {
	digits := fmt.Sprintf("%.0f", f)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
