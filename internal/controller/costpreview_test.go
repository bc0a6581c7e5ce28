package controller_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/preview"
)

// previews makes previews from the cluster.
func (c *costWorld) previews() *preview.Source {
	return &preview.Source{Mirror: c.mirror, Kinds: c.world.Kinds, Now: func() time.Time { return start },
		Memory: func(context.Context, types.UID) ([]byte, error) { return nil, nil }}
}

// preview asks for a preview, and returns what that touches.
func (c *costWorld) preview(key object.Key, policy metav1.DeletionPropagation, scaleDown bool) (of cost) {
	c.t.Helper()
	visits, decodes := c.visits.Load(), object.Decodes()
	if scaleDown {
		s, err := c.previews().ScaleDown(c.t.Context(), key, 0)
		if err != nil {
			c.t.Fatalf("a preview of %s: %v", key, err)
		}
		for _, shrink := range s.Shrinks {
			of.Writes += len(shrink.Victims)
		}
	} else {
		d, err := c.previews().Deletion(c.t.Context(), key, policy)
		if err != nil {
			c.t.Fatalf("a preview of %s: %v", key, err)
		}
		of.Writes = len(d.Deleted)
	}
	of.Visits, of.Decodes = c.visits.Load()-visits, object.Decodes()-decodes
	return of
}

// TestCost_OfAPreview: the cost is the same in a small cluster and in a large one.
//
//nolint:paralleltest // bodies are counted that the whole process decodes
func TestCost_OfAPreview(t *testing.T) {
	small, large := newCostWorld(t, 1000), newCostWorld(t, 20_000)
	for _, row := range []struct {
		key       object.Key
		scaleDown bool
		concerned int
	}{
		{object.Key{Resource: "deployments.apps", Namespace: "default", Name: "web"}, false, 5},
		{object.Key{Resource: "replicasets.apps", Namespace: "default", Name: "web"}, false, 4},
		{object.Key{Resource: "namespaces", Name: "ending"}, false, 5},
		{object.Key{Resource: "nodes", Name: "node-2"}, false, 2},
		{object.Key{Resource: "persistentvolumeclaims", Namespace: "default", Name: "claim"}, false, 1},
		{object.Key{Resource: "persistentvolumes", Name: "volume"}, false, 1},
		{object.Key{Resource: "volumeattributesclasses.storage.k8s.io", Name: "gold"}, false, 1},
		{object.Key{Resource: "configmaps", Namespace: "default", Name: "doomed"}, false, 4},
		{object.Key{Resource: "deployments.apps", Namespace: "default", Name: "web"}, true, 0}, // in a rollout
		{object.Key{Resource: "replicasets.apps", Namespace: "default", Name: "web"}, true, 3},
		{object.Key{Resource: "jobs.batch", Namespace: "default", Name: "job"}, true, 1},
	} {
		small.preview(row.key, "", row.scaleDown) // decodes what is concerned
		large.preview(row.key, "", row.scaleDown)
		want, got := small.preview(row.key, "", row.scaleDown), large.preview(row.key, "", row.scaleDown)
		if diff := cmp.Diff(want, got); diff != "" || got.Writes != row.concerned {
			t.Errorf("%s concerns %d, not %d (-small +large):\n%s", row.key, got.Writes, row.concerned, diff)
		}
		t.Logf("%-40s scaled down %-5t %+v", row.key, row.scaleDown, got)
	}
}

// TestCost_APreviewOfMuchIsReadInPieces: the mirror is released between the pieces, and the preview
// still finds everything.
//
//nolint:paralleltest // as above
func TestCost_APreviewOfMuchIsReadInPieces(t *testing.T) {
	c := newCostWorld(t, 0)
	const many = 2600
	c.made = nil
	var all []object.Object
	all = append(all, &corev1.Namespace{ObjectMeta: meta("", "full"), Spec: corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{"kubernetes"}}},
		&corev1.ConfigMap{ObjectMeta: meta("full", "owner")})
	for i := range many {
		ref := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "owner", UID: "configmaps/owner"}
		all = append(all, &corev1.ConfigMap{ObjectMeta: meta("full", fmt.Sprintf("below-%05d", i), ref)}, &corev1.Event{ObjectMeta: meta("full", fmt.Sprintf("event-%05d", i))})
	}
	for i, o := range all {
		c.add(o)
		c.made[i].Revision = c.mirror.Revision() + object.Revision(i+1)
	}
	c.mirror.Committed(c.made)
	for key, want := range map[object.Key]int{
		{Resource: "namespaces", Name: "full"}:                     2*many + 2,
		{Resource: "configmaps", Namespace: "full", Name: "owner"}: many + 1,
	} {
		c.longest.Store(0)
		got := c.preview(key, metav1.DeletePropagationForeground, false)
		if longest := c.longest.Load(); got.Writes != want || longest > 1000 {
			t.Errorf("%s: %d are deleted, not %d, and the mirror is held for %d visits", key, got.Writes, want, longest)
		}
		t.Logf("%s %+v, at most %d visits at once", key, got, c.longest.Load())
	}
}
