package pod_test

import (
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// The tables equal those of `kubectl get pods -o wide` at 03:04:05.
func TestPod_Row(t *testing.T) {
	testPodCases(t, "row.txt", func(t *testing.T, c podCase) string {
		t.Helper()
		p := c.given(t)
		pod.Kind.Default(p)
		var header, row []string
		for i, cell := range pod.Kind.Row(p, kindtest.Now) {
			header = append(header, strings.ToUpper(pod.Kind.Columns[i].Name))
			row = append(row, fmt.Sprint(cell))
		}
		var b strings.Builder
		w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
		fmt.Fprintf(w, "%s\n%s\n", strings.Join(header, "\t"), strings.Join(row, "\t"))
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	})
}

func TestPod_Columns(t *testing.T) {
	t.Parallel()
	var got []string
	for _, c := range pod.Kind.Columns {
		got = append(got, fmt.Sprintf("%s %s %q %d", c.Name, c.Type, c.Format, c.Priority))
	}
	kindtest.Diff(t, []string{
		`Name string "name" 0`, `Ready string "" 0`, `Status string "" 0`, `Restarts string "" 0`, `Age string "" 0`,
		`IP string "" 1`, `Node string "" 1`, `Nominated Node string "" 1`, `Readiness Gates string "" 1`,
	}, got)
}
