package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

const (
	deletionCost = "controller.kubernetes.io/pod-deletion-cost"
	// refusedPods causes every Pod of a template to be refused, though the template is not.
	refusedPods = "priority: 1000"
)

func TestReplicaSet(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		f.run("RS-004 RS-006 defaults", func(f *front) {
			ns := f.namespace("rs-004")
			f.must(f.create(ns, strings.Replace(replicaSet("web", 0, ""), "replicas: 0", "", 1)))
			rs := get[appsv1.ReplicaSet](f, replicaSets, ns, "web")
			if *rs.Spec.Replicas != 1 || rs.Spec.Template.Spec.RestartPolicy != corev1.RestartPolicyAlways {
				f.Errorf("got %d replicas, restartPolicy %q", *rs.Spec.Replicas, rs.Spec.Template.Spec.RestartPolicy)
			}
		})
		f.run("RS-017 RS-018 GC-011 without options the Pods go too", func(f *front) {
			ns := f.namespace("rs-017")
			f.must(f.create(ns, replicaSet("web", 3, "terminationGracePeriodSeconds: 1")))
			await(f, pods, ns, allReady(3))
			f.must(f.remove(replicaSets, ns, "web", ""))
			if _, ok := read[appsv1.ReplicaSet](f, replicaSets, ns, "web"); ok {
				f.Error("the ReplicaSet is still there")
			}
			await(f, pods, ns, allReady(0))
		})
		f.run("RS-030 a container that ends is not replaced by a Pod", func(f *front) {
			ns := f.namespace("rs-030")
			f.must(f.create(ns, strings.Replace(replicaSet("web", 1, ""), `image: "nginx:1.14.2"`, `image: busybox, command: [sh, -c, "sleep 1; exit 1"]`, 1)))
			await(f, pods, ns, func(all []corev1.Pod) bool {
				return len(all) == 1 && len(all[0].Status.ContainerStatuses) == 1 && all[0].Status.ContainerStatuses[0].RestartCount > 0
			})
			if made := came(f, pods, ns, "1"); len(made) != 1 {
				f.Errorf("%v were created", made)
			}
		})
		f.run("RSC-001 RSC-002 POD-009 a Pod that ends no longer counts", func(f *front) { terminatingPodsDoNotCount(f, f.namespace("rsc-002")) })
		f.run("RSC-003 RS-009 Pods of another namespace are not adopted", func(f *front) {
			ns, other := f.namespace("rsc-003"), f.namespace("rsc-003-other")
			bare := strings.Replace(pod("p", sleeps, ""), "{name: p}", "{name: p, labels: {app: web}}", 1)
			f.must(f.create(other, bare))
			f.must(f.create(ns, bare))
			f.must(f.create(ns, replicaSet("web", 2, "")))
			set := get[appsv1.ReplicaSet](f, replicaSets, ns, "web")
			await(f, pods, ns, func(all []corev1.Pod) bool {
				return allReady(2)(all) && ownedBy(all[0], set.UID) && ownedBy(all[1], set.UID) && all[0].Name == "p"
			})
			if foreign := get[corev1.Pod](f, pods, other, "p"); foreign.OwnerReferences != nil {
				f.Errorf("the other belongs to %v", foreign.OwnerReferences)
			}
		})
		f.run("RSC-006 a Pod changes its controller", func(f *front) { podChangesController(f, f.namespace("rsc-006")) })
		f.run("RSC-007 no Pods for one that ends", func(f *front) {
			ns := f.namespace("rsc-007")
			f.must(f.create(ns, strings.Replace(replicaSet("web", 3, "terminationGracePeriodSeconds: 1"), `image: "nginx:1.14.2"`, "image: busybox"+sleeps, 1)))
			since := await(f, pods, ns, allReady(3))[0].ResourceVersion
			f.must(f.remove(replicaSets, ns, "web", propagate(metav1.DeletePropagationForeground)))
			await(f, replicaSets, ns, func(all []appsv1.ReplicaSet) bool { return len(all) == 0 })
			if made := came(f, pods, ns, since); made != nil {
				f.Errorf("%v were created", made)
			}
		})
		f.run("RSC-008 RSC-035 Pods are refused, and then not", func(f *front) { refusedPodsComeLater(f, f.namespace("rsc-008")) })
		f.run("RSC-019 RSC-029 RSC-032 the least cost goes first", func(f *front) { leastCostGoesFirst(f, f.namespace("rsc-019")) })
		f.run("RSC-030 RSC-031 costs are judged", func(f *front) { costsAreJudged(f, f.namespace("rsc-030")) })
		f.run("RSC-033 not one Pod too many", func(f *front) { notOneTooMany(f, f.namespace("rsc-033")) })
		f.run("RSC-036 RSC-038 deletions by hand and scaling", func(f *front) { deletionsWhileScaling(f, f.namespace("rsc-038")) })
		f.run("RSC-039 availability comes with time", func(f *front) {
			ns := f.namespace("rsc-039")
			f.must(f.create(ns, strings.Replace(replicaSet("web", 2, ""), "replicas: 2", "replicas: 2\n  minReadySeconds: 2", 1)))
			awaitOne(f, replicaSets, ns, "web", func(rs *appsv1.ReplicaSet) bool { return rs.Status.AvailableReplicas == 2 })
			seen := time.Now()
			for _, p := range await(f, pods, ns, allReady(2)) {
				for _, c := range p.Status.Conditions {
					if c.Type == corev1.PodReady && seen.Sub(c.LastTransitionTime.Time) < 2*time.Second {
						f.Errorf("available at %v, with a Pod that is ready since %v", seen, c.LastTransitionTime)
					}
				}
			}
		})
		f.run("CLI-039 client-go and curl are alike", func(f *front) { clientsAreAlike(f, f.namespace("cli-039")) })
	})
}

