package e2e_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// pod returns the manifest of a bare Pod with one container; both can be extended.
func pod(name, container, spec string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec:\n  containers: [{name: c, image: busybox" + container + "}]\n  " + spec + "\n"
}

const (
	sleeps = `, command: [sleep, "3600"]` // does not react to TERM
	fails  = `, command: ["false"]`
	force  = `{"gracePeriodSeconds":0}`
)

func TestPod(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		f.run("POD-001 POD-020 a Pod can be created without a controller", func(f *front) {
			ns := f.namespace("pod-001")
			if a := f.create(ns, pod("p", "", "")); a.Code != http.StatusCreated {
				f.Fatalf("got %+v", a)
			}
			p := get[corev1.Pod](f, pods, ns, "p")
			if p.OwnerReferences != nil || p.Spec.RestartPolicy != corev1.RestartPolicyAlways {
				f.Errorf("got owners %v, restartPolicy %q", p.OwnerReferences, p.Spec.RestartPolicy)
			}
		})
		f.run("POD-002 POD-014 a forced deletion frees the name at once, for another uid", func(f *front) {
			ns := f.namespace("pod-014")
			f.must(f.create(ns, pod("p", sleeps, "")))
			await(f, pods, ns, allReady(1))
			first := get[corev1.Pod](f, pods, ns, "p").UID
			f.must(f.remove(pods, ns, "p", force))
			if _, ok := read[corev1.Pod](f, pods, ns, "p"); ok {
				f.Error("the Pod is still there")
			}
			f.must(f.create(ns, pod("p", sleeps, "")))
			if second := get[corev1.Pod](f, pods, ns, "p").UID; second == first || second == "" {
				f.Errorf("uid %q came after %q", second, first)
			}
		})
		f.run("POD-003 a Pod never moves", func(f *front) { podStays(f, f.namespace("pod-003")) })
		f.run("POD-005 POD-012 a bare Pod is not replaced", func(f *front) {
			ns := f.namespace("pod-005")
			f.must(f.create(ns, pod("p", sleeps, "terminationGracePeriodSeconds: 1")))
			since := await(f, pods, ns, allReady(1))[0].ResourceVersion
			f.must(f.remove(pods, ns, "p", ""))
			await(f, pods, ns, allReady(0))
			if added := came(f, pods, ns, since); added != nil {
				f.Errorf("%v came", added)
			}
		})
		f.run("POD-006 POD-007 a deletion waits for thirty seconds", func(f *front) {
			ns := f.namespace("pod-006")
			f.must(f.create(ns, pod("p", sleeps, "")))
			await(f, pods, ns, allReady(1))
			f.must(f.remove(pods, ns, "p", ""))
			if p := get[corev1.Pod](f, pods, ns, "p"); p.DeletionTimestamp == nil || *p.DeletionGracePeriodSeconds != 30 {
				f.Errorf("got %v, %v", p.DeletionTimestamp, p.DeletionGracePeriodSeconds)
			}
		})
		f.run("POD-016 each Pod has an address of its own", func(f *front) {
			ns := f.namespace("pod-016")
			f.must(f.create(ns, replicaSet("web", 6, "")))
			addresses := map[string]bool{}
			for _, p := range await(f, pods, ns, allReady(6)) {
				if addresses[p.Status.PodIP] = true; len(p.Status.PodIPs) != 1 || p.Status.PodIPs[0].IP != p.Status.PodIP {
					f.Errorf("%s has %q and %v", p.Name, p.Status.PodIP, p.Status.PodIPs)
				}
			}
			if len(addresses) != 6 || addresses[""] {
				f.Errorf("six Pods have the addresses %v", addresses)
			}
		})
		f.run("POD-019 privileged is kept", func(f *front) {
			ns := f.namespace("pod-019")
			f.must(f.create(ns, pod("p", ", securityContext: {privileged: true}", "")))
			if s := get[corev1.Pod](f, pods, ns, "p").Spec.Containers[0].SecurityContext; s == nil || s.Privileged == nil || !*s.Privileged {
				f.Errorf("got %v", s)
			}
		})
		f.run("POD-021 POD-022 containers fail", func(f *front) { podFails(f, f.namespace("pod-021")) })
		f.run("POD-023 little of a Pod may change", func(f *front) { podChanges(f, f.namespace("pod-023")) })
		f.run("POD-025 a Pod waits for room", func(f *front) { podWaits(f, f.namespace("pod-025")) })
		f.run("POD-026 a deadline ends a Pod", func(f *front) { podExpires(f, f.namespace("pod-026")) })
	})
}

func podStays(f *front, ns string) {
	f.must(f.create(ns, pod("p", sleeps, "")))
	node := await(f, pods, ns, allReady(1))[0].Spec.NodeName
	other := "node-1"
	if node == other {
		other = "node-2"
	}
	a := f.patch(pods, ns, "p", `{"spec":{"nodeName":"`+other+`"}}`)
	const fields = "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
		"`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` " +
		"(allow it to be set to 1 if it was previously negative)"
	if want := `Pod "p" is invalid: ` + fields; a.Code != http.StatusUnprocessableEntity || !strings.HasPrefix(a.Message, want) {
		f.Errorf("got %+v", a)
	}
	binding := "apiVersion: v1\nkind: Binding\nmetadata: {name: p}\ntarget: {kind: Node, name: " + other + "}"
	got := judged(f.send(http.MethodPost, listPath(pods, ns)+"/p/binding", "application/yaml", binding))
	want := answer{http.StatusConflict, "Conflict", `Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "` + node + `"`}
	if diff := cmp.Diff(want, got); diff != "" {
		f.Errorf("(-want +got):\n%s", diff)
	}
}

