package registry_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// stored makes a version of an object.
func stored(t *testing.T, k *kind.Kind, o object.Object) *object.Version {
	t.Helper()
	body, err := object.Encode(&k.Type, o)
	if err != nil {
		t.Fatal(err)
	}
	v := &object.Version{Type: &k.Type, Namespace: o.GetNamespace(), Name: o.GetName(), Revision: 7, Verb: object.Updated, At: object.MomentOf(now)}
	v.SetBody(body)
	return v
}

// tombstone makes the version of a removal that leaves its body to the version before it.
func tombstone(old *object.Version, at time.Time) *object.Version {
	v := &object.Version{Type: old.Type, Namespace: old.Namespace, Name: old.Name, Revision: 8, Verb: object.Deleted, At: object.MomentOf(at)}
	v.Succeed(old)
	return v
}

// TestDelete_WhatIsImpliedCanBeDerived: every other process derives a deleted object's last state
// from the version before it, and it must equal the result of the deletion.
func TestDelete_WhatIsImpliedCanBeDerived(t *testing.T) {
	t.Parallel()
	texts := rapid.SampledFrom([]string{"a", "", `"creationTimestamp":"`, `"generation":5`, "}", "[", `\"`, "é"})
	implied := 0
	rapid.Check(t, func(rt *rapid.T) {
		meta := metav1.ObjectMeta{
			Name: rapid.SampledFrom([]string{"web", "web-1.generation"}).Draw(rt, "name"), Namespace: "default", UID: "0198b2c4-0000-7000-8000-000000000001",
			GenerateName: rapid.SampledFrom([]string{"", "web-"}).Draw(rt, "generateName"),
			Generation:   rapid.SampledFrom([]int64{0, 1, 9, 99}).Draw(rt, "generation"),
			Labels:       rapid.MapOfN(texts, texts, 0, 2).Draw(rt, "labels"),
			Annotations:  rapid.MapOfN(texts, texts, 0, 2).Draw(rt, "annotations"),
			Finalizers:   rapid.SampledFrom([][]string{nil, nil, nil, {"example.com/held"}, {metav1.FinalizerDeleteDependents}}).Draw(rt, "finalizers"),
		}
		if rapid.Bool().Draw(rt, "dated") {
			meta.CreationTimestamp = *at(-3600)
		}
		if rapid.Bool().Draw(rt, "being deleted") {
			meta.DeletionTimestamp = at(20)
			meta.DeletionGracePeriodSeconds = rapid.SampledFrom([]*int64{nil, new(int64(0)), new(int64(30))}).Draw(rt, "given")
		}
		k, o := pod.Kind, object.Object(&corev1.Pod{ObjectMeta: meta, Spec: corev1.PodSpec{NodeName: "node-0"}})
		if rapid.Bool().Draw(rt, "without grace") {
			k, o = core.ConfigMap, &corev1.ConfigMap{ObjectMeta: meta, Data: map[string]string{"generation": "1"}}
		}
		old := stored(t, k, o)
		moment := now.Add(900 * time.Millisecond)
		d := registry.Delete(k, old.Object(), registry.DeleteRequest{
			GracePeriodSeconds: rapid.SampledFrom([]*int64{nil, new(int64(0)), new(int64(5))}).Draw(rt, "asked"),
			Propagation:        rapid.SampledFrom([]metav1.DeletionPropagation{"", orphan, background, foreground}).Draw(rt, "policy"),
			Without:            rapid.SampledFrom([]string{"", "example.com/held"}).Draw(rt, "without"),
		}, moment)
		if !d.Implied {
			return
		}
		if d.Outcome != registry.DeletionDone {
			rt.Fatalf("implied by a deletion that is %s", d.Outcome)
		}
		implied++
		v := tombstone(old, moment)
		got, want := v.Object().DeepCopyObject().(object.Object), d.Object
		got.SetResourceVersion("")
		want.SetResourceVersion("")
		want.GetObjectKind().SetGroupVersionKind(k.GroupVersionKind())
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("derived (-want +got):\n%s\nfrom %s", diff, old.Body())
		}
		if v.Is(object.Terminating) != (want.GetDeletionTimestamp() != nil) || v.Is(object.HasFinalizers) {
			rt.Fatalf("terminating %v, with finalizers %v", v.Is(object.Terminating), v.Is(object.HasFinalizers))
		}
		if encoded := stored(t, k, want).Body(); !meta.CreationTimestamp.IsZero() && string(encoded) != string(v.Body()) {
			rt.Fatalf("derived %s\nwant    %s", v.Body(), encoded)
		}
	})
	if implied == 0 {
		t.Error("no deletion was implied")
	}
}

func TestDelete_WhatIsImplied(t *testing.T) {
	t.Parallel()
	begun := func(k *kind.Kind) *kind.Kind {
		k.PrepareDelete = func(object.Object, time.Time) {}
		return k
	}
	tests := []struct {
		name string
		kind *kind.Kind
		o    object.Object
		req  registry.DeleteRequest
		want bool
	}{
		{"without grace", plain, deleted(nil, nil), registry.DeleteRequest{}, true},
		{"a grace of zero", graceful, deleted(nil, nil), registry.DeleteRequest{GracePeriodSeconds: new(int64(0))}, true},
		{"the grace is over", graceful, deleted(at(-1), new(int64(0))), registry.DeleteRequest{}, true},
		{"its grace is cut short", graceful, deleted(at(20), new(int64(30))), registry.DeleteRequest{GracePeriodSeconds: new(int64(0))}, false},
		{"it stays for its grace", graceful, deleted(nil, nil), registry.DeleteRequest{}, false},
		{"it loses a finalizer", plain, deleted(nil, nil, "a"), registry.DeleteRequest{Without: "a"}, false},
		{"it loses the finalizer of another policy", plain, deleted(nil, nil, metav1.FinalizerDeleteDependents), registry.DeleteRequest{Propagation: background}, false},
		{"a finalizer holds it", plain, deleted(nil, nil, "a"), registry.DeleteRequest{}, false},
		{"its kind completes it", begun(&kind.Kind{}), deleted(nil, nil), registry.DeleteRequest{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := registry.Delete(test.kind, test.o, test.req, now); got.Implied != test.want {
				t.Errorf("implied %v: %s", got.Implied, say(got))
			}
		})
	}
}

// TestCatalogue_GracefulTypes: the type that every reader of the log uses agrees with the kind that
// deletion uses.
func TestCatalogue_GracefulTypes(t *testing.T) {
	t.Parallel()
	for _, k := range builtin.Catalogue().Stored() {
		if k.Type.Graceful != (k.Graceful != nil) {
			t.Errorf("%s: its type says that it is graceful: %v", k.Resource(), k.Type.Graceful)
		}
	}
}
