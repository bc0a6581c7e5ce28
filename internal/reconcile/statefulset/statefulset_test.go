package statefulset_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/statefulset"
)

const (
	first = "nginx:1"
	next  = "nginx:2"

	again  = "wake at 2026-01-02T03:04:05Z"
	status = "update StatefulSet web status"
)

func unavailable(n intstr.IntOrString) setEdit {
	return func(set *appsv1.StatefulSet) { set.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = &n }
}

type row struct {
	name string
	s    statefulset.Snapshot
	want []string // the plan without its events
}

func run(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(r.want, lines(laws.Check(t, statefulset.Reconcile, r.s))); d != "" {
				t.Errorf("plan (-want +got):\n%s", d)
			}
		})
	}
}

func TestReconcile_Scale(t *testing.T) {
	t.Parallel()
	steady := func(n int32) setEdit { return at(first, first, n, n, n, n) }
	run(t, []row{
		{"the first sync makes the history and the first Pod", with(snapshot(web(3))),
			[]string{status, "create ControllerRevision web-of-nginx:1", "create Pod web-0", again}},
		{"STS-016 the next when the one before is ready", snapshot(web(3, at(first, first, 1, 0, 1, 1)), podsOf(1)...), []string{status, "create Pod web-1"}},
		{"STS-016 nothing while it is not", snapshot(web(3, at(first, first, 1, 0, 1, 1)), pod(0, unready)), nil},
		{"all are there", snapshot(web(3, steady(3)), podsOf(3)...), nil},
		{"STS-034 ordinals begin where they are told", snapshot(web(2, start(5), at(first, first, 1, 1, 1, 1)), pod(5)), []string{"create Pod web-6"}},
		{"STS-034 STS-040 those below the start go, the highest first", snapshot(web(2, start(2), at(first, first, 4, 4, 4, 4)), podsOf(4)...), []string{"delete Pod web-1"}},
		{"STS-017 the highest goes first", snapshot(web(1, steady(3)), podsOf(3)...), []string{"delete Pod web-2"}},
		{"STS-017 the next when that is gone", snapshot(web(1, at(first, first, 3, 3, 2, 2)), pod(0), pod(1), pod(2, ending)), nil},
		{"STS-018 web-0 is not ready: nobody goes", snapshot(web(1, at(first, first, 2, 1, 2, 2)), pod(0, unready), pod(1)), nil},
		{"a condemned Pod that is not ready goes", snapshot(web(1, at(first, first, 2, 1, 2, 2)), pod(0), pod(1, unready)), []string{"delete Pod web-1"}},
		{"it waits for a condemned one before it that is not", snapshot(web(1, at(first, first, 3, 1, 3, 3)), pod(0), pod(1, unready), pod(2, unready)), nil},
		{"a condemned one is not ready, and one after it is", snapshot(web(1, at(first, first, 3, 2, 3, 3)), pod(0), pod(1, unready), pod(2)), []string{"delete Pod web-2"}},
		{"STS-024 Parallel makes all at once", snapshot(web(3, policy(parallel), at(first, first, 1, 0, 1, 1)), pod(1, unready)), []string{"create Pod web-0", "create Pod web-2"}},
		{"STS-024 Parallel deletes all at once", snapshot(web(0, policy(parallel), at(first, first, 2, 1, 2, 2)), pod(0, unready), pod(1)),
			[]string{"delete Pod web-1", "delete Pod web-0"}},
		{"STS-021 a Pod that has failed is deleted", snapshot(web(2, at(first, first, 2, 1, 2, 2)), pod(0, failed), pod(1)), []string{"delete Pod web-0"}},
		{"STS-021 while it goes nothing happens", snapshot(web(2, at(first, first, 2, 1, 1, 1)), pod(0, failed, ending), pod(1)), nil},
		{"a Pod that is going is waited for", snapshot(web(2, at(first, first, 1, 1, 0, 0)), pod(0, ending)), nil},
		{"a StatefulSet that goes does nothing", snapshot(web(3, setEnding, at(first, first, 1, 1, 1, 1)), pod(0)), nil},
		{"the history of one that goes is not written", with(snapshot(web(3, setEnding, image(next), at(first, next, 0, 0, 0, 0)))), []string{status, again}},
		{"STS-028 the next waits until the Pod is available",
			snapshot(web(2, minReady(10), func(s *appsv1.StatefulSet) { at(first, first, 1, 1, 1, 1)(s); s.Status.AvailableReplicas = 0 }), pod(0, readyFor(4*time.Second))),
			[]string{"wake at 2026-01-02T03:04:11Z"}},
		{"no replicas", snapshot(web(0, at(first, first, 0, 0, 0, 0))), nil},
		{"two thousand million replicas are made 500 at a time", snapshot(web(2_000_000_000, at(first, first, 1, 0, 1, 1)), pod(0, unready)), nil},
	})
	p := laws.Check(t, statefulset.Reconcile, snapshot(web(2_000_000_000, policy(parallel)), pod(0)))
	if len(p.Creates) != 500 || !p.WakeAt.Equal(now) {
		t.Errorf("%d creations, and again at %v", len(p.Creates), p.WakeAt)
	}
	if name := p.Creates[499].Object.GetName(); name != "web-500" {
		t.Errorf("the last is %s", name)
	}
}

