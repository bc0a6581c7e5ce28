package daemonset_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
	"github.com/rowlock/rowlock/internal/reconcile/daemonset"
	"github.com/rowlock/rowlock/internal/reconcile/podtemplate"
	"github.com/rowlock/rowlock/internal/reconcile/revision"
)

var (
	now     = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	deleted = metav1.NewTime(now.Add(-time.Second))
	ofSet   = appsv1.SchemeGroupVersion.WithKind("DaemonSet")
	hash    = podtemplate.Hash(&set().Spec.Template, nil)
)

// set is default/d at generation 1, which selects app=d and is updated by one node at a time, with
// edits.
func set(edits ...func(*appsv1.DaemonSet)) *appsv1.DaemonSet {
	ds := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "d", UID: "d-uid", ResourceVersion: "5", Generation: 1,
			Annotations: map[string]string{appsv1.DeprecatedTemplateGeneration: "1"},
		},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "d"}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "d"}},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "a"}}},
			},
			RevisionHistoryLimit: new(int32(10)),
		},
		Status: appsv1.DaemonSetStatus{ObservedGeneration: 1},
	}
	bounds("1", "0")(ds)
	for _, edit := range edits {
		edit(ds)
	}
	return ds
}

// bounds gives a DaemonSet a rolling update.
func bounds(unavailable, surge string) func(*appsv1.DaemonSet) {
	u, s := intstr.Parse(unavailable), intstr.Parse(surge)
	return func(ds *appsv1.DaemonSet) {
		ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{
			Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &u, MaxSurge: &s},
		}
	}
}

func onDelete(ds *appsv1.DaemonSet) {
	ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
}

// image gives the template another image and its next generation.
func image(name string, generation int) func(*appsv1.DaemonSet) {
	return func(ds *appsv1.DaemonSet) {
		ds.Spec.Template.Spec.Containers[0].Image = name
		ds.Annotations[appsv1.DeprecatedTemplateGeneration] = fmt.Sprint(generation)
	}
}

// counted sets the status for n nodes with available Pods of the template, when desired nodes must
// have one.
func counted(n, desired int32) func(*appsv1.DaemonSet) {
	return func(ds *appsv1.DaemonSet) {
		s := &ds.Status
		s.DesiredNumberScheduled, s.NumberUnavailable = desired, desired-n
		s.CurrentNumberScheduled, s.NumberReady, s.UpdatedNumberScheduled, s.NumberAvailable = n, n, n, n
	}
}

// status changes the status.
func status(edit func(*appsv1.DaemonSetStatus)) func(*appsv1.DaemonSet) {
	return func(ds *appsv1.DaemonSet) { edit(&ds.Status) }
}

func node(name string, edits ...func(*corev1.Node)) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), Labels: map[string]string{corev1.LabelHostname: name}}}
	for _, edit := range edits {
		edit(n)
	}
	return n
}

func tainted(key string, effect corev1.TaintEffect) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Effect: effect}) }
}

func nodes(n int) (out []*corev1.Node) {
	for i := range n {
		out = append(out, node(fmt.Sprintf("n%d", i)))
	}
	return out
}

// pod is a Running and Ready Pod of default/d and its first template, an hour old, on a node, with
// edits.
func pod(name, node string, edits ...func(*corev1.Pod)) *corev1.Pod {
	hourAgo := metav1.NewTime(now.Add(-time.Hour))
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: name, UID: types.UID(name + "-uid"), ResourceVersion: "6", CreationTimestamp: hourAgo,
			Labels:          map[string]string{"app": "d", "pod-template-generation": "1", appsv1.ControllerRevisionHashLabelKey: hash},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(set(), ofSet)},
		},
		Spec: corev1.PodSpec{NodeName: node},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{
			{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: hourAgo},
		}},
	}
	for _, edit := range edits {
		edit(p)
	}
	return p
}

// pods are one on each of n nodes: p0 on n0, p1 on n1, …
func pods(n int, edits ...func(*corev1.Pod)) (out []*corev1.Pod) {
	for i := range n {
		out = append(out, pod(fmt.Sprintf("p%d", i), fmt.Sprintf("n%d", i), edits...))
	}
	return out
}

func orphan(p *corev1.Pod)    { p.OwnerReferences = nil }
func unmatched(p *corev1.Pod) { p.Labels["app"] = "other" }
func ending(p *corev1.Pod)    { p.DeletionTimestamp = &deleted }
func unready(p *corev1.Pod)   { p.Status.Conditions[0].Status = corev1.ConditionFalse }

// later is of a template that came after that of set().
func later(p *corev1.Pod) {
	p.Labels["pod-template-generation"], p.Labels[appsv1.ControllerRevisionHashLabelKey] = "2", laterHash
}

var laterHash = podtemplate.Hash(&set(image("b", 2)).Spec.Template, nil)

func phase(phase corev1.PodPhase) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Phase = phase }
}

func readyFor(d time.Duration) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Conditions[0].LastTransitionTime = metav1.NewTime(now.Add(-d)) }
}

func aged(d time.Duration) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.CreationTimestamp = metav1.NewTime(now.Add(-d)) }
}

// waiting is not bound yet, and for its node.
func waiting(p *corev1.Pod) {
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: named(p.Spec.NodeName)}}
	p.Spec.NodeName, p.Status = "", corev1.PodStatus{Phase: corev1.PodPending}
}

func named(node string) *corev1.NodeSelector {
	return &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
		{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{node}},
	}}}}
}

// kept is the revision of a DaemonSet's template, with a number.
func kept(ds *appsv1.DaemonSet, number int64, edits ...func(*appsv1.ControllerRevision)) *appsv1.ControllerRevision {
	by := claim.Claimant{Owner: set(), Kind: ofSet, Selector: labels.Everything()}
	hash := podtemplate.Hash(&ds.Spec.Template, nil)
	r := revision.New(by, &ds.Spec.Template, number, appsv1.ControllerRevisionHashLabelKey, hash)
	r.UID, r.ResourceVersion = types.UID(r.Name), "3"
	for _, edit := range edits {
		edit(r)
	}
	return r
}

// snapshot has the revision of the DaemonSet's template, if it is being updated that of set() too,
// and what else is given.
func snapshot(ds *appsv1.DaemonSet, nodes []*corev1.Node, more ...object.Object) daemonset.Snapshot {
	s := daemonset.Snapshot{DaemonSet: ds, Nodes: nodes, Now: now, Revisions: []*appsv1.ControllerRevision{kept(ds, 1)}}
	if kept(ds, 1).Name != kept(set(), 1).Name {
		s.Revisions = []*appsv1.ControllerRevision{kept(set(), 1), kept(ds, 2)}
	}
	for _, o := range more {
		s.Pods = append(s.Pods, o.(*corev1.Pod))
	}
	return s
}

// with adds to a snapshot.
func with(s daemonset.Snapshot, edit func(*daemonset.Snapshot)) daemonset.Snapshot {
	edit(&s)
	return s
}

func refused(s daemonset.Snapshot, r plan.Refusal) daemonset.Snapshot {
	s.Refused = &r
	return s
}

func all(pods ...[]*corev1.Pod) (out []object.Object) {
	for _, list := range pods {
		for _, p := range list {
			out = append(out, p)
		}
	}
	return out
}