func terminatingPodsDoNotCount(f *front, ns string) {
	f.must(f.create(ns, strings.Replace(replicaSet("web", 1, ""), `image: "nginx:1.14.2"`, "image: busybox"+sleeps, 1)))
	first := await(f, pods, ns, allReady(1))[0]
	f.must(f.remove(pods, ns, first.Name, ""))
	both := await(f, pods, ns, func(all []corev1.Pod) bool { return len(all) == 2 && slices.ContainsFunc(all, ready) })
	if ending := slices.DeleteFunc(both, ready); len(ending) != 1 || ending[0].Name != first.Name {
		f.Errorf("%v end", names(ending))
	}
	for _, c := range history[appsv1.ReplicaSet](f, replicaSets, ns, first.ResourceVersion) {
		if c.object.Status.Replicas > 1 {
			f.Errorf("%d replicas are counted", c.object.Status.Replicas)
		}
	}
}

func podChangesController(f *front, ns string) {
	f.must(f.create(ns, replicaSet("a", 2, "")))
	f.must(f.create(ns, replicaSet("b", 1, "")))
	of := func(all []corev1.Pod, app string) (found []corev1.Pod) {
		for _, p := range all {
			if p.Labels["app"] == app && ready(p) {
				found = append(found, p)
			}
		}
		return found
	}
	a, b := get[appsv1.ReplicaSet](f, replicaSets, ns, "a").UID, get[appsv1.ReplicaSet](f, replicaSets, ns, "b").UID
	moved := of(await(f, pods, ns, allReady(3)), "a")[0]
	f.must(f.patch(pods, ns, moved.Name, fmt.Sprintf(`{"metadata":{"labels":{"app":"b"},"ownerReferences":[
		{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"b","uid":%q,"controller":true,"blockOwnerDeletion":true}]}}`, b)))
	settled := await(f, pods, ns, func(all []corev1.Pod) bool {
		return len(of(all, "a")) == 2 && len(of(all, "b")) == 1 && !slices.Contains(names(of(all, "a")), moved.Name)
	})
	for _, p := range of(settled, "a") {
		if !ownedBy(p, a) {
			f.Errorf("%s belongs to %v", p.Name, p.OwnerReferences)
		}
	}
	for _, p := range of(settled, "b") {
		if !ownedBy(p, b) {
			f.Errorf("%s belongs to %v", p.Name, p.OwnerReferences)
		}
	}
}

