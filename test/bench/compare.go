package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
)

// compare alternates between two binaries, group by group, and prints both medians and the
// difference. So other work on the machine affects both equally.
func compare(ctx context.Context, o options, stdout io.Writer) error {
	fmt.Fprintf(stdout, "A is %s, B is %s; medians of %d turns.\n\n", o.against, o.rowlock, o.turns)
	printRow(stdout, "measure", "A", "B", "B against A")
	printRow(stdout, "---", "---:", "---:", "---:")
	for _, m := range o.measures() {
		var a, b []*report
		for range o.turns {
			for _, one := range []struct {
				rowlock string
				to      *[]*report
			}{{o.against, &a}, {o.rowlock, &b}} {
				o, r := o, &report{}
				o.rowlock = one.rowlock
				if err := m.run(ctx, o, r); err != nil {
					return fmt.Errorf("%s of %s: %w", m.name, one.rowlock, err)
				}
				*one.to = append(*one.to, r)
			}
		}
		printComparison(stdout, median(a), median(b))
	}
	return nil
}

// median returns the median of each value of reports with the same figures; for an even number, the
// lower of the two in the middle. If a report lacks a value, such as a processor time too small to
// measure, the others decide.
func median(reports []*report) []figure {
	figures := make([]figure, len(reports[0].figures))
	for i, f := range reports[0].figures {
		figures[i].measure = f.measure
		for c := range column(len(columns)) {
			var found []value
			for _, r := range reports {
				if at := slices.IndexFunc(r.figures[i].values, func(v value) bool { return v.column == c }); at >= 0 {
					found = append(found, r.figures[i].values[at])
				}
			}
			if len(found) > 0 {
				slices.SortFunc(found, func(a, b value) int { return cmp.Compare(a.n, b.n) })
				figures[i].values = append(figures[i].values, found[(len(found)-1)/2])
			}
		}
	}
	return figures
}

// printComparison prints a row for each value that both have. The names of measures may contain
// sizes that differ: B's are shown.
func printComparison(out io.Writer, a, b []figure) {
	for i, f := range b {
		for _, now := range f.values {
			at := slices.IndexFunc(a[i].values, func(v value) bool { return v.column == now.column })
			if at < 0 {
				continue
			}
			name := f.measure
			if now.column != result {
				name += ": " + columns[now.column]
			}
			before := a[i].values[at]
			printRow(out, name, before.says(before.n), now.says(now.n), difference(before.n, now.n))
		}
	}
}

// difference returns how much a number has changed.
func difference(before, now float64) string {
	if before == 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f %%", (now/before-1)*100)
}
