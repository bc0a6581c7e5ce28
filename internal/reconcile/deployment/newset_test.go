package deployment_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/deployment"
	"github.com/rowlock/rowlock/internal/reconcile/podtemplate"
)

const (
	hashA   = "6ffd458d6d" // of image a
	hashB   = "665fbc66f5" // of image b
	hashBad = "59445c6bd4" // of image bad
)

func TestDEP018_DEP019_TheNewReplicaSet(t *testing.T) {
	t.Parallel()
	d := newDeployment(3, annotated("kubernetes.io/change-cause", "first"), annotated("note", "kept"),
		annotated(corev1.LastAppliedConfigAnnotation, "{}"), annotated(desired, "9"), annotated(most, "9"),
		annotated(history, "9"), func(d *appsv1.Deployment) {
			d.Spec.MinReadySeconds = 5
			d.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "x", Operator: "DoesNotExist"}}
		})
	got := deployment.Reconcile(snapshot(d))
	three := int32(3)
	labels := map[string]string{"app": "web", hashKey: hashA}
	want := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "web-" + hashA, Labels: labels, OwnerReferences: []metav1.OwnerReference{owner},
			Annotations: map[string]string{revision: "1", desired: "3", most: "4", "note": "kept", "kubernetes.io/change-cause": "first"},
		},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: &three, MinReadySeconds: 5,
			Selector: &metav1.LabelSelector{MatchLabels: labels, MatchExpressions: d.Spec.Selector.MatchExpressions},
			Template: template("a"),
		},
	}
	want.Spec.Template.Labels[hashKey] = hashA
	if d := cmp.Diff(want, setOf(got, "web-"+hashA)); d != "" {
		t.Errorf("ReplicaSet (-want +got):\n%s", d)
	}
	zero := int32(0)
	wantStatus := appsv1.DeploymentStatus{ObservedGeneration: 1, UnavailableReplicas: 3, TerminatingReplicas: &zero,
		Conditions: []appsv1.DeploymentCondition{
			{Type: "Progressing", Status: "True", Reason: "NewReplicaSetCreated", Message: `Created new replica set "web-6ffd458d6d"`,
				LastUpdateTime: ago(0), LastTransitionTime: ago(0)},
			{Type: "Available", Status: "False", Reason: "MinimumReplicasUnavailable",
				Message: "Deployment does not have minimum availability.", LastUpdateTime: ago(0), LastTransitionTime: ago(0)},
		}}
	if d := cmp.Diff(wantStatus, deploymentOf(got).Status); d != "" {
		t.Errorf("status (-want +got):\n%s", d)
	}
	if got := deploymentOf(got).Annotations[revision]; got != "1" {
		t.Errorf("DEP-042 the Deployment's revision is %q, want 1", got)
	}
}

func TestHash(t *testing.T) {
	t.Parallel()
	a, b := template("a"), template("b")
	zero, one := int32(0), int32(1)
	hashes := []string{
		podtemplate.Hash(&a, nil), podtemplate.Hash(&b, nil), podtemplate.Hash(&a, &zero), podtemplate.Hash(&a, &one),
	}
	// These values change when the Pod template's Go type does, as upstream's do with a new minor
	// release.
	if d := cmp.Diff([]string{hashA, hashB, "7498dbcbf6", "76b9b6d6f"}, hashes); d != "" {
		t.Errorf("hashes (-want +got):\n%s", d)
	}
	for _, hash := range hashes {
		if strings.Trim(hash, "bcdfghjklmnpqrstvwxz2456789") != "" {
			t.Errorf("DEP-018 hash %q has letters that are not for it", hash)
		}
	}
}

func TestAVeryLongNameIsCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 250)
	got := deployment.Reconcile(snapshot(newDeployment(1, func(d *appsv1.Deployment) { d.Name = long })))
	name := got.Creates[0].Object.GetName()
	if want := long[:242] + "-" + hashA; name != want {
		t.Errorf("name is %q, want %q", name, want)
	}
}