func refusedPodsComeLater(f *front, ns string) {
	f.must(f.create(ns, replicaSet("web", 3, refusedPods)))
	failing := awaitOne(f, replicaSets, ns, "web", func(rs *appsv1.ReplicaSet) bool { return len(rs.Status.Conditions) > 0 })
	c := failing.Status.Conditions[0]
	if c.Type != appsv1.ReplicaSetReplicaFailure || c.Status != corev1.ConditionTrue || c.Reason != "FailedCreate" || !strings.Contains(c.Message, "the integer value of priority (1000)") {
		f.Errorf("got %+v", c)
	}
	await(f, events, ns, func(all []corev1.Event) bool {
		return slices.ContainsFunc(all, func(e corev1.Event) bool {
			return e.Reason == "FailedCreate" && e.Type == corev1.EventTypeWarning && e.Source.Component == "replicaset-controller" && strings.HasPrefix(e.Message, "Error creating: ")
		})
	})
	f.must(f.patch(replicaSets, ns, "web", `{"spec":{"template":{"spec":{"priority":null}}}}`))
	await(f, pods, ns, allReady(3))
	awaitOne(f, replicaSets, ns, "web", func(rs *appsv1.ReplicaSet) bool {
		return len(rs.Status.Conditions) == 0 && rs.Status.ReadyReplicas == 3
	})
}

