package kindtest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Now is the cluster time in tests of kinds.
var Now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// Texts returns the errors as a client reads them.
func Texts(errs field.ErrorList) []string {
	var out []string
	for _, err := range errs {
		out = append(out, err.Error())
	}
	return out
}

// Diff fails the test if two values differ.
func Diff(t *testing.T, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
