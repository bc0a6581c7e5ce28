package statefulset_test

import (
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
	"github.com/rowlock/rowlock/internal/reconcile/revision"
	"github.com/rowlock/rowlock/internal/reconcile/statefulset"
)

const (
	parallel = appsv1.ParallelPodManagement
	onDelete = appsv1.OnDeleteStatefulSetStrategyType
	goes     = appsv1.DeletePersistentVolumeClaimRetentionPolicyType
	stays    = appsv1.RetainPersistentVolumeClaimRetentionPolicyType
)

var (
	now     = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	deleted = metav1.NewTime(now.Add(-time.Second))
	yes     = true
	setKind = appsv1.SchemeGroupVersion.WithKind("StatefulSet")
	podKind = corev1.SchemeGroupVersion.WithKind("Pod")
)

type setEdit = func(*appsv1.StatefulSet)

// web is default/web at generation 1, which selects app=web and is a step ahead of nothing, with
// edits.
func web(replicas int32, edits ...setEdit) *appsv1.StatefulSet {
	limit, zero := int32(10), int32(0)
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "web-uid", ResourceVersion: "5", Generation: 1},
		Spec: appsv1.StatefulSetSpec{
			Replicas: &replicas, ServiceName: "nginx", RevisionHistoryLimit: &limit, PodManagementPolicy: appsv1.OrderedReadyPodManagement,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Template: template("nginx:1"),
			UpdateStrategy: appsv1.StatefulSetUpdateStrategy{
				Type: appsv1.RollingUpdateStatefulSetStrategyType, RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: &zero},
			},
			PersistentVolumeClaimRetentionPolicy: &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: stays, WhenScaled: stays},
		},
		Status: appsv1.StatefulSetStatus{ObservedGeneration: 1, CollisionCount: &zero},
	}
	for _, edit := range edits {
		edit(set)
	}
	return set
}

func template(image string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: image}}},
	}
}

func image(image string) setEdit {
	return func(set *appsv1.StatefulSet) { set.Spec.Template = template(image) }
}

func policy(p appsv1.PodManagementPolicyType) setEdit {
	return func(set *appsv1.StatefulSet) { set.Spec.PodManagementPolicy = p }
}

func partition(n int32) setEdit {
	return func(set *appsv1.StatefulSet) { set.Spec.UpdateStrategy.RollingUpdate.Partition = &n }
}

func strategy(t appsv1.StatefulSetUpdateStrategyType) setEdit {
	return func(set *appsv1.StatefulSet) { set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: t} }
}

func start(n int32) setEdit {
	return func(set *appsv1.StatefulSet) { set.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: n} }
}

func minReady(n int32) setEdit { return func(set *appsv1.StatefulSet) { set.Spec.MinReadySeconds = n } }

func setEnding(set *appsv1.StatefulSet) { set.DeletionTimestamp = &deleted }

// claiming gives the StatefulSet a template of a claim, and a policy.
func claiming(whenDeleted, whenScaled appsv1.PersistentVolumeClaimRetentionPolicyType) setEdit {
	return func(set *appsv1.StatefulSet) {
		set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "www", Labels: map[string]string{"for": "www"}}}}
		set.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: whenDeleted, WhenScaled: whenScaled}
	}
}

// at sets the revisions of the status, by the images of their templates, and how many Pods there
// are of all and of each.
func at(current, update string, all, ready, ofCurrent, ofUpdate int32) setEdit {
	return func(set *appsv1.StatefulSet) {
		s := &set.Status
		s.CurrentRevision, s.UpdateRevision = revisionName(current), revisionName(update)
		s.Replicas, s.ReadyReplicas, s.AvailableReplicas, s.CurrentReplicas, s.UpdatedReplicas = all, ready, ready, ofCurrent, ofUpdate
	}
}

func revisionName(image string) string { return rev(1, image).Name }

// rev is the revision of a number with the template of an image.
func rev(number int64, image string) *appsv1.ControllerRevision {
	set := web(1)
	t := template(image)
	by := claim.Claimant{Owner: set, Kind: setKind, Selector: labels.Everything()}
	r := revision.New(by, &t, number, revision.HashLabel, revision.Hash(revision.Data(&t), 0))
	r.UID, r.ResourceVersion = types.UID(r.Name+"-uid"), "7"
	return r
}