func leastCostGoesFirst(f *front, ns string) {
	f.must(f.create(ns, replicaSet("web", 3, "")))
	all := await(f, pods, ns, allReady(3))
	f.must(f.patch(pods, ns, all[0].Name, `{"metadata":{"annotations":{"`+deletionCost+`":"10"}}}`))
	f.must(f.patch(pods, ns, all[2].Name, `{"metadata":{"annotations":{"`+deletionCost+`":"-5"}}}`))
	for i, left := range [][]string{{all[0].Name, all[1].Name}, {all[0].Name}} {
		f.must(f.patch(replicaSets, ns, "web", fmt.Sprintf(`{"spec":{"replicas":%d}}`, len(left))))
		if got := names(await(f, pods, ns, allReady(2-i))); !slices.Equal(got, left) {
			f.Errorf("%v are left; want %v", got, left)
		}
	}
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodSpecificAnnotations
func costsAreJudged(f *front, ns string) {
	refused := func(object, field, cost string) answer {
		return invalid(fmt.Sprintf(`%s is invalid: %s[%s]: Invalid value: %q: must be a 32bit integer`, object, field, deletionCost, cost))
	}
	annotated := func(cost string) string {
		return `{"metadata":{"annotations":{"` + deletionCost + `":"` + cost + `"}}}`
	}
	f.must(f.create(ns, pod("p", "", "")))
	f.must(f.create(ns, replicaSet("web", 0, "")))
	for i, row := range []struct {
		cost  string
		valid bool
	}{
		{"-2147483648", true}, {"2147483647", true}, {"0", true}, {"-1", true},
		{"2147483648", false}, {"-2147483649", false}, {"abc", false}, {"007", false}, {"+1", false}, {"1.5", false}, {"", false},
	} {
		name := fmt.Sprintf("p%d", i)
		made := f.create(ns, strings.Replace(pod(name, "", ""), "{name: "+name+"}", fmt.Sprintf(`{name: %s, annotations: {%s: "%s"}}`, name, deletionCost, row.cost), 1))
		changed := f.patch(pods, ns, "p", annotated(row.cost))
		template := f.patch(replicaSets, ns, "web", `{"spec":{"template":`+annotated(row.cost)+`}}`)
		want := []answer{{Code: http.StatusCreated}, {Code: http.StatusOK}, {Code: http.StatusOK}}
		if !row.valid {
			want = []answer{
				refused(`Pod "`+name+`"`, "metadata.annotations", row.cost), refused(`Pod "p"`, "metadata.annotations", row.cost),
				refused(`ReplicaSet.apps "web"`, "spec.template.annotations", row.cost),
			}
		}
		if diff := cmp.Diff(want, []answer{made, changed, template}); diff != "" {
			f.Errorf("a cost of %q, at creation, update and in a template (-want +got):\n%s", row.cost, diff)
		}
	}
}

func notOneTooMany(f *front, ns string) {
	f.must(f.create(ns, replicaSet("web", 50, "")))
	for i := range 10 {
		f.must(f.patch(replicaSets, ns, "web", fmt.Sprintf(`{"metadata":{"annotations":{"touched":"%d"}}}`, i)))
	}
	await(f, pods, ns, allReady(50))
	if made := came(f, pods, ns, "1"); len(made) != 50 {
		f.Errorf("%d Pods were created", len(made))
	}
}

func deletionsWhileScaling(f *front, ns string) {
	f.must(f.create(ns, replicaSet("web", 8, "terminationGracePeriodSeconds: 1")))
	for i, p := range await(f, pods, ns, allReady(8)) {
		f.must(f.patch(replicaSets, ns, "web", fmt.Sprintf(`{"spec":{"replicas":%d}}`, []int{3, 12, 5, 9}[i%4])))
		if a := f.remove(pods, ns, p.Name, ""); a.Code != http.StatusNotFound {
			f.must(a)
		}
	}
	f.must(f.patch(replicaSets, ns, "web", `{"spec":{"replicas":6}}`))
	awaitOne(f, replicaSets, ns, "web", func(rs *appsv1.ReplicaSet) bool {
		return rs.Status.ReadyReplicas == 6 && rs.Status.Replicas == 6 && rs.Status.ObservedGeneration == rs.Generation
	})
	await(f, pods, ns, allReady(6))
	// Each Pod is terminated once: its grace period is set, and never again.
	told := map[string]int{}
	for _, c := range history[corev1.Pod](f, pods, ns, "1") {
		if p := c.object; c.kind == watch.Modified && p.DeletionTimestamp != nil && told[p.Name] != int(p.Generation) {
			if told[p.Name] != 0 {
				f.Errorf("%s was deleted again", p.Name)
			}
			told[p.Name] = int(p.Generation)
		}
	}
}

// clientsAreAlike deletes a ReplicaSet in each of the three ways with client-go, and another with a
// request of its own.
func clientsAreAlike(f *front, ns string) {
	policies := []metav1.DeletionPropagation{metav1.DeletePropagationBackground, metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan}
	client := f.AppsV1().ReplicaSets(ns)
	for _, policy := range policies {
		name := strings.ToLower(string(policy))
		for _, by := range []string{"client", "curl"} {
			f.must(f.create(ns, replicaSet(name+"-"+by, 1, "terminationGracePeriodSeconds: 1")))
		}
	}
	await(f, pods, ns, allReady(6))
	for _, policy := range policies {
		name := strings.ToLower(string(policy))
		if err := client.Delete(f.Context(), name+"-client", metav1.DeleteOptions{PropagationPolicy: &policy}); err != nil {
			f.Error(err)
		}
		f.must(f.remove(replicaSets, ns, name+"-curl", `{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"`+string(policy)+`"}`))
	}
	await(f, replicaSets, ns, func(all []appsv1.ReplicaSet) bool { return len(all) == 0 })
	left := await(f, pods, ns, allReady(2))
	var apps []string
	for _, p := range left {
		apps = append(apps, p.Labels["app"])
	}
	slices.Sort(apps)
	if diff := cmp.Diff([]string{"orphan-client", "orphan-curl"}, apps); diff != "" {
		f.Errorf("other Pods stay (-want +got):\n%s", diff)
	}
	if left[0].OwnerReferences != nil || left[1].OwnerReferences != nil {
		f.Errorf("the orphans have the owners %v and %v", left[0].OwnerReferences, left[1].OwnerReferences)
	}
}
