package namespace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/namespace"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// shop is a namespace that was deleted at now; shape may change it.
func shop(shape ...func(*corev1.Namespace)) *corev1.Namespace {
	ns := &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: "shop", UID: "shop", DeletionTimestamp: &metav1.Time{Time: now}},
		Spec:       corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{corev1.FinalizerKubernetes}},
		Status:     corev1.NamespaceStatus{Phase: corev1.NamespaceTerminating},
	}
	for _, f := range shape {
		f(ns)
	}
	return ns
}

func configMap(name string, finalizers ...string) namespace.Content {
	return namespace.Content{
		Resource: schema.GroupResource{Resource: "configmaps"},
		Object:   &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Finalizers: finalizers}},
	}
}

func pod(name string, finalizers ...string) namespace.Content {
	grace := int64(30)
	return namespace.Content{
		Resource: schema.GroupResource{Resource: "pods"},
		Object: &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Finalizers: finalizers},
			Spec:       corev1.PodSpec{NodeName: "node-1", TerminationGracePeriodSeconds: &grace},
			Status:     corev1.PodStatus{Phase: corev1.PodRunning},
		},
	}
}

// atOnce is a Pod that a deletion removes: its grace is zero, or it has none as no node has it, or
// as it has ended.
func atOnce(name string, shape func(*corev1.Pod)) namespace.Content {
	c := pod(name)
	shape(c.Object.(*corev1.Pod))
	return c
}

func zeroGrace(p *corev1.Pod) { p.Spec.TerminationGracePeriodSeconds = new(int64) }
func pending(p *corev1.Pod)   { p.Spec.NodeName = "" }
func ended(p *corev1.Pod)     { p.Status.Phase = corev1.PodSucceeded }

func deleting(c namespace.Content) namespace.Content {
	c.Object.SetDeletionTimestamp(&metav1.Time{Time: now})
	return c
}

// passing are the conditions of a namespace with which nothing is wrong; failed ones replace those
// of their type.
func passing(at time.Time, failed ...corev1.NamespaceCondition) []corev1.NamespaceCondition {
	conditions := []corev1.NamespaceCondition{
		{Type: "NamespaceDeletionDiscoveryFailure", Reason: "ResourcesDiscovered", Message: "All resources successfully discovered"},
		{Type: "NamespaceDeletionGroupVersionParsingFailure", Reason: "ParsedGroupVersions", Message: "All legacy kube types successfully parsed"},
		{Type: "NamespaceDeletionContentFailure", Reason: "ContentDeleted", Message: "All content successfully deleted, may be waiting on finalization"},
		{Type: "NamespaceContentRemaining", Reason: "ContentRemoved", Message: "All content successfully removed"},
		{Type: "NamespaceFinalizersRemaining", Reason: "ContentHasNoFinalizers", Message: "All content-preserving finalizers finished"},
	}
	for i := range conditions {
		conditions[i].Status = corev1.ConditionFalse
		for _, f := range failed {
			if f.Type == conditions[i].Type {
				f.Status = corev1.ConditionTrue
				conditions[i] = f
			}
		}
		conditions[i].LastTransitionTime = metav1.NewTime(at)
	}
	return conditions
}

// left is the condition that lists the remaining content, held the one that lists the finalizers.
func left(what string) corev1.NamespaceCondition {
	return corev1.NamespaceCondition{Type: "NamespaceContentRemaining", Reason: "SomeResourcesRemain", Message: "Some resources are remaining: " + what}
}

func held(by string) corev1.NamespaceCondition {
	return corev1.NamespaceCondition{
		Type: "NamespaceFinalizersRemaining", Reason: "SomeFinalizersRemain",
		Message: "Some content in the namespace has finalizers remaining: " + by,
	}
}

