package kind_test

import (
	"fmt"
	"testing"

	"github.com/rowlock/rowlock/internal/kind"
)

// The tables of TestPod_Row are those that kubectl prints with -o wide, at four minutes and five seconds past three.
func TestPod_Row(t *testing.T) {
	testPodCases(t, "row.txt", func(t *testing.T, c podCase) string {
		t.Helper()
		p := c.given(t)
		kind.Pod.Default(p)
		row := ""
		for i, cell := range kind.Pod.Row(p, now) {
			row += fmt.Sprintf("%s=%v\n", kind.Pod.Columns[i].Name, cell)
		}
		return row
	})
}
