package wakeup_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/wakeup"
)

// TestCollectGarbage: the collector is asked about an object whose owner may not exist.
func TestCollectGarbage(t *testing.T) {
	t.Parallel()
	ask := []wakeup.Wake{{UID: "o"}}
	for _, test := range []struct {
		name string
		diff wakeup.Diff
		want []wakeup.Wake
	}{
		{"a client names an owner", wakeup.Diff{New: owned(ref("Parent", "p", true))}, ask},
		{"a controller creates under the lock of the owner", wakeup.Diff{New: owned(ref("Parent", "p", true)), Controller: "parent"}, nil},
		{"a controller adopts under it", wakeup.Diff{Old: owned(), New: owned(ref("Parent", "p", true)), Controller: "parent"}, nil},
		{"a StatefulSet gives a claim to a Pod, which may be gone", wakeup.Diff{Old: owned(), New: owned(ref("Pod", "p", true)), Controller: "statefulset"}, ask},
		{"a Pod's claim stays with it", wakeup.Diff{Old: owned(ref("Pod", "p", true)), New: owned(ref("Pod", "p", true)), Controller: "binder"}, nil},
		{"an object without owners", wakeup.Diff{New: owned()}, nil},
	} {
		if diff := cmp.Diff(test.want, wakeup.CollectGarbage(nil, test.diff)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