func TestFindingTheNewReplicaSet(t *testing.T) {
	old := replicaSet("b", 0, "1")
	check(t, []row{
		{"DEP-020 the ReplicaSet of an earlier template is used again and gets a new revision",
			snapshot(settled(image("b"), func(d *appsv1.Deployment) { d.Generation = 2 }), old, replicaSet("a", 3, "2", young)),
			updated("web-b") + status + scaled("up", "web-b from 0 to 1")},
		{"the oldest of several with the same template is the new one", snapshot(settled(annotated(revision, "2")),
			replicaSet("a", 0, "1", young, func(rs *appsv1.ReplicaSet) { rs.Name, rs.UID = "web-later", "later" }),
			replicaSet("a", 3, "2")), ""},
		{"one that is being deleted is still the new one", snapshot(settled(), replicaSet("a", 3, "1", func(rs *appsv1.ReplicaSet) {
			now := ago(0)
			rs.DeletionTimestamp = &now
		})), ""},
		{"its hash label may be another than the template's", snapshot(settled(), replicaSet("a", 3, "1")), ""},
	})
}

func TestCollision(t *testing.T) {
	t.Parallel()
	named := func(rs *appsv1.ReplicaSet) { rs.Name = "web-" + hashA }
	exists := plan.Refusal{Reason: metav1.StatusReasonAlreadyExists, Message: "exists"}
	counting := func(n int32) func(*appsv1.Deployment) {
		return func(d *appsv1.Deployment) { d.Status.CollisionCount = &n }
	}
	one, two := int32(1), int32(2)
	for _, row := range []struct {
		name  string
		s     deployment.Snapshot
		want  string
		count *int32
	}{
		{"an owned ReplicaSet has the name", snapshot(newDeployment(3), replicaSet("x", 0, "1", named)),
			status + "wake at 2026-01-02T03:04:05Z\n", &one},
		{"another owner's has it", refusedBy(snapshot(newDeployment(3)), exists), status + "wake at 2026-01-02T03:04:05Z\n", &one},
		{"so does that of the second try", refusedBy(snapshot(newDeployment(3, counting(1))), exists),
			status + "wake at 2026-01-02T03:04:05Z\n", &two},
		{"the next try has another name", snapshot(newDeployment(3, counting(1))),
			status + "create ReplicaSet default/web-76b9b6d6f\n" + scaled("up", "web-76b9b6d6f from 0 to 3") +
				"wake at 2026-01-02T03:14:05Z\n", &one},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := deployment.Reconcile(row.s)
			if d := cmp.Diff(row.want, got.String()); d != "" {
				t.Errorf("plan (-want +got):\n%s", d)
			}
			if d := cmp.Diff(row.count, deploymentOf(got).Status.CollisionCount); d != "" {
				t.Errorf("collisionCount (-want +got):\n%s", d)
			}
		})
	}
}

func refusedBy(s deployment.Snapshot, r plan.Refusal) deployment.Snapshot {
	s.Refused = &r
	return s
}

func TestDEP074_RefusedReplicaSet(t *testing.T) {
	t.Parallel()
	message := `replicasets.apps "web-665fbc66f5" is forbidden: exceeded quota: q`
	text := `Failed to create new replica set "web-665fbc66f5": ` + message
	for _, row := range []struct {
		name     string
		d        *appsv1.Deployment
		r        plan.Refusal
		want     string
		progress *appsv1.DeploymentCondition
	}{
		{"by quota", settled(image("b")), plan.Refusal{Reason: metav1.StatusReasonForbidden, Message: message},
			status + `event Deployment default/web Warning ReplicaSetCreateError ` +
				`"Failed to create new replica set \"web-665fbc66f5\": replicasets.apps \"web-665fbc66f5\" is forbidden: exceeded quota: q"` + "\n",
			&appsv1.DeploymentCondition{Type: "Progressing", Status: "False", Reason: "ReplicaSetCreateError", Message: text,
				LastUpdateTime: ago(0), LastTransitionTime: ago(0)}},
		{"because the namespace is being terminated", settled(image("b")),
			plan.Refusal{Reason: metav1.StatusReasonForbidden, NamespaceTerminating: true}, "", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := deployment.Reconcile(refusedBy(snapshot(row.d, replicaSet("a", 3, "1")), row.r))
			if d := cmp.Diff(row.want, got.String()); d != "" {
				t.Errorf("plan (-want +got):\n%s", d)
			}
			var progress *appsv1.DeploymentCondition
			if d := deploymentOf(got); d != nil {
				progress = conditionOf(d, "Progressing")
			}
			if d := cmp.Diff(row.progress, progress); d != "" {
				t.Errorf("Progressing (-want +got):\n%s", d)
			}
		})
	}
}
