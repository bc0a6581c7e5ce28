package registry_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// Kinds that differ only in how they are deleted.
var (
	plain    = &kind.Kind{}
	orphaner = &kind.Kind{OrphanByDefault: true}
	never    = &kind.Kind{NeverOwner: true}
	graceful = &kind.Kind{Graceful: func(_ object.Object, asked *int64) int64 {
		if asked != nil {
			return *asked
		}
		return 30
	}}
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func diff(t *testing.T, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func texts(errs field.ErrorList) (out []string) {
	for _, err := range errs {
		out = append(out, err.Error())
	}
	return out
}

// at returns the time s seconds from now, as metadata holds it.
func at(s int) *metav1.Time {
	t := metav1.NewTime(now.Add(time.Duration(s) * time.Second))
	return &t
}

// deleted makes an object with the metadata that deletion uses.
func deleted(timestamp *metav1.Time, grace *int64, finalizers ...string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Name: "x", Generation: 3, DeletionTimestamp: timestamp, DeletionGracePeriodSeconds: grace, Finalizers: finalizers,
	}}
}

// say prints a Deletion: outcome, generation, seconds from now to the deletionTimestamp, grace,
// finalizers.
func say(d registry.Deletion) string {
	at, grace := "-", "-"
	if ts := d.Object.GetDeletionTimestamp(); ts != nil {
		at = fmt.Sprintf("%+d", int(ts.Sub(now).Seconds()))
	}
	if g := d.Object.GetDeletionGracePeriodSeconds(); g != nil {
		grace = fmt.Sprint(*g)
	}
	return fmt.Sprintf("%s gen=%d at=%s grace=%s %s", d.Outcome, d.Object.GetGeneration(), at, grace, strings.Join(d.Object.GetFinalizers(), ","))
}

const (
	orphan     = metav1.DeletePropagationOrphan
	background = metav1.DeletePropagationBackground
	foreground = metav1.DeletePropagationForeground
)

func TestDelete_OfKindsWithoutGrace(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		kind   *kind.Kind
		object *corev1.ConfigMap
		policy metav1.DeletionPropagation
		want   string
	}{
		{"GC-008 without a policy it goes at once", plain, deleted(nil, nil), "", "done gen=3 at=- grace=- "},
		{"GC-008 background goes at once", plain, deleted(nil, nil), background, "done gen=3 at=- grace=- "},
		{"GC-006 foreground", plain, deleted(nil, nil), foreground, "stored gen=4 at=+0 grace=0 foregroundDeletion"},
		{"GC-009 orphan", plain, deleted(nil, nil), orphan, "stored gen=4 at=+0 grace=0 orphan"},
		{"GC-012 orphans by default", orphaner, deleted(nil, nil), "", "stored gen=4 at=+0 grace=0 orphan"},
		{"GC-012 a policy overrides the default", orphaner, deleted(nil, nil), background, "done gen=3 at=- grace=- "},
		{"GC-012 foreground overrides the default", orphaner, deleted(nil, nil), foreground, "stored gen=4 at=+0 grace=0 foregroundDeletion"},
		{"GC-020 a finalizer holds it", plain, deleted(nil, nil, "a.io/f"), "", "stored gen=4 at=+0 grace=0 a.io/f"},
		{"GC-020 a finalizer beside foreground", plain, deleted(nil, nil, "a.io/f"), foreground, "stored gen=4 at=+0 grace=0 a.io/f,foregroundDeletion"},
		{"a finalizer inherits foreground", plain, deleted(nil, nil, "foregroundDeletion"), "", "stored gen=4 at=+0 grace=0 foregroundDeletion"},
		{"a finalizer inherits orphan", plain, deleted(nil, nil, "orphan", "a.io/f"), "", "stored gen=4 at=+0 grace=0 orphan,a.io/f"},
		{"a finalizer overrides the default", orphaner, deleted(nil, nil, "foregroundDeletion"), "", "stored gen=4 at=+0 grace=0 foregroundDeletion"},
		{"background takes foreground away", plain, deleted(nil, nil, "foregroundDeletion"), background, "done gen=3 at=- grace=- "},
		{"foreground replaces orphan", plain, deleted(nil, nil, "orphan"), foreground, "stored gen=4 at=+0 grace=0 foregroundDeletion"},
		{"again, nothing changes", plain, deleted(at(-9), new(int64(0)), "a.io/f"), "", "pending gen=3 at=-9 grace=0 a.io/f"},
		{"again, another policy", plain, deleted(at(-9), new(int64(0)), "orphan"), foreground, "stored gen=3 at=-9 grace=0 foregroundDeletion"},
		{"again, without what held it", plain, deleted(at(-9), new(int64(0)), "foregroundDeletion"), background, "done gen=3 at=-9 grace=0 "},
		{"again, nothing holds it", plain, deleted(at(-9), nil), "", "done gen=3 at=-9 grace=- "},
		{"a timestamp in the future comes nearer", plain, deleted(at(+9), new(int64(9)), "a.io/f"), "", "stored gen=3 at=+0 grace=0 a.io/f"},
		{"what owns nothing needs no collector", never, deleted(nil, nil), foreground, "done gen=3 at=- grace=- "},
		{"what owns nothing loses its finalizers", never, deleted(nil, nil, "orphan", "a.io/f"), orphan, "stored gen=4 at=+0 grace=0 a.io/f"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, grace := range []*int64{nil, new(int64(0)), new(int64(30))} { // such kinds ignore it
				before := tt.object.DeepCopy()
				got := registry.Delete(tt.kind, tt.object, registry.DeleteRequest{GracePeriodSeconds: grace, Propagation: tt.policy}, now)
				diff(t, tt.want, say(got))
				diff(t, before, tt.object)
			}
		})
	}
}

