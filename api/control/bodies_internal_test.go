package control

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/chronicle"
	"github.com/rowlock/rowlock/internal/object"
)

// bodies is a log that holds only bodies, each a little larger than the given number of bytes.
type bodies struct {
	chronicle.Source
	bytes int
}

func (b bodies) Bodies(_ context.Context, revisions []object.Revision) (out []*object.Version, _ error) {
	for _, r := range revisions {
		if r%2 == 0 {
			continue // a deletion whose state is in the version before
		}
		kind := &object.Type{Version: "v1", Kind: "ConfigMap", Plural: "configmaps"}
		v := &object.Version{Type: kind, Revision: r}
		v.SetBody(fmt.Appendf(nil, `%s"name":"a","managedFields":[{"manager":"m"}]},"data":%q}`, object.Prefix(kind), strings.Repeat("x", b.bytes)))
		out = append(out, v)
	}
	return out, nil
}

// A page has as many bodies as fit, at least one, and says where the next page starts.
func TestBodies_ArePaged(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		bytes, changes, items int
		next                  int64
	}{
		{10, 50, 50, 0},
		{3 << 20, 6, 4, 4}, // 1 and 3 fit, 5 does not; 2 and 4 are deletions
		{9 << 20, 2, 1, 1},
	} {
		s := &Server{Deps: Deps{Chronicle: chronicle.New(bodies{bytes: tc.bytes}, nil)}}
		list := v1.ChangeList{}
		for r := range int64(tc.changes) {
			list.Items = append(list.Items, v1.Change{Revision: r + 1})
		}
		if err := s.addBodies(t.Context(), &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Items) != tc.items || list.Next != tc.next {
			t.Errorf("%d bytes each: %d items and next %d, want %d and %d", tc.bytes, len(list.Items), list.Next, tc.items, tc.next)
		}
		for _, c := range list.Items {
			if got, want := len(c.Object) > 0, c.Revision%2 == 1; got != want {
				t.Errorf("%d bytes each: revision %d has a body: %t", tc.bytes, c.Revision, got)
			}
		}
	}
}

func TestBodies_WithoutManagedFields(t *testing.T) {
	t.Parallel()
	got, err := withoutManagedFields([]byte(`{"kind":"A","metadata":{"name":"a","managedFields":[{}]},"spec":{"managedFields":[1]}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"kind":"A","metadata":{"name":"a"},"spec":{"managedFields":[1]}}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}