// TestSTS036_OnlyOfAdoptedPods: a PersistentVolumeClaim comes to belong to a StatefulSet only if its
// Pod does. If a Pod could not be adopted, deleting the StatefulSet would leave the Pod and take its
// PersistentVolumeClaim.
func TestSTS036_OnlyOfAdoptedPods(t *testing.T) {
	t.Parallel()
	set := web(3, claiming(goes, stays), at(first, first, 0, 0, 0, 0))
	got := statefulset.Reconcile(having(snapshot(set, pod(0, orphan, mounting), pod(1, orphan, mounting)), www(0), www(1)))
	var needs []string
	for _, u := range got.Updates {
		needs = append(needs, fmt.Sprintf("%s needs %q", u.Object.GetName(), u.NeedsUpdate))
	}
	want := []string{
		`web-0 needs ""`, `web-1 needs "web-0-uid"`,
		`www-web-0 needs "web-1-uid"`, `www-web-1 needs "web-1-uid"`, `web needs "web-1-uid"`,
	}
	if diff := cmp.Diff(want, needs); diff != "" {
		t.Errorf("updates (-want +got):\n%s", diff)
	}
	if len(got.Creates) != 2 || got.Creates[0].NeedsUpdate != "web-1-uid" || got.Creates[1].NeedsUpdate != "web-1-uid" {
		t.Errorf("the creations are %+v, want a claim and a Pod that need both adoptions", got.Creates)
	}
}

func TestReconcile_Claim(t *testing.T) {
	t.Parallel()
	steady := at(first, first, 1, 1, 1, 1)
	foreign := func(p *corev1.Pod) { p.Name = "web-a" }
	run(t, []row{
		{"an orphan of its name is adopted", snapshot(web(1, at(first, first, 1, 1, 1, 1)), pod(0, orphan)), []string{"update Pod web-0"}},
		{"one without the labels gets them with it", snapshot(web(1, at(first, first, 1, 1, 0, 0)), pod(0, orphan, bare)), []string{"update Pod web-0"}},
		{"an orphan of another name is left alone", snapshot(web(1, steady), pod(0), pod(9, orphan, foreign)), nil},
		{"a Pod of another name is let go", snapshot(web(1, steady), pod(0), pod(9, foreign)), []string{"update Pod web-a"}},
		{"a Pod with other labels is let go", snapshot(web(1, steady), pod(0), pod(1, func(p *corev1.Pod) { p.Labels["app"] = "x" })), []string{"update Pod web-1"}},
		{"a Pod without its labels gets them", snapshot(web(1, strategy(onDelete), at(first, first, 1, 1, 0, 0)), pod(0, bare)), []string{"update Pod web-0"}},
	})
}