func having(conditions []corev1.NamespaceCondition) func(*corev1.Namespace) {
	return func(ns *corev1.Namespace) { ns.Status.Conditions = conditions }
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		ns       *corev1.Namespace
		contents []namespace.Content
		now      time.Time
		want     string
	}{
		{"an active namespace is left alone",
			shop(func(ns *corev1.Namespace) { ns.DeletionTimestamp, ns.Status.Phase = nil, corev1.NamespaceActive }),
			nil, now, ""},
		{"a finalized namespace is left alone",
			shop(func(ns *corev1.Namespace) { ns.Spec.Finalizers = nil }), []namespace.Content{configMap("c")}, now, ""},
		{"Pods go first, and when their grace is over it is seen whether they have", shop(), []namespace.Content{configMap("c"), pod("a"), pod("b")}, now,
			"update Namespace shop status\n" +
				"delete Pod shop/a Background\ndelete Pod shop/b Background\nwake at 2026-01-02T03:04:37Z\n"},
		{"Pods without a grace are gone at once, and nothing is said of what remains", shop(),
			[]namespace.Content{configMap("c"), atOnce("a", zeroGrace), atOnce("b", pending), atOnce("d", ended)}, now,
			"delete Pod shop/a Background\ndelete Pod shop/b Background\ndelete Pod shop/d Background\n"},
		{"a Pod that came late has its grace", shop(), []namespace.Content{deleting(pod("a")), pod("b")}, now.Add(time.Minute),
			"update Namespace shop status\ndelete Pod shop/b Background\nwake at 2026-01-02T03:05:37Z\n"},
		{"while Pods stop nothing else goes, and what takes too long is looked at again",
			shop(having(passing(now, left("pods. has 1 resource instances")))), []namespace.Content{configMap("c"), deleting(pod("a"))}, now.Add(time.Second),
			"wake at 2026-01-02T03:04:37Z\n"},
		{"a Pod that its finalizer keeps holds the rest for as long as it likes",
			shop(having(passing(now, left("pods. has 1 resource instances"), held("example.com/held in 1 resource instances")))),
			[]namespace.Content{configMap("c"), deleting(pod("a", "example.com/held"))}, now.Add(time.Hour), ""},
		{"without Pods everything goes", shop(having(passing(now))), []namespace.Content{configMap("c"), configMap("d")}, now,
			"delete ConfigMap shop/c Background\ndelete ConfigMap shop/d Background\n"},
		{"what is being deleted is not deleted again",
			shop(having(passing(now))), []namespace.Content{deleting(configMap("c", "example.com/held")), configMap("d")}, now,
			"update Namespace shop status\ndelete ConfigMap shop/d Background\n"},
		{"an empty namespace is let go", shop(having(passing(now))), nil, now, "update Namespace shop finalize\n"},
		{"an empty namespace that others hold is left to them",
			shop(having(passing(now)), func(ns *corev1.Namespace) { ns.Spec.Finalizers = []corev1.FinalizerName{"example.com/f"} }),
			nil, now, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := laws.Check(t, namespace.Reconcile, namespace.Survey(tt.ns, tt.contents, tt.now))
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	later := now.Add(time.Minute)
	foreign := corev1.NamespaceCondition{Type: "StatusUpdate", Status: corev1.ConditionTrue, Reason: "E2E"}
	remain := left("configmaps. has 2 resource instances, deployments.apps has 1 resource instances")
	kept := held("custom.io/a in 2 resource instances, custom.io/b in 2 resource instances")
	onePod := left("pods. has 1 resource instances")
	stuck := corev1.NamespaceCondition{
		Type: "NamespaceDeletionContentFailure", Reason: "ContentDeletionFailed",
		Message: "Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: shop for gvr: /v1, Resource=pods",
	}
	deployment := configMap("web", "custom.io/b")
	deployment.Resource = schema.GroupResource{Group: "apps", Resource: "deployments"}
	tests := []struct {
		name     string
		ns       *corev1.Namespace
		contents []namespace.Content
		want     []corev1.NamespaceCondition
	}{
		{"the phase turns with the first look",
			shop(func(ns *corev1.Namespace) { ns.Status.Phase = corev1.NamespaceActive }), []namespace.Content{pod("a")}, passing(later, onePod)},
		{"only Pods count as long as there are any", shop(),
			[]namespace.Content{configMap("c", "custom.io/a"), pod("a"), deleting(pod("b", "custom.io/b"))},
			passing(later, left("pods. has 2 resource instances"), held("custom.io/b in 1 resource instances"))},
		{"what finalizers keep is counted", shop(),
			[]namespace.Content{configMap("c", "custom.io/a"), configMap("d", "custom.io/a", "custom.io/b"), deployment, configMap("e")},
			passing(later, remain, kept)},
		{"only a change of status is a transition, and conditions of others stay",
			shop(having(append(passing(now, stuck, remain), foreign))), []namespace.Content{configMap("c")},
			append(func() []corev1.NamespaceCondition {
				want := passing(now)
				want[2].LastTransitionTime, want[3].LastTransitionTime = metav1.NewTime(later), metav1.NewTime(later)
				return want
			}(), foreign)},
		{"Pods that are gone by then do not count", shop(), []namespace.Content{atOnce("a", zeroGrace), pod("b")}, passing(later, onePod)},
		{"Pods that outlive their grace are a failure", shop(), []namespace.Content{deleting(pod("a"))}, passing(later, stuck, onePod)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := laws.Check(t, namespace.Reconcile, namespace.Survey(tt.ns, tt.contents, later))
			want := tt.ns.DeepCopy()
			want.Status = corev1.NamespaceStatus{Phase: corev1.NamespaceTerminating, Conditions: tt.want}
			if diff := cmp.Diff([]plan.Update{{Object: want, Subresource: "status"}}, got.Updates); diff != "" {
				t.Errorf("updates (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFinalizeKeepsTheFinalizersOfOthers(t *testing.T) {
	t.Parallel()
	ns := shop(having(passing(now)), func(ns *corev1.Namespace) {
		ns.Spec.Finalizers = []corev1.FinalizerName{"example.com/a", corev1.FinalizerKubernetes, "example.com/b"}
	})
	want := ns.DeepCopy()
	want.Spec.Finalizers = []corev1.FinalizerName{"example.com/a", "example.com/b"}
	got := namespace.Reconcile(namespace.Snapshot{Namespace: ns, Now: now})
	if diff := cmp.Diff(plan.Plan{Updates: []plan.Update{{Object: want, Subresource: "finalize"}}}, got); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

// TestBurst: one sync deletes a Burst, counts what is left after it, and continues at once.
func TestBurst(t *testing.T) {
	t.Parallel()
	var contents []namespace.Content
	for i := range namespace.Burst + 3 {
		contents = append(contents, configMap(fmt.Sprint("c", i)))
	}
	got := namespace.Reconcile(namespace.Survey(shop(), contents, now))
	if len(got.Deletes) != namespace.Burst || !got.WakeAt.Equal(now) {
		t.Errorf("%d deletes, wake at %v; want %d, %v", len(got.Deletes), got.WakeAt, namespace.Burst, now)
	}
	want := passing(now, left("configmaps. has 3 resource instances"))
	if diff := cmp.Diff(want, got.Updates[0].Object.(*corev1.Namespace).Status.Conditions); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
}

// TestFinalizersAreNamed up to a bound: a condition does not grow with the namespace.
func TestFinalizersAreNamed(t *testing.T) {
	t.Parallel()
	var contents []namespace.Content
	for i := range namespace.MaxFinalizers + 3 {
		contents = append(contents, deleting(configMap(fmt.Sprint("c", i), fmt.Sprintf("x.io/%03d", i))))
	}
	got := namespace.Reconcile(namespace.Survey(shop(), contents, now))
	message := got.Updates[0].Object.(*corev1.Namespace).Status.Conditions[4].Message
	if !strings.HasSuffix(message, ", x.io/099 in 1 resource instances, and 3 more finalizers") {
		t.Error(message)
	}
}
