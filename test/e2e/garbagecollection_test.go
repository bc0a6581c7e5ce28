package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const held = `finalizers: ["example.com/held"]`

// configMap returns the manifest of a ConfigMap, with additional metadata.
func configMap(name, metadata string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n  " + metadata + "\n"
}

// owned returns a ConfigMap's metadata that names another as its owner.
func owned(owner corev1.ConfigMap, block bool) string {
	return fmt.Sprintf("ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: %s, uid: %s, blockOwnerDeletion: %t}]", owner.Name, owner.UID, block)
}

// propagate returns the body of a deletion with this policy, byte for byte as in the documentation
// (GC-017).
func propagate(policy metav1.DeletionPropagation) string {
	return `{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"` + string(policy) + `"}`
}

// owner creates a ConfigMap that others may name as their owner.
func owner(f *front, ns, metadata string) corev1.ConfigMap {
	f.Helper()
	f.must(f.create(ns, configMap("owner", metadata)))
	return get[corev1.ConfigMap](f, configMaps, ns, "owner")
}

// isGone waits until a ConfigMap does not exist any more.
func isGone(f *front, ns, name string) {
	f.Helper()
	await(f, configMaps, ns, func(all []corev1.ConfigMap) bool {
		for i := range all {
			if all[i].Name == name {
				return false
			}
		}
		return true
	})
}

func TestGarbageCollection(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		f.run("GC-001 GC-003 an owner that is missing", func(f *front) {
			ns := f.namespace("gc-001")
			missing := corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "missing", UID: "11111111-2222-3333-4444-555555555555"}}
			f.must(f.create(ns, configMap("dependent", owned(missing, false))))
			isGone(f, ns, "dependent")
		})
		f.run("GC-005 there are three policies", func(f *front) {
			ns := f.namespace("gc-005")
			owner(f, ns, "")
			want := invalid(`DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"`)
			if diff := cmp.Diff(want, f.remove(configMaps, ns, "owner", propagate("Sideways"))); diff != "" {
				f.Errorf("(-want +got):\n%s", diff)
			}
			want = invalid(`DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set`)
			if diff := cmp.Diff(want, f.remove(configMaps, ns, "owner", `{"propagationPolicy":"Orphan","orphanDependents":true}`)); diff != "" {
				f.Errorf("(-want +got):\n%s", diff)
			}
		})
		f.run("GC-006 GC-007 GC-010 in the foreground the owner waits for those that block", func(f *front) { foreground(f, f.namespace("gc-006")) })
		f.run("GC-008 in the background it goes first", func(f *front) {
			ns := f.namespace("gc-008")
			o := owner(f, ns, "")
			f.must(f.create(ns, configMap("dependent", owned(o, true)+"\n  "+held)))
			f.must(f.remove(configMaps, ns, "owner", propagate(metav1.DeletePropagationBackground)))
			if _, ok := read[corev1.ConfigMap](f, configMaps, ns, "owner"); ok {
				f.Error("the owner is still there")
			}
			awaitOne(f, configMaps, ns, "dependent", func(c *corev1.ConfigMap) bool { return c.DeletionTimestamp != nil })
			f.must(f.patch(configMaps, ns, "dependent", `{"metadata":{"finalizers":null}}`))
			isGone(f, ns, "dependent")
		})
		f.run("GC-009 orphans stay without their owner", func(f *front) {
			ns := f.namespace("gc-009")
			o := owner(f, ns, "")
			f.must(f.create(ns, configMap("dependent", owned(o, true))))
			f.must(f.remove(configMaps, ns, "owner", propagate(metav1.DeletePropagationOrphan)))
			isGone(f, ns, "owner")
			if c := get[corev1.ConfigMap](f, configMaps, ns, "dependent"); c.OwnerReferences != nil || c.DeletionTimestamp != nil {
				f.Errorf("got %+v", c.ObjectMeta)
			}
		})
		f.run("GC-011 GC-019 DEP-092 without options all go, down to the Pods", func(f *front) {
			ns := f.namespace("gc-019")
			f.must(f.create(ns, deployment("web", 2, "terminationGracePeriodSeconds: 1")))
			awaitComplete(f, ns, "web", 2)
			f.must(f.remove(deployments, ns, "web", ""))
			if _, ok := read[appsv1.Deployment](f, deployments, ns, "web"); ok {
				f.Error("the Deployment is still there")
			}
			await(f, replicaSets, ns, func(all []appsv1.ReplicaSet) bool { return len(all) == 0 })
			await(f, pods, ns, allReady(0))
		})
		f.run("GC-020 a finalizer keeps an object", func(f *front) { finalizerKeeps(f, f.namespace("gc-020")) })
		f.run("GC-021 labels do not matter to the collector", func(f *front) { releasedPodStays(f, f.namespace("gc-021")) })
	})
}