func TestReconcile_Roll(t *testing.T) {
	t.Parallel()
	history := []*appsv1.ControllerRevision{rev(1, first), rev(2, next)}
	to := func(s statefulset.Snapshot) statefulset.Snapshot { return with(s, history...) }
	run(t, []row{
		{"a new template is a new revision, and the last Pod goes", snapshot(web(3, image(next), at(first, first, 3, 3, 3, 3)), podsOf(3)...),
			[]string{status, "create ControllerRevision web-of-nginx:2", "delete Pod web-2"}},
		{"STS-027 it comes back as a new one", to(snapshot(web(3, image(next), at(first, next, 2, 2, 2, 0)), podsOf(2)...)), []string{"create Pod web-2"}},
		{"STS-027 the next waits for it", to(snapshot(web(3, image(next), at(first, next, 3, 2, 2, 1)), pod(0), pod(1), pod(2, of(next), unready))), nil},
		{"STS-027 and goes when it is ready", to(snapshot(web(3, image(next), at(first, next, 3, 3, 2, 1)), pod(0), pod(1), pod(2, of(next)))),
			[]string{status, "delete Pod web-1"}},
		{"the last one ends the update", to(snapshot(web(2, image(next), at(first, next, 2, 1, 0, 2)), podsOf(2, of(next))...)), []string{status, again}},
		{"STS-029 those below the partition stay", to(snapshot(web(3, image(next), partition(2), at(first, next, 3, 3, 2, 1)), pod(0), pod(1), pod(2, of(next)))), nil},
		{"STS-030 a partition beyond the Pods", to(snapshot(web(3, image(next), partition(10), at(first, next, 3, 3, 3, 0)), podsOf(3)...)), nil},
		{"STS-026 OnDelete leaves Pods alone", to(snapshot(web(2, image(next), strategy(onDelete), at(first, next, 2, 2, 2, 0)), podsOf(2)...)), nil},
		{"STS-032 a broken Pod blocks, also after the way back",
			with(snapshot(web(3, at(first, first, 3, 2, 2, 0)), pod(0), pod(1), pod(2, of(next), unready)), rev(3, first), rev(2, next)), []string{status}},
		{"scaling comes before updating", to(snapshot(web(2, image(next), at(first, next, 3, 3, 3, 0)), podsOf(3)...)), []string{"delete Pod web-2"}},
		{"STS-024 Parallel updates one by one too", to(snapshot(web(3, image(next), policy(parallel), at(first, next, 3, 3, 3, 0)), podsOf(3)...)),
			[]string{status, "delete Pod web-2"}},
		{"STS-031 two may be unavailable", to(snapshot(web(4, image(next), unavailable(intstr.FromInt32(2)), at(first, next, 4, 4, 4, 0)), podsOf(4)...)),
			[]string{status, "delete Pod web-3", "delete Pod web-2"}},
		{"STS-031 one of them is", to(snapshot(web(4, image(next), policy(parallel), unavailable(intstr.FromInt32(2)), at(first, next, 4, 3, 3, 1)),
			pod(0), pod(1), pod(2), pod(3, of(next), unready))), []string{status, "delete Pod web-2"}},
		{"STS-031 percentages are rounded down, to one at least", to(snapshot(web(3, image(next), unavailable(intstr.FromString("50%")), at(first, next, 3, 3, 3, 0)), podsOf(3)...)),
			[]string{status, "delete Pod web-2"}},
	})
	// STS-029, STS-026: which revision a Pod that comes back has.
	for _, r := range []struct {
		name string
		s    statefulset.Snapshot
		want string
	}{
		{"below the partition", to(snapshot(web(3, image(next), partition(2), at(first, next, 2, 2, 1, 1)), pod(1), pod(2, of(next)))), first},
		{"at the partition", to(snapshot(web(3, image(next), partition(2), at(first, next, 2, 2, 2, 0)), pod(0), pod(1))), next},
		{"OnDelete", to(snapshot(web(2, image(next), strategy(onDelete), at(first, next, 1, 1, 1, 0)), pod(0))), next},
		{"no partition, and the update has not come to it", to(snapshot(web(2, image(next), strategy(appsv1.RollingUpdateStatefulSetStrategyType), at(first, next, 1, 1, 2, 0)), pod(0))), first},
	} {
		made := laws.Check(t, statefulset.Reconcile, r.s).Creates[0].Object.(*corev1.Pod)
		if made.Spec.Containers[0].Image != r.want || made.Labels[appsv1.StatefulSetRevisionLabel] != revisionName(r.want) {
			t.Errorf("%s: made of %s, labels %v", r.name, made.Spec.Containers[0].Image, made.Labels)
		}
	}
}