func podFails(f *front, ns string) {
	f.must(f.create(ns, pod("again", fails, "restartPolicy: OnFailure")))
	f.must(f.create(ns, pod("once", fails, "restartPolicy: Never")))
	before := get[corev1.Pod](f, pods, ns, "again").UID
	again := awaitOne(f, pods, ns, "again", func(p *corev1.Pod) bool {
		return len(p.Status.ContainerStatuses) == 1 && p.Status.ContainerStatuses[0].RestartCount > 0
	})
	if again.UID != before || again.Status.Phase == corev1.PodFailed {
		f.Errorf("OnFailure: uid %s after %s, phase %s", again.UID, before, again.Status.Phase)
	}
	once := awaitOne(f, pods, ns, "once", func(p *corev1.Pod) bool { return p.Status.Phase == corev1.PodFailed })
	if s := once.Status.ContainerStatuses[0]; s.RestartCount != 0 || s.State.Terminated == nil || s.State.Terminated.ExitCode != 1 {
		f.Errorf("Never: %+v", s)
	}
}

func podChanges(f *front, ns string) {
	f.must(f.create(ns, pod("p", sleeps, "")))
	before := await(f, pods, ns, allReady(1))[0]
	got := judged(f.send(http.MethodPatch, listPath(pods, ns)+"/p", "application/strategic-merge-patch+json", `{"spec":{"containers":[{"name":"d","image":"busybox"}]}}`))
	if diff := cmp.Diff(invalid(`Pod "p" is invalid: spec.containers: Forbidden: pod updates may not add or remove containers`), got); diff != "" {
		f.Errorf("(-want +got):\n%s", diff)
	}
	f.must(judged(f.send(http.MethodPatch, listPath(pods, ns)+"/p", "application/strategic-merge-patch+json", `{"spec":{"containers":[{"name":"c","image":"busybox:1.36"}]}}`)))
	after := awaitOne(f, pods, ns, "p", func(p *corev1.Pod) bool {
		return ready(*p) && strings.HasSuffix(p.Status.ContainerStatuses[0].Image, "busybox:1.36")
	})
	if after.UID != before.UID || after.Spec.NodeName != before.Spec.NodeName || after.Status.ContainerStatuses[0].RestartCount != 1 {
		f.Errorf("the new image runs in %s on %s, restarted %d times", after.UID, after.Spec.NodeName, after.Status.ContainerStatuses[0].RestartCount)
	}
}

func podWaits(f *front, ns string) {
	f.must(f.create(ns, pod("p", sleeps+`, resources: {requests: {cpu: "100"}}`, "")))
	waiting := awaitOne(f, pods, ns, "p", func(p *corev1.Pod) bool { return len(p.Status.Conditions) > 0 })
	c := waiting.Status.Conditions[0]
	got := []string{string(waiting.Status.Phase), waiting.Spec.NodeName, string(c.Type), string(c.Status), c.Reason, c.Message}
	want := []string{"Pending", "", "PodScheduled", "False", "Unschedulable",
		"0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."}
	if diff := cmp.Diff(want, got); diff != "" {
		f.Errorf("(-want +got):\n%s", diff)
	}
	node := "apiVersion: v1\nkind: Node\nmetadata: {name: big}\n" +
		"status: {capacity: {cpu: 200, memory: 1Gi, pods: 10}, allocatable: {cpu: 200, memory: 1Gi, pods: 10}}"
	f.must(judged(f.send(http.MethodPost, "/api/v1/nodes", "application/yaml", node)))
	awaitOne(f, pods, ns, "p", func(p *corev1.Pod) bool { return ready(*p) && p.Spec.NodeName == "big" })
}

func podExpires(f *front, ns string) {
	f.must(f.create(ns, pod("running", sleeps, "activeDeadlineSeconds: 2\n  terminationGracePeriodSeconds: 1")))
	f.must(f.create(ns, pod("initialising", "", `activeDeadlineSeconds: 2
  terminationGracePeriodSeconds: 1
  initContainers: [{name: i, image: busybox, command: [sleep, "3600"]}]`)))
	await(f, pods, ns, func(all []corev1.Pod) bool { return slices.ContainsFunc(all, ready) })
	for _, p := range await(f, pods, ns, func(all []corev1.Pod) bool {
		return len(all) == 2 && all[0].Status.Phase == corev1.PodFailed && all[1].Status.Phase == corev1.PodFailed
	}) {
		if p.Status.Reason != "DeadlineExceeded" || p.Status.Message != "Pod was active on the node longer than the specified deadline" {
			f.Errorf("%s: %q, %q", p.Name, p.Status.Reason, p.Status.Message)
		}
	}
}
