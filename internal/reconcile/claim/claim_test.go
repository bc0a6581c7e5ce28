package claim_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/rowlock/rowlock/internal/reconcile/claim"
)

var (
	yes     = true
	deleted = &metav1.Time{Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	ours    = metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "rs-uid",
		Controller: &yes, BlockOwnerDeletion: &yes}
	theirs = metav1.OwnerReference{APIVersion: "batch/v1", Kind: "Job", Name: "j", UID: "job-uid", Controller: &yes}
	friend = metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "c", UID: "cm-uid"}
	plain  = metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "rs-uid"}
)

func claimant(deletion *metav1.Time) claim.Claimant {
	return claim.Claimant{
		Owner: &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "web", UID: "rs-uid", DeletionTimestamp: deletion}},
		Kind:     appsv1.SchemeGroupVersion.WithKind("ReplicaSet"),
		Selector: labels.SelectorFromSet(labels.Set{"app": "web"}),
	}
}

func pod(namespace, app string, deletion *metav1.Time, refs ...metav1.OwnerReference) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "p", UID: "pod-uid", ResourceVersion: "7",
		Labels: map[string]string{"app": app}, DeletionTimestamp: deletion, OwnerReferences: refs}}
}

func TestClaim(t *testing.T) {
	t.Parallel()
	type claims struct{ Held, Adopted, Released [][]metav1.OwnerReference }
	one := func(refs ...metav1.OwnerReference) [][]metav1.OwnerReference { return [][]metav1.OwnerReference{refs} }
	for _, row := range []struct {
		name  string
		owner *metav1.Time // when the claimant was deleted
		pod   *corev1.Pod
		want  claims
	}{
		{"held", nil, pod("default", "web", nil, ours), claims{Held: one(ours)}},
		{"held while being deleted itself", nil, pod("default", "web", deleted, ours), claims{Held: one(ours)}},
		{"held by a deleted claimant", deleted, pod("default", "web", nil, ours), claims{Held: one(ours)}},
		{"another controller's", nil, pod("default", "web", nil, theirs), claims{}},
		{"RS-009 orphan without references", nil, pod("default", "web", nil),
			claims{Held: one(ours), Adopted: one(ours)}},
		{"RS-009 orphan with a reference that is not a controller", nil, pod("default", "web", nil, friend),
			claims{Held: one(friend, ours), Adopted: one(friend, ours)}},
		{"orphan with a plain reference to the claimant", nil, pod("default", "web", nil, plain),
			claims{Held: one(ours), Adopted: one(ours)}},
		{"orphan of other labels", nil, pod("default", "db", nil), claims{}},
		{"RSC-003 orphan of another namespace", nil, pod("other", "web", nil), claims{}},
		{"orphan being deleted", nil, pod("default", "web", deleted), claims{}},
		{"orphan and a deleted claimant", deleted, pod("default", "web", nil), claims{}},
		{"RSC-004 no longer selected", nil, pod("default", "db", nil, friend, ours), claims{Released: one(friend)}},
		{"no longer selected, the only reference", nil, pod("default", "db", nil, ours), claims{Released: one()}},
		{"no longer selected by a deleted claimant", deleted, pod("default", "db", nil, ours), claims{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			before := row.pod.DeepCopy()
			got := claim.Claim(claimant(row.owner), []*corev1.Pod{row.pod})
			refs := func(pods []*corev1.Pod) (out [][]metav1.OwnerReference) {
				for _, p := range pods {
					if p.ResourceVersion != "7" || p.UID != "pod-uid" {
						t.Errorf("copy lost its uid or resourceVersion: %v", p.ObjectMeta)
					}
					out = append(out, p.OwnerReferences)
				}
				return out
			}
			shown := claims{refs(got.Held), refs(got.Adopted), refs(got.Released)}
			if d := cmp.Diff(row.want, shown); d != "" {
				t.Errorf("claims (-want +got):\n%s", d)
			}
			if d := cmp.Diff(before, row.pod); d != "" {
				t.Errorf("the candidate was changed (-before +after):\n%s", d)
			}
		})
	}
}