func TestReconcile_History(t *testing.T) {
	t.Parallel()
	limit := func(n int32) setEdit { return func(set *appsv1.StatefulSet) { set.Spec.RevisionHistoryLimit = &n } }
	foreign := rev(1, first)
	foreign.OwnerReferences = nil
	unselected := rev(1, first)
	unselected.Labels = nil
	run(t, []row{
		{"a way back makes the old revision the newest", with(snapshot(web(1, at(next, next, 1, 1, 1, 1)), pod(0, of(next))), rev(1, first), rev(2, next)),
			[]string{"update ControllerRevision web-of-nginx:1", status, "delete Pod web-0"}},
		{"an orphan is adopted", with(snapshot(web(1, at(first, first, 1, 1, 1, 1)), pod(0)), foreign), []string{"update ControllerRevision web-of-nginx:1"}},
		{"what is not selected is not a history", with(snapshot(web(1, at(first, first, 1, 1, 1, 1)), pod(0)), unselected), []string{"create ControllerRevision web-of-nginx:1"}},
		{"past the limit the oldest goes", with(snapshot(web(1, image("nginx:3"), limit(0), at("nginx:3", "nginx:3", 1, 1, 1, 1)), pod(0, of("nginx:3"))),
			rev(1, first), rev(2, next), rev(3, "nginx:3")), []string{"delete ControllerRevision web-of-nginx:1", "delete ControllerRevision web-of-nginx:2"}},
		{"those that Pods have stay", with(snapshot(web(1, image("nginx:3"), limit(0), strategy(onDelete), at("nginx:3", "nginx:3", 1, 1, 0, 0)), pod(0)),
			rev(1, first), rev(2, next), rev(3, "nginx:3")), []string{"delete ControllerRevision web-of-nginx:2"}},
		{"a negative limit keeps all", with(snapshot(web(1, image(next), limit(-1), at(next, next, 1, 1, 1, 1)), pod(0, of(next))), rev(1, first), rev(2, next)), nil},
	})
	p := laws.Check(t, statefulset.Reconcile, with(snapshot(web(1, at(next, next, 1, 1, 1, 1)), pod(0, of(next))), rev(1, first), rev(2, next)))
	if got := p.Updates[0].Object.(*appsv1.ControllerRevision).Revision; got != 3 {
		t.Errorf("the old revision has number %d, want 3", got)
	}
}

func TestReconcile_NewPod(t *testing.T) {
	t.Parallel()
	set := web(1, claiming(stays, stays), func(set *appsv1.StatefulSet) {
		set.Spec.Template.Spec.Volumes = []corev1.Volume{{Name: "www"}, {Name: "tmp"}}
		set.Spec.Template.Spec.Subdomain = "other"
	})
	p := laws.Check(t, statefulset.Reconcile, snapshot(set))
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "www-web-0", Labels: map[string]string{"for": "www", "app": "web"}}}
	want := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", GenerateName: "web-", Name: "web-0", OwnerReferences: []metav1.OwnerReference{bySet()},
			Labels: map[string]string{ // STS-010
				"app": "web", "statefulset.kubernetes.io/pod-name": "web-0", "apps.kubernetes.io/pod-index": "0", "controller-revision-hash": p.Creates[0].Object.GetName(),
			},
		},
		Spec: corev1.PodSpec{
			Hostname: "web-0", Subdomain: "nginx", // STS-002, STS-006
			Containers: []corev1.Container{{Name: "c", Image: first}},
			Volumes: []corev1.Volume{{Name: "www", VolumeSource: corev1.VolumeSource{ // STS-011
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "www-web-0"},
			}}, {Name: "tmp"}},
		},
	}
	if d := cmp.Diff([]plan.Create{{Object: claim}, {Object: want}}, p.Creates[1:]); d != "" {
		t.Errorf("creations (-want +got):\n%s", d)
	}
	const events = `event StatefulSet default/web Normal SuccessfulCreate "Create Claim %s Pod web-0 in StatefulSet web success"
event StatefulSet default/web Normal SuccessfulCreate "Create Pod %s in StatefulSet web successful"`
	if got := p.String(); !strings.Contains(got, events) {
		t.Errorf("events:\n%s", got)
	}
}

