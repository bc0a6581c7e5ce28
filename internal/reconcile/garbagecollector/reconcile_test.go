package garbagecollector_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/garbagecollector"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

const (
	foreground = metav1.FinalizerDeleteDependents
	orphan     = metav1.FinalizerOrphanDependents
)

// Each row is a world and the plan of a sync of its object "it".
func TestReconcile(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		world world
		want  string
	}{
		{"an object without owners stays", worldOf(configMap("it")), ""},
		{"GC-001 the owner is gone", worldOf(configMap("it", ownedBy("gone"))),
			"delete ConfigMap default/it Background\n"},
		{"GC-003 the owner lives", worldOf(configMap("owner"), configMap("it", ownedBy("owner"))), ""},
		{"GC-003 all owners are gone", worldOf(configMap("it", ownedBy("gone", "lost"))),
			"delete ConfigMap default/it Background\n"},
		{"GC-021 no selector is asked, only the reference", worldOf(configMap("owner"), configMap("it", blocking("owner"))), ""},
		{"one owner is gone, the other lives: the dangling reference is stripped",
			worldOf(configMap("owner"), configMap("it", ownedBy("gone", "owner"))),
			"update ConfigMap default/it\n"},
		{"one owner waits for its dependents, the other lives: the waiting reference is stripped",
			worldOf(configMap("owner"), configMap("w", deleting, finalizers(foreground)), configMap("it", blocking("w", "owner"))),
			"update ConfigMap default/it\n"},
		{"GC-006 the owner waits and nothing is below: it goes at once",
			worldOf(configMap("w", deleting, finalizers(foreground)), configMap("it", blocking("w"))),
			"delete ConfigMap default/it Background\n"},
		{"GC-006 the owner waits and there are dependents: it waits for them in turn",
			worldOf(configMap("w", deleting, finalizers(foreground)), configMap("it", blocking("w")), configMap("x", ownedBy("it"))),
			"delete ConfigMap default/it Foreground\n"},
		{"an owner that is deleted in the background still lives while other finalizers hold it",
			worldOf(configMap("owner", deleting, finalizers("example.com/held")), configMap("it", ownedBy("owner"))), ""},
		{"a circle through the waiting owner is opened first",
			worldOf(configMap("w", deleting, finalizers(foreground), blocking("it")), configMap("it", blocking("w"))),
			"update ConfigMap default/it\nwake at 2026-01-02T03:04:05Z\n"},
		{"an opened circle is deleted",
			worldOf(configMap("w", deleting, finalizers(foreground), blocking("it")), configMap("it", ownedBy("w"))),
			"delete ConfigMap default/it Foreground\n"},
		{"a finalizer orphan that is already there is honoured",
			worldOf(configMap("it", ownedBy("gone"), finalizers(orphan))), "delete ConfigMap default/it Orphan\n"},
		{"a finalizer foregroundDeletion that is already there is honoured",
			worldOf(configMap("it", ownedBy("gone"), finalizers(foreground))), "delete ConfigMap default/it Foreground\n"},
		{"GC-020 an object that others hold by a finalizer is deleted once",
			worldOf(configMap("it", ownedBy("gone"), deleting, finalizers("example.com/held"))), ""},
		{"GC-007 foreground: dependents are deleted, blocking ones hold the owner",
			worldOf(configMap("it", deleting, finalizers(foreground)), configMap("a", blocking("it")), configMap("b", ownedBy("it"))),
			"delete ConfigMap default/a Background\ndelete ConfigMap default/b Background\n"},
		{"GC-007 foreground: nobody blocks",
			worldOf(configMap("it", deleting, finalizers(foreground)), configMap("b", ownedBy("it"))),
			"update ConfigMap default/it\ndelete ConfigMap default/b Background\n"},
		{"GC-007 foreground: a blocking dependent that its finalizer keeps is waited for",
			worldOf(configMap("it", deleting, finalizers(foreground)), configMap("a", blocking("it"), deleting, finalizers("example.com/held"))), ""},
		{"GC-007 foreground: a dependent that does not block is not waited for",
			worldOf(configMap("it", deleting, finalizers(foreground)), configMap("a", ownedBy("it"), deleting, finalizers("example.com/held"))),
			"update ConfigMap default/it\n"},
		{"GC-015 foreground: no dependent is left", worldOf(configMap("it", deleting, finalizers(foreground))),
			"update ConfigMap default/it\n"},
		{"GC-019 foreground: a dependent with dependents goes in the foreground too",
			worldOf(configMap("it", deleting, finalizers(foreground)), configMap("a", blocking("it")), configMap("x", blocking("a"))),
			"delete ConfigMap default/a Foreground\n"},
		{"foreground: a dependent with another owner that lives is given up",
			worldOf(configMap("it", deleting, finalizers(foreground)), configMap("o"), configMap("a", blocking("it", "o"))),
			"update ConfigMap default/a\n"},
		{"foreground: a dependent whose other owner is gone goes",
			worldOf(configMap("it", deleting, finalizers(foreground)), configMap("a", blocking("it", "gone"))),
			"delete ConfigMap default/a Background\n"},
		{"foreground: a circle is opened first",
			worldOf(configMap("it", deleting, finalizers(foreground), blocking("a")), configMap("a", blocking("it"))),
			"update ConfigMap default/a\nwake at 2026-01-02T03:04:05Z\n"},
		{"GC-009 orphan: dependents lose the reference",
			worldOf(configMap("it", deleting, finalizers(orphan)), configMap("a", blocking("it")), configMap("b", ownedBy("it"))),
			"update ConfigMap default/a\nupdate ConfigMap default/b\nwake at 2026-01-02T03:04:05Z\n"},
		{"GC-016 orphan: no dependent is left", worldOf(configMap("it", deleting, finalizers(orphan))),
			"update ConfigMap default/it\n"},
		{"an object that is deleted in the background has nothing to say about its dependents",
			worldOf(configMap("it", deleting, finalizers("example.com/held")), configMap("a", ownedBy("it"))), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := laws.Check(t, garbagecollector.Reconcile, tt.world.snapshot("it"))
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGC009_OrphanedDependentsKeepTheirOtherOwners(t *testing.T) {
	t.Parallel()
	w := worldOf(configMap("it", deleting, finalizers(orphan)), configMap("o"), configMap("a", blocking("it", "o")))
	got := garbagecollector.Reconcile(w.snapshot("it"))
	want := plan.Plan{Updates: []plan.Update{{Object: configMap("a", blocking("o"))}}, WakeAt: now}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

func TestGC020_OtherFinalizersStay(t *testing.T) {
	t.Parallel()
	w := worldOf(configMap("it", deleting, finalizers("example.com/held", foreground)))
	got := garbagecollector.Reconcile(w.snapshot("it"))
	want := plan.Plan{Updates: []plan.Update{{Object: configMap("it", deleting, finalizers("example.com/held"))}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

func TestOpeningACircleKeepsTheOwners(t *testing.T) {
	t.Parallel()
	w := worldOf(
		configMap("w", deleting, finalizers(foreground), blocking("it")),
		configMap("it", blocking("w"), ownedBy("gone")),
	)
	got := garbagecollector.Reconcile(w.snapshot("it"))
	want := plan.Plan{Updates: []plan.Update{{Object: configMap("it", ownedBy("w", "gone"))}}, WakeAt: now}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

func TestOwnersThatNoLookupFinds(t *testing.T) {
	t.Parallel()
	clusterRole := &rbacv1.ClusterRole{ObjectMeta: configMap("it", ownedBy("owner")).ObjectMeta}
	clusterRole.Namespace = ""
	tests := []struct {
		name string
		s    garbagecollector.Snapshot
		want string
	}{
		{"the owner's kind is not served",
			garbagecollector.Snapshot{Object: configMap("it", ownedBy("owner")), Owners: []garbagecollector.Owner{{Unknown: true}}},
			""},
		{"one kind is not served, the other owner is gone",
			garbagecollector.Snapshot{Object: configMap("it", ownedBy("gone", "owner")),
				Owners: []garbagecollector.Owner{{Namespaced: true}, {Unknown: true}}},
			""},
		{"another object has taken the owner's name",
			garbagecollector.Snapshot{Object: configMap("it", ownedBy("owner")),
				Owners: []garbagecollector.Owner{{Namespaced: true, Found: true, UID: "another"}}},
			"delete ConfigMap default/it Background\n"},
		{"the owner lives in another namespace",
			garbagecollector.Snapshot{Object: configMap("it", ownedBy("owner")),
				Owners: []garbagecollector.Owner{{Namespaced: true, ElsewhereInNamespace: "prod"}}},
			"delete ConfigMap default/it Background\n" +
				`event ConfigMap default/it Warning OwnerRefInvalidNamespace "ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: owner] does not exist in namespace \"default\""` + "\n"},
		{"a cluster-scoped object names a namespaced owner that lives",
			garbagecollector.Snapshot{Object: clusterRole,
				Owners: []garbagecollector.Owner{{Namespaced: true, ElsewhereInNamespace: "prod"}}},
			`event ClusterRole it Warning OwnerRefInvalidNamespace "ownerRef [v1/ConfigMap, namespace: , name: owner, uid: owner] does not exist in namespace \"\""` + "\n"},
		{"a cluster-scoped object names a namespaced owner that is gone",
			garbagecollector.Snapshot{Object: clusterRole, Owners: []garbagecollector.Owner{{Namespaced: true}}}, ""},
		{"a namespaced owner leaves a cluster-scoped dependent alone",
			garbagecollector.Snapshot{Object: configMap("owner", deleting, finalizers(foreground)),
				Dependents: []garbagecollector.Dependent{{Object: clusterRole, Owners: []garbagecollector.Owner{{Namespaced: true}}}}},
			"update ConfigMap default/owner\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, laws.Check(t, garbagecollector.Reconcile, tt.s).String()); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBurst(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		finalizer                string
		wantUpdates, wantDeletes int
	}{
		{finalizer: orphan, wantUpdates: garbagecollector.Burst},
		{finalizer: foreground, wantDeletes: garbagecollector.Burst},
	} {
		t.Run(tt.finalizer, func(t *testing.T) {
			t.Parallel()
			w := worldOf(configMap("it", deleting, finalizers(tt.finalizer)))
			for i := range garbagecollector.Burst + 1 {
				d := configMap(fmt.Sprintf("d%04d", i), blocking("it"))
				w[d.Name] = d
			}
			p := garbagecollector.Reconcile(w.snapshot("it"))
			if len(p.Updates) != tt.wantUpdates || len(p.Deletes) != tt.wantDeletes || !p.WakeAt.Equal(now) {
				t.Errorf("%d updates, %d deletes, wake at %v; want %d, %d, %v",
					len(p.Updates), len(p.Deletes), p.WakeAt, tt.wantUpdates, tt.wantDeletes, now)
			}
			if w.settle(10) < 0 {
				t.Error("the world does not settle")
			}
		})
	}
}

// TestGC007_DependentsThatAreNotShownHoldTheOwner: the dependents of an owner with very many are
// shown in batches.
func TestGC007_DependentsThatAreNotShownHoldTheOwner(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: "owner", UID: "1", DeletionTimestamp: &metav1.Time{Time: now}, Finalizers: []string{metav1.FinalizerDeleteDependents},
	}}
	s := garbagecollector.Snapshot{Object: owner, More: true, Now: now}
	if got, want := garbagecollector.Reconcile(s).String(), "wake at 2026-01-01T00:00:00Z\n"; got != want {
		t.Errorf("none shown, as this turn is full: got %q, want %q", got, want)
	}
	stays := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "stays", UID: "3", OwnerReferences: []metav1.OwnerReference{
		{APIVersion: "x.io/v1", Kind: "Unknown", Name: "owner", UID: "1"},
	}}}
	s.Dependents = []garbagecollector.Dependent{{Object: stays, Owners: []garbagecollector.Owner{{Unknown: true}}}}
	if got, want := garbagecollector.Reconcile(s).String(), "wake at 2026-01-01T00:00:01Z\n"; got != want {
		t.Errorf("nothing to be done about those shown: got %q, want %q", got, want)
	}
	dependent := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "dependent", UID: "2", OwnerReferences: []metav1.OwnerReference{
		{APIVersion: "v1", Kind: "ConfigMap", Name: "owner", UID: "1"},
	}}}
	s.Dependents = []garbagecollector.Dependent{{Object: dependent, Owners: []garbagecollector.Owner{
		{Namespaced: true, Found: true, UID: "1", DeletingDependents: true},
	}}}
	want := "delete ConfigMap default/dependent Background\nwake at 2026-01-01T00:00:00Z\n"
	if got := garbagecollector.Reconcile(s).String(); got != want {
		t.Errorf("one to be deleted: got %q, want %q", got, want)
	}
}