func TestDelete_WithGrace(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		object *corev1.ConfigMap
		asked  *int64
		policy metav1.DeletionPropagation
		want   string
	}{
		{"POD-006 the default", deleted(nil, nil), nil, "", "stored gen=4 at=+30 grace=30 "},
		{"POD-008 the grace asked for", deleted(nil, nil), new(int64(5)), "", "stored gen=4 at=+5 grace=5 "},
		{"POD-014 none", deleted(nil, nil), new(int64(0)), "", "done gen=4 at=+0 grace=0 "},
		{"negative is one second", deleted(nil, nil), new(int64(-7)), "", "stored gen=4 at=+1 grace=1 "},
		{"none with a finalizer", deleted(nil, nil, "a.io/f"), new(int64(0)), "", "stored gen=4 at=+0 grace=0 a.io/f"},
		{"with a policy", deleted(nil, nil), nil, foreground, "stored gen=4 at=+30 grace=30 foregroundDeletion"},
		{"again as before", deleted(at(20), new(int64(30))), nil, "", "pending gen=3 at=+20 grace=30 "},
		{"again with as much", deleted(at(20), new(int64(30))), new(int64(30)), "", "pending gen=3 at=+20 grace=30 "},
		{"again with more", deleted(at(20), new(int64(30))), new(int64(60)), "", "pending gen=3 at=+20 grace=30 "},
		{"a policy comes too late", deleted(at(20), new(int64(30))), nil, foreground, "pending gen=3 at=+20 grace=30 "},
		{"shorter counts from the first request", deleted(at(20), new(int64(30))), new(int64(15)), "", "stored gen=3 at=+5 grace=15 "},
		{"shorter than what has passed", deleted(at(10), new(int64(30))), new(int64(5)), "", "stored gen=3 at=+0 grace=1 "},
		{"shortened to none", deleted(at(10), new(int64(30))), new(int64(0)), "", "done gen=3 at=+0 grace=0 "},
		{"shortened with a policy", deleted(at(20), new(int64(30))), new(int64(15)), orphan, "stored gen=3 at=+5 grace=15 orphan"},
		{"shortened to none with a finalizer", deleted(at(10), new(int64(30)), "a.io/f"), new(int64(0)), "", "stored gen=3 at=+0 grace=0 a.io/f"},
		{"the grace is over", deleted(at(-9), new(int64(0))), nil, "", "done gen=3 at=-9 grace=0 "},
		{"the grace is over, a finalizer holds it", deleted(at(-9), new(int64(0)), "a.io/f"), nil, "", "pending gen=3 at=-9 grace=0 a.io/f"},
		{"grace was never given", deleted(at(-9), nil, "a.io/f"), nil, "", "stored gen=3 at=-9 grace=0 a.io/f"},
		{"a negative grace counts as one second", deleted(at(0), new(int64(-1))), new(int64(0)), "", "done gen=3 at=+0 grace=0 "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before := tt.object.DeepCopy()
			got := registry.Delete(graceful, tt.object, registry.DeleteRequest{GracePeriodSeconds: tt.asked, Propagation: tt.policy}, now)
			diff(t, tt.want, say(got))
			diff(t, before, tt.object)
		})
	}
}

func TestDelete_LeavesKindsWithoutGenerationAlone(t *testing.T) {
	t.Parallel()
	o := deleted(nil, nil, "a.io/f")
	o.Generation = 0
	diff(t, "stored gen=0 at=+0 grace=0 a.io/f", say(registry.Delete(core.ConfigMap, o, registry.DeleteRequest{}, now)))
}

func TestDelete_KeepsWholeSeconds(t *testing.T) {
	t.Parallel()
	got := registry.Delete(graceful, deleted(nil, nil), registry.DeleteRequest{}, now.Add(900*time.Millisecond))
	diff(t, "stored gen=4 at=+30 grace=30 ", say(got))
}