func TestReconcile_Retention(t *testing.T) {
	t.Parallel()
	one := at(first, first, 1, 1, 1, 1)
	two := at(first, first, 2, 2, 2, 2)
	theirs := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "x", UID: "x", Controller: &yes}
	gone := byPod(0)
	gone.UID = "before"
	beingDeleted := www(0)
	beingDeleted.DeletionTimestamp = &deleted
	run(t, []row{
		{"STS-013 claims stay", having(snapshot(web(1, claiming(stays, stays), one), pod(0, mounting)), www(0)), nil},
		{"STS-036 whenDeleted: the StatefulSet comes to own it", having(snapshot(web(1, claiming(goes, stays), one), pod(0, mounting)), www(0)),
			[]string{"update PersistentVolumeClaim www-web-0"}},
		{"it owns it", having(snapshot(web(1, claiming(goes, stays), one), pod(0, mounting)), www(0, bySet())), nil},
		{"a policy that is taken back", having(snapshot(web(1, claiming(stays, stays), one), pod(0, mounting)), www(0, bySet())),
			[]string{"update PersistentVolumeClaim www-web-0"}},
		{"STS-037 whenScaled: the condemned Pod comes to own it first", having(snapshot(web(1, claiming(stays, goes), two), pod(0, mounting), pod(1, mounting)), www(0), www(1)),
			[]string{"update PersistentVolumeClaim www-web-1", again}},
		{"STS-037 and goes then", having(snapshot(web(1, claiming(stays, goes), two), pod(0, mounting), pod(1, mounting)), www(0), www(1, byPod(1))),
			[]string{"delete Pod web-1"}},
		{"both: the Pod takes the place of the StatefulSet", having(snapshot(web(1, claiming(goes, goes), two), pod(0, mounting), pod(1, mounting)), www(0, bySet()), www(1, bySet())),
			[]string{"update PersistentVolumeClaim www-web-1", again}},
		{"both: scaled up again, it is the StatefulSet's", having(snapshot(web(2, claiming(goes, goes), two), pod(0, mounting), pod(1, mounting)), www(0, bySet()), www(1, byPod(1))),
			[]string{"update PersistentVolumeClaim www-web-1"}},
		{"STS-038 a Pod that failed keeps its claim", having(snapshot(web(1, claiming(goes, goes), at(first, first, 1, 0, 1, 1)), pod(0, mounting, failed)), www(0, bySet())),
			[]string{"delete Pod web-0"}},
		{"a claim of the Pod before is waited for", having(snapshot(web(1, claiming(stays, goes), at(first, first, 0, 0, 0, 0))), www(0, gone)), nil},
		{"a claim that goes is waited for", having(snapshot(web(1, claiming(stays, stays), at(first, first, 0, 0, 0, 0))), beingDeleted), nil},
		{"a pending Pod gets the claim that it lacks", having(snapshot(web(1, claiming(stays, stays), at(first, first, 1, 0, 1, 1)), pod(0, mounting, pending))),
			[]string{"create PersistentVolumeClaim www-web-0"}},
		{"somebody else's claim is left to them", having(snapshot(web(1, claiming(goes, goes), one), pod(0, mounting)), www(0, theirs)), nil},
		{"and no owner is added to theirs", having(snapshot(web(1, claiming(goes, goes), one), pod(0, mounting)), www(0, theirs, bySet())),
			[]string{"update PersistentVolumeClaim www-web-0"}},
	})
	p := laws.Check(t, statefulset.Reconcile, having(snapshot(web(1, claiming(goes, goes), two), pod(0, mounting), pod(1, mounting)), www(0, bySet()), www(1, bySet())))
	if d := cmp.Diff([]metav1.OwnerReference{byPod(1)}, p.Updates[0].Object.GetOwnerReferences()); d != "" {
		t.Errorf("owners of a condemned Pod's claim (-want +got):\n%s", d)
	}
	fresh := laws.Check(t, statefulset.Reconcile, snapshot(web(1, claiming(goes, stays))))
	if d := cmp.Diff([]metav1.OwnerReference{bySet()}, fresh.Creates[0].Object.GetOwnerReferences()); d != "" {
		t.Errorf("owners of a new claim (-want +got):\n%s", d)
	}
}