func foreground(f *front, ns string) {
	o := owner(f, ns, "")
	for name, block := range map[string]bool{"blocks": true, "does-not": false} {
		if a := f.create(ns, configMap(name, owned(o, block)+"\n  "+held)); a.Code != http.StatusCreated { // GC-010: this needs no permission
			f.Fatalf("got %+v", a)
		}
	}
	f.must(f.remove(configMaps, ns, "owner", propagate(metav1.DeletePropagationForeground)))
	ending := get[corev1.ConfigMap](f, configMaps, ns, "owner")
	if diff := cmp.Diff([]string{metav1.FinalizerDeleteDependents}, ending.Finalizers); diff != "" || ending.DeletionTimestamp == nil {
		f.Errorf("the owner ends at %v (-want +got finalizers):\n%s", ending.DeletionTimestamp, diff)
	}
	for _, name := range []string{"blocks", "does-not"} {
		awaitOne(f, configMaps, ns, name, func(c *corev1.ConfigMap) bool { return c.DeletionTimestamp != nil })
	}
	if _, ok := read[corev1.ConfigMap](f, configMaps, ns, "owner"); !ok {
		f.Error("the owner did not wait")
	}
	f.must(f.patch(configMaps, ns, "blocks", `{"metadata":{"finalizers":null}}`))
	isGone(f, ns, "owner")
	if _, ok := read[corev1.ConfigMap](f, configMaps, ns, "does-not"); !ok {
		f.Error("the one that does not block is gone, though it is held")
	}
}

func finalizerKeeps(f *front, ns string) {
	owner(f, ns, held)
	f.must(f.remove(configMaps, ns, "owner", ""))
	c := get[corev1.ConfigMap](f, configMaps, ns, "owner")
	if c.DeletionTimestamp == nil {
		f.Error("it was not told to end")
	}
	want := invalid(`ConfigMap "owner" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/more"}`)
	if diff := cmp.Diff(want, f.patch(configMaps, ns, "owner", `{"metadata":{"finalizers":["example.com/held","example.com/more"]}}`)); diff != "" {
		f.Errorf("(-want +got):\n%s", diff)
	}
	f.must(f.patch(configMaps, ns, "owner", `{"metadata":{"finalizers":null}}`))
	if _, ok := read[corev1.ConfigMap](f, configMaps, ns, "owner"); ok {
		f.Error("it stays, though nothing holds it")
	}
}

func releasedPodStays(f *front, ns string) {
	f.must(f.create(ns, replicaSet("web", 1, "")))
	p := await(f, pods, ns, allReady(1))[0]
	f.must(f.patch(pods, ns, p.Name, `{"metadata":{"labels":{"app":"other"}}}`))
	released := func(all []corev1.Pod) bool {
		return slices.ContainsFunc(all, func(left corev1.Pod) bool { return left.Name == p.Name && left.OwnerReferences == nil })
	}
	await(f, pods, ns, func(all []corev1.Pod) bool { return allReady(2)(all) && released(all) })
	f.must(f.remove(replicaSets, ns, "web", propagate(metav1.DeletePropagationForeground)))
	await(f, replicaSets, ns, func(all []appsv1.ReplicaSet) bool { return len(all) == 0 })
	if left, ok := read[corev1.Pod](f, pods, ns, p.Name); !ok || left.DeletionTimestamp != nil {
		f.Error("the released Pod went with its former owner")
	}
}