func TestDelete_OfNamespaces(t *testing.T) {
	t.Parallel()
	type finalizers = []corev1.FinalizerName
	namespace := func(ts *metav1.Time, phase corev1.NamespacePhase, spec finalizers, meta ...string) *corev1.Namespace {
		return &corev1.Namespace{
			ObjectMeta: metav1.ObjectMeta{Name: "x", DeletionTimestamp: ts, Finalizers: meta},
			Spec:       corev1.NamespaceSpec{Finalizers: spec},
			Status:     corev1.NamespaceStatus{Phase: phase},
		}
	}
	kube := finalizers{corev1.FinalizerKubernetes}
	tests := []struct {
		name   string
		object *corev1.Namespace
		policy metav1.DeletionPropagation
		want   registry.Outcome
		state  *corev1.Namespace
	}{
		{"begins to go", namespace(nil, "Active", kube), "", registry.DeletionStored, namespace(at(0), "Terminating", kube)},
		{"an empty one, too, goes in two steps", namespace(nil, "Active", nil), "", registry.DeletionStored, namespace(at(0), "Terminating", nil)},
		{"with a policy", namespace(nil, "Active", kube), foreground, registry.DeletionStored, namespace(at(0), "Terminating", kube, "foregroundDeletion")},
		{"again", namespace(at(-9), "Terminating", kube), orphan, registry.DeletionPending, namespace(at(-9), "Terminating", kube)},
		{"when it is empty", namespace(at(-9), "Terminating", nil), "", registry.DeletionDone, namespace(at(-9), "Terminating", nil)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := registry.Delete(core.Namespace, tt.object, registry.DeleteRequest{Propagation: tt.policy}, now)
			diff(t, tt.want, got.Outcome)
			if d := cmp.Diff(object.Object(tt.state), got.Object); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func TestReadyToRemove(t *testing.T) {
	t.Parallel()
	held := &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: at(0)},
		Spec:       corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{corev1.FinalizerKubernetes}},
	}
	free := held.DeepCopy()
	free.Spec.Finalizers = nil
	for name, tt := range map[string]struct {
		object object.Object
		want   bool
	}{
		"not deleted":                   {deleted(nil, nil), false},
		"deleted":                       {deleted(at(0), nil), true},
		"deleted, grace over":           {deleted(at(0), new(int64(0))), true},
		"deleted, grace running":        {deleted(at(0), new(int64(1))), false},
		"deleted, with a finalizer":     {deleted(at(0), nil, "orphan"), false},
		"namespace with contents":       {held, false},
		"namespace without contents":    {free, true},
		"deployment with a finalizer":   {&appsv1.Deployment{ObjectMeta: deleted(at(0), nil, "a.io/f").ObjectMeta}, false},
		"deployment without finalizers": {&appsv1.Deployment{ObjectMeta: deleted(at(0), nil).ObjectMeta}, true},
	} {
		if got := registry.ReadyToRemove(tt.object); got != tt.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestNewDeleteRequest(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		opts *metav1.DeleteOptions
		want registry.DeleteRequest
	}{
		{"no options are without grace", nil, registry.DeleteRequest{GracePeriodSeconds: new(int64(0))}},
		{"empty options", &metav1.DeleteOptions{}, registry.DeleteRequest{}},
		{"grace", metav1.NewDeleteOptions(5), registry.DeleteRequest{GracePeriodSeconds: new(int64(5))}},
		{"policy", &metav1.DeleteOptions{PropagationPolicy: new(foreground)}, registry.DeleteRequest{Propagation: foreground}},
		{"orphanDependents", &metav1.DeleteOptions{OrphanDependents: new(true)}, registry.DeleteRequest{Propagation: orphan}},
		{"not orphanDependents", &metav1.DeleteOptions{OrphanDependents: new(false)}, registry.DeleteRequest{Propagation: background}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			diff(t, tt.want, registry.NewDeleteRequest(tt.opts))
		})
	}
}

func TestGC005_ValidateDeleteOptions(t *testing.T) {
	t.Parallel()
	for policy, want := range map[metav1.DeletionPropagation][]string{
		orphan: nil, background: nil, foreground: nil,
		"Sideways": {`propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"`},
	} {
		diff(t, want, texts(registry.ValidateDeleteOptions(&metav1.DeleteOptions{PropagationPolicy: &policy})))
	}
	diff(t, []string{`propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set`},
		texts(registry.ValidateDeleteOptions(&metav1.DeleteOptions{PropagationPolicy: new(orphan), OrphanDependents: new(true)})))
	diff(t, []string{`dryRun: Unsupported value: ["some"]: supported values: "All"`},
		texts(registry.ValidateDeleteOptions(&metav1.DeleteOptions{DryRun: []string{"some"}})))
}