func TestReconcile_Refused(t *testing.T) {
	t.Parallel()
	quota := plan.Refusal{Admitted: 0, Reason: metav1.StatusReasonForbidden, Message: "exceeded quota"}
	second := quota
	second.Admitted = 1
	taken := plan.Refusal{Admitted: 0, Reason: metav1.StatusReasonAlreadyExists, Message: "exists"}
	ended := plan.Refusal{Admitted: 0, Reason: metav1.StatusReasonForbidden, Message: "being terminated", NamespaceTerminating: true}
	steady := at(first, first, 0, 0, 0, 0)
	for _, r := range []struct {
		name   string
		s      statefulset.Snapshot
		want   []string
		events []string
	}{
		{"a Pod", refused(snapshot(web(2, policy(parallel), steady)), quota), nil, []string{"Create Pod web-0 in StatefulSet web failed error: exceeded quota"}},
		{"the second Pod", refused(snapshot(web(3, policy(parallel), steady)), second), []string{"create Pod web-0"},
			[]string{"Create Pod %s in StatefulSet web successful", "Create Pod web-1 in StatefulSet web failed error: exceeded quota"}},
		{"a claim", refused(having(snapshot(web(1, claiming(stays, stays), steady))), quota), []string{"retry"}, []string{
			"Create Claim www-web-0 for Pod web-0 in StatefulSet web failed error: exceeded quota",
			"Create Pod web-0 in StatefulSet web failed error: failed to create PVC www-web-0: exceeded quota",
		}},
		{"a Pod's name is taken", refused(snapshot(web(1, steady)), taken), []string{"retry"}, nil},
		{"a revision's name is taken", refused(with(snapshot(web(1, steady))), taken), []string{status, again}, nil},
		{"a revision", refused(with(snapshot(web(1, steady))), quota), nil, nil},
		{"in a namespace that goes", refused(snapshot(web(1, steady)), ended), nil, nil},
	} {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			p := laws.Check(t, statefulset.Reconcile, r.s)
			if d := cmp.Diff(r.want, lines(p)); d != "" {
				t.Errorf("plan (-want +got):\n%s", d)
			}
			var said []string
			for _, e := range p.Events {
				said = append(said, e.Message)
			}
			if d := cmp.Diff(r.events, said); d != "" {
				t.Errorf("events (-want +got):\n%s", d)
			}
		})
	}
	p := laws.Check(t, statefulset.Reconcile, refused(with(snapshot(web(1, steady))), taken))
	collided := p.Updates[0].Object.(*appsv1.StatefulSet)
	if *collided.Status.CollisionCount != 1 {
		t.Fatalf("collisions: %d", *collided.Status.CollisionCount)
	}
	other := laws.Check(t, statefulset.Reconcile, with(snapshot(collided)))
	if name := other.Creates[0].Object.GetName(); name == revisionName(first) {
		t.Errorf("the name %s is tried again", name)
	}
}
