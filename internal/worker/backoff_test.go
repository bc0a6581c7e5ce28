package worker

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBackoff(t *testing.T) {
	t.Parallel()
	got := []string{}
	for _, attempt := range []int{0, 1, 2, 10, 17, 18, 20, 21, 1 << 30} {
		got = append(got, backoff(attempt).String())
	}
	want := []string{"5ms", "10ms", "20ms", "5.12s", "10m55.36s", "16m40s", "16m40s", "16m40s", "16m40s"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pauses (-want +got):\n%s", diff)
	}
}
