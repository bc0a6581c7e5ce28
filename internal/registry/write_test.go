package registry_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/batch"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

func TestDelete_DropsAFinalizerWithTheDeletion(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		finalizers []string
		want       string
	}{
		"the only one":         {[]string{"a.io/f"}, "done gen=3 at=- grace=- "},
		"it is not there":      {nil, "done gen=3 at=- grace=- "},
		"another one holds it": {[]string{"a.io/f", "b.io/g"}, "stored gen=4 at=+0 grace=0 b.io/g"},
	} {
		before := deleted(nil, nil, tt.finalizers...)
		o := before.DeepCopy()
		if got := say(registry.Delete(plain, o, registry.DeleteRequest{Without: "a.io/f"}, now)); got != tt.want {
			t.Errorf("%s: %s", name, got)
		}
		diff(t, before, o)
	}
	held := deleted(at(-9), new(int64(0)), "a.io/f", "b.io/g")
	diff(t, "stored gen=3 at=-9 grace=0 b.io/g", say(registry.Delete(plain, held, registry.DeleteRequest{Without: "a.io/f"}, now)))
}

func TestAdmitDelete(t *testing.T) {
	t.Parallel()
	diff(t, `Forbidden: namespaces "kube-system" is forbidden: this namespace may not be deleted`, said(registry.AdmitDelete(core.Namespace, "kube-system")))
	diff(t, "", said(registry.AdmitDelete(core.Namespace, "mine")))
	diff(t, "", said(registry.AdmitDelete(core.ConfigMap, "default")))
}

func TestCheckPreconditions(t *testing.T) {
	t.Parallel()
	v := &object.Version{Type: &core.ConfigMap.Type, Namespace: "default", Name: "a", UID: "u-1", Revision: 7}
	for _, tt := range []struct {
		name string
		want *metav1.Preconditions
		err  string
	}{
		{"none", nil, ""},
		{"empty", &metav1.Preconditions{}, ""},
		{"both hold", metav1.NewPreconditionDeleteOptions("u-1").Preconditions, ""},
		{"another uid", metav1.NewPreconditionDeleteOptions("u-2").Preconditions, `Conflict: Operation cannot be fulfilled on ConfigMap "a": ` +
			"the UID in the precondition (u-2) does not match the UID in record (u-1). The object might have been deleted and then recreated"},
		{"another version", metav1.NewRVDeletionPrecondition("6").Preconditions, `Conflict: Operation cannot be fulfilled on ConfigMap "a": ` +
			"the ResourceVersion in the precondition (6) does not match the ResourceVersion in record (7). The object might have been modified"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			diff(t, tt.err, said(registry.CheckPreconditions(core.ConfigMap, tt.want, v)))
		})
	}
}

func TestDeletionWarning(t *testing.T) {
	t.Parallel()
	diff(t, batch.Job.DeletionWarning, registry.DeletionWarning(batch.Job, &metav1.DeleteOptions{}))
	diff(t, "", registry.DeletionWarning(batch.Job, &metav1.DeleteOptions{PropagationPolicy: new(orphan)}))
	diff(t, "", registry.DeletionWarning(core.ConfigMap, &metav1.DeleteOptions{}))
}

func TestScale(t *testing.T) {
	t.Parallel()
	old := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "u-1", ResourceVersion: "7"}}
	old.Spec.Replicas = new(int32(1))
	scale := func(edit func(*autoscalingv1.Scale)) *autoscalingv1.Scale {
		s := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}, Spec: autoscalingv1.ScaleSpec{Replicas: 3}}
		edit(s)
		return s
	}
	for _, tt := range []struct {
		name  string
		scale *autoscalingv1.Scale
		rev   string
		err   string
	}{
		{"of any version", scale(func(*autoscalingv1.Scale) {}), "7", ""},
		{"of a version, which Update judges", scale(func(s *autoscalingv1.Scale) { s.ResourceVersion = "5" }), "5", ""},
		{"of another object", scale(func(s *autoscalingv1.Scale) { s.UID = "u-2" }), "",
			`Conflict: Operation cannot be fulfilled on deployments/scale.apps "web": Precondition failed: UID in precondition: u-2, UID in object meta: u-1`},
		{"below zero", scale(func(s *autoscalingv1.Scale) { s.Spec.Replicas = -1 }), "",
			`Invalid: Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before := old.DeepCopy()
			next, err := registry.Scale(apps.Deployment, tt.scale, before)
			diff(t, tt.err, said(err))
			diff(t, old, before)
			if err != nil {
				return
			}
			want := old.DeepCopy()
			want.ResourceVersion, want.Spec.Replicas = tt.rev, new(int32(3))
			diff(t, object.Object(want), next)
		})
	}
}

func TestBind(t *testing.T) {
	t.Parallel()
	binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: "web", Labels: map[string]string{"zone": "a"}}, Target: corev1.ObjectReference{Name: "node-1"}}
	for _, tt := range []struct {
		name string
		edit func(*corev1.Pod)
		err  string
	}{
		{"free", func(*corev1.Pod) {}, ""},
		{"bound", func(p *corev1.Pod) { p.Spec.NodeName = "node-2" }, `pod web is already assigned to node "node-2"`},
		{"being deleted", func(p *corev1.Pod) { p.DeletionTimestamp = at(0) }, "pod web is being deleted, cannot be assigned to a host"},
		{"gated", func(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}} }, "pod web has non-empty .spec.schedulingGates"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
			tt.edit(pod)
			before := pod.DeepCopy()
			got, err := registry.Bind(pod, binding, now)
			diff(t, before, pod)
			if tt.err != "" {
				diff(t, `Conflict: Operation cannot be fulfilled on pods/binding "web": `+tt.err, said(err))
				return
			}
			before.Spec.NodeName, before.Labels = "node-1", binding.Labels
			before.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: *at(0)}}
			diff(t, before, got)
		})
	}
}

func TestDedupeOwners(t *testing.T) {
	t.Parallel()
	a, b := metav1.OwnerReference{Name: "a", UID: "u-a"}, metav1.OwnerReference{Name: "b", UID: "u-b"}
	o := configMap("x", "")
	o.OwnerReferences = []metav1.OwnerReference{a, b, a}
	diff(t, ".metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, "+
		"and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u-a",
		registry.DedupeOwners(o, " after mutating admission happens"))
	diff(t, []metav1.OwnerReference{a, b}, o.OwnerReferences)
	diff(t, "", registry.DedupeOwners(o, ""))
}