type podEdit = func(*corev1.Pod)

// pod is a Running and Ready Pod that web owns, made from nginx:1 an hour ago, with edits.
func pod(ordinal int, edits ...podEdit) *corev1.Pod {
	hourAgo := metav1.NewTime(now.Add(-time.Hour))
	name := "web-" + strconv.Itoa(ordinal)
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: name, UID: types.UID(name + "-uid"), ResourceVersion: "6", CreationTimestamp: hourAgo,
			Labels: map[string]string{
				"app": "web", "statefulset.kubernetes.io/pod-name": name, "apps.kubernetes.io/pod-index": strconv.Itoa(ordinal),
				"controller-revision-hash": revisionName("nginx:1"),
			},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(web(1), setKind)},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: hourAgo}},
		},
	}
	for _, edit := range edits {
		edit(p)
	}
	return p
}

func podsOf(n int, edits ...podEdit) (out []*corev1.Pod) {
	for i := range n {
		out = append(out, pod(i, edits...))
	}
	return out
}

func of(image string) podEdit {
	return func(p *corev1.Pod) { p.Labels["controller-revision-hash"] = revisionName(image) }
}
func orphan(p *corev1.Pod)  { p.OwnerReferences = nil }
func ending(p *corev1.Pod)  { p.DeletionTimestamp = &deleted }
func unready(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse }
func pending(p *corev1.Pod) { p.Status = corev1.PodStatus{Phase: corev1.PodPending} }
func failed(p *corev1.Pod)  { p.Status.Phase = corev1.PodFailed }
func bare(p *corev1.Pod)    { p.Labels = map[string]string{"app": "web"} }

func readyFor(d time.Duration) podEdit {
	return func(p *corev1.Pod) { p.Status.Conditions[0].LastTransitionTime = metav1.NewTime(now.Add(-d)) }
}

func mounting(p *corev1.Pod) {
	p.Spec.Volumes = []corev1.Volume{{Name: "www", VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "www-" + p.Name},
	}}}
}

// www is the claim of an ordinal, with owners.
func www(ordinal int, owners ...metav1.OwnerReference) *corev1.PersistentVolumeClaim {
	name := "www-web-" + strconv.Itoa(ordinal)
	return &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, UID: types.UID(name + "-uid"), ResourceVersion: "8", OwnerReferences: owners,
	}}
}

func bySet() metav1.OwnerReference { return *metav1.NewControllerRef(web(1), setKind) }
func byPod(ordinal int) metav1.OwnerReference {
	return *metav1.NewControllerRef(pod(ordinal), podKind)
}

// snapshot is a StatefulSet whose history has nginx:1 alone, and its Pods.
func snapshot(set *appsv1.StatefulSet, pods ...*corev1.Pod) statefulset.Snapshot {
	return statefulset.Snapshot{StatefulSet: set, Pods: pods, Revisions: []*appsv1.ControllerRevision{rev(1, "nginx:1")}, Now: now}
}

func with(s statefulset.Snapshot, revisions ...*appsv1.ControllerRevision) statefulset.Snapshot {
	s.Revisions = revisions
	return s
}

func having(s statefulset.Snapshot, claims ...*corev1.PersistentVolumeClaim) statefulset.Snapshot {
	s.Claims = map[string]*corev1.PersistentVolumeClaim{}
	for _, c := range claims {
		s.Claims[c.Name] = c
	}
	return s
}

func refused(s statefulset.Snapshot, r plan.Refusal) statefulset.Snapshot {
	s.Refused = &r
	return s
}

// lines are those of a plan but for events, with the names of revisions by their images.
func lines(p plan.Plan) []string {
	p.Events = nil
	text := strings.TrimSpace(p.String())
	for _, image := range []string{"nginx:1", "nginx:2", "nginx:3"} {
		text = strings.ReplaceAll(text, revisionName(image), "web-of-"+image)
	}
	if text == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(text, "default/", ""), "\n")
}
