package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const revision = "deployment.kubernetes.io/revision"

func TestDeployment(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		f.run("DEP-003 to DEP-017 defaults", func(f *front) { deploymentDefaults(f, f.namespace("dep-003")) })
		f.run("DEP-005 DEP-035 the selector stays", func(f *front) {
			ns := f.namespace("dep-005")
			f.must(f.create(ns, deployment("web", 0, "")))
			got := f.patch(deployments, ns, "web", `{"spec":{"selector":{"matchLabels":{"tier":"front"}},"template":{"metadata":{"labels":{"tier":"front"}}}}}`)
			want := invalid(`Deployment.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"front"}}: field is immutable`)
			if diff := cmp.Diff(want, got); diff != "" {
				f.Errorf("(-want +got):\n%s", diff)
			}
		})
		f.run("DEP-006 labels and expressions select alike", func(f *front) {
			ns := f.namespace("dep-006")
			f.must(f.create(ns, strings.Replace(deployment("web", 2, ""), "{matchLabels: {app: web}}", "{matchExpressions: [{key: app, operator: In, values: [web]}]}", 1)))
			awaitComplete(f, ns, "web", 2)
		})
		f.run("DEP-036 DEP-087 two with one selector", func(f *front) { sameSelector(f, f.namespace("dep-036")) })
		f.run("DEP-042 DEP-045 DEP-050 DEP-051 revisions", func(f *front) { revisionsGrow(f, f.namespace("dep-051")) })
		f.run("DEP-043 a deleted ReplicaSet is history no more", func(f *front) { historyIsReplicaSets(f, f.namespace("dep-043")) })
		f.run("DEP-058 DEP-064 DEP-065 DEP-066 a paused Deployment scales and does not roll", func(f *front) { pausedScales(f, f.namespace("dep-065")) })
		f.run("DEP-060 a manifest without replicas leaves them", func(f *front) { replicasAreLeft(f, f.namespace("dep-060")) })
		f.run("DEP-077 DEP-073 DEP-057 DEP-084 what stops a rollout", func(f *front) { rolloutsStop(f, f.namespace("dep-077")) })
		f.run("DEP-018 DEP-019 the hash ends the longest name", func(f *front) { longestName(f, f.namespace("dep-018")) })
		f.run("DEP-086 Recreate does not wait for a deletion by hand", func(f *front) {
			ns := f.namespace("dep-086")
			f.must(f.create(ns, strings.NewReplacer("replicas: 1", "replicas: 1\n  strategy: {type: Recreate}", `"nginx:1.14.2"`, "busybox"+sleeps).Replace(deployment("web", 1, ""))))
			awaitComplete(f, ns, "web", 1)
			f.must(f.remove(pods, ns, await(f, pods, ns, allReady(1))[0].Name, ""))
			await(f, pods, ns, func(all []corev1.Pod) bool { return len(all) == 2 && slices.ContainsFunc(all, ready) })
		})
		f.run("DEP-083 Pods that are refused", func(f *front) {
			ns := f.namespace("dep-083")
			f.must(f.create(ns, deployment("web", 2, refusedPods)))
			d := awaitOne(f, deployments, ns, "web", func(d *appsv1.Deployment) bool {
				return condition(d, appsv1.DeploymentReplicaFailure).Status == corev1.ConditionTrue
			})
			if c := condition(d, appsv1.DeploymentReplicaFailure); c.Reason != "FailedCreate" || !strings.Contains(c.Message, "the integer value of priority (1000)") {
				f.Errorf("got %+v", c)
			}
		})
		f.run("DEP-088 DEP-091 what differs is put right", func(f *front) { differencesArePutRight(f, f.namespace("dep-088")) })
	})
}

// TestDeployment_LosesAvailability has clusters of its own, because it makes their nodes refuse
// Pods.
func TestDeployment_LosesAvailability(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		f.must(f.create("default", strings.Replace(deployment("web", 1, "terminationGracePeriodSeconds: 1"), "replicas: 1", "replicas: 1\n  progressDeadlineSeconds: 1", 1)))
		awaitComplete(f, "default", "web", 1)
		for _, node := range []string{"node-1", "node-2", "node-3"} {
			f.must(judged(f.send(http.MethodPatch, "/api/v1/nodes/"+node, "application/merge-patch+json", `{"spec":{"unschedulable":true}}`)))
		}
		p := await(f, pods, "default", allReady(1))[0]
		f.must(f.remove(pods, "default", p.Name, ""))
		// DEP-071: only Available changes. DEP-075: the deadline, which another Deployment exceeds
		// afterwards, passes without effect.
		awaitOne(f, deployments, "default", "web", func(d *appsv1.Deployment) bool {
			return condition(d, appsv1.DeploymentAvailable).Status == corev1.ConditionFalse
		})
		f.must(f.create("default", strings.Replace(deployment("late", 1, ""), "replicas: 1", "replicas: 1\n  progressDeadlineSeconds: 2", 1)))
		awaitOne(f, deployments, "default", "late", exceeded)
		d := get[appsv1.Deployment](f, deployments, "default", "web")
		progressing, available := condition(&d, appsv1.DeploymentProgressing), condition(&d, appsv1.DeploymentAvailable)
		got := []string{string(progressing.Status), progressing.Reason, string(available.Status), available.Reason, available.Message}
		want := []string{"True", "NewReplicaSetAvailable", "False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability."}
		if diff := cmp.Diff(want, got); diff != "" {
			f.Errorf("DEP-071 DEP-075 (-want +got):\n%s", diff)
		}
	})
}

func condition(d *appsv1.Deployment, of appsv1.DeploymentConditionType) (found appsv1.DeploymentCondition) {
	for _, c := range d.Status.Conditions {
		if c.Type == of {
			found = c
		}
	}
	return found
}

func exceeded(d *appsv1.Deployment) bool {
	return condition(d, appsv1.DeploymentProgressing).Reason == "ProgressDeadlineExceeded"
}

// awaitComplete waits until a Deployment has n available replicas, all of its newest template.
func awaitComplete(f *front, ns, name string, n int32) *appsv1.Deployment {
	f.Helper()
	return awaitOne(f, deployments, ns, name, func(d *appsv1.Deployment) bool {
		s := d.Status
		return s.ObservedGeneration == d.Generation && s.Replicas == n && s.UpdatedReplicas == n && s.AvailableReplicas == n
	})
}

// setImage changes the image of a Deployment's Pods.
func setImage(f *front, ns, name, image string) {
	f.Helper()
	f.must(f.patch(deployments, ns, name, `{"spec":{"template":{"spec":{"containers":[{"name":"nginx","image":"`+image+`"}]}}}}`))
}

// sets returns the ReplicaSets of a Deployment, by the image of their Pods.
func sets(f *front, ns, deployment string) map[string]appsv1.ReplicaSet {
	f.Helper()
	found := map[string]appsv1.ReplicaSet{}
	for _, rs := range await(f, replicaSets, ns, func([]appsv1.ReplicaSet) bool { return true }) {
		if ref := metav1.GetControllerOf(&rs); ref != nil && ref.Name == deployment {
			found[rs.Spec.Template.Spec.Containers[0].Image] = rs
		}
	}
	return found
}

// Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go, SetDefaults_Deployment
func deploymentDefaults(f *front, ns string) {
	f.must(f.create(ns, strings.Replace(deployment("web", 0, ""), "replicas: 0", "", 1)))
	d := get[appsv1.Deployment](f, deployments, ns, "web")
	quarter := intstr.FromString("25%")
	want := appsv1.DeploymentSpec{
		Replicas: new(int32(1)), // DEP-008
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		Strategy: appsv1.DeploymentStrategy{ // DEP-010, DEP-011
			Type:          appsv1.RollingUpdateDeploymentStrategyType,
			RollingUpdate: &appsv1.RollingUpdateDeployment{MaxUnavailable: &quarter, MaxSurge: &quarter},
		},
		ProgressDeadlineSeconds: new(int32(600)), // DEP-015
		RevisionHistoryLimit:    new(int32(10)),  // DEP-016
		// DEP-014: MinReadySeconds is 0. DEP-017: Paused is false.
	}
	if policy := d.Spec.Template.Spec.RestartPolicy; policy != corev1.RestartPolicyAlways {
		f.Errorf("DEP-009: restartPolicy %q", policy)
	}
	d.Spec.Template = corev1.PodTemplateSpec{}
	if diff := cmp.Diff(want, d.Spec); diff != "" {
		f.Errorf("(-want +got):\n%s", diff)
	}
	if d.Labels != nil {
		f.Errorf("DEP-003: labels %v", d.Labels)
	}
}

func sameSelector(f *front, ns string) {
	stable := deployment("web", 2, "")
	canary := strings.NewReplacer("{name: web}", "{name: canary}", "replicas: 2", "replicas: 1", "1.14.2", "1.16.1").Replace(stable)
	if a := f.create(ns, stable); a.Code != http.StatusCreated {
		f.Errorf("the first: %+v", a)
	}
	if a := f.create(ns, canary); a.Code != http.StatusCreated {
		f.Errorf("the second: %+v", a)
	}
	awaitComplete(f, ns, "web", 2)
	awaitComplete(f, ns, "canary", 1)
	images := map[string]int{}
	list, err := f.CoreV1().Pods(ns).List(f.Context(), metav1.ListOptions{LabelSelector: "app=web"}) // as a Service selects them
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range list.Items {
		images[p.Spec.Containers[0].Image]++
	}
	if diff := cmp.Diff(map[string]int{"nginx:1.14.2": 2, "nginx:1.16.1": 1}, images); diff != "" {
		f.Errorf("the Pods of both (-want +got):\n%s", diff)
	}
	if web, canary := sets(f, ns, "web"), sets(f, ns, "canary"); len(web) != 1 || len(canary) != 1 {
		f.Errorf("they have %d and %d ReplicaSets", len(web), len(canary))
	}
}

func revisionsGrow(f *front, ns string) {
	f.must(f.create(ns, deployment("web", 2, "terminationGracePeriodSeconds: 1")))
	at := func(want map[string]string) {
		f.Helper()
		got := map[string]string{}
		for image, rs := range sets(f, ns, "web") {
			got[image] = rs.Annotations[revision]
		}
		got["web"] = awaitComplete(f, ns, "web", 2).Annotations[revision]
		if diff := cmp.Diff(want, got); diff != "" {
			f.Errorf("revisions (-want +got):\n%s", diff)
		}
	}
	awaitComplete(f, ns, "web", 2)
	at(map[string]string{"web": "1", "nginx:1.14.2": "1"})
	setImage(f, ns, "web", "nginx:1.16.1")
	awaitComplete(f, ns, "web", 2)
	at(map[string]string{"web": "2", "nginx:1.14.2": "1", "nginx:1.16.1": "2"})
	// What kubectl rollout undo does: the old template comes back, and its ReplicaSet is the
	// newest.
	setImage(f, ns, "web", "nginx:1.14.2")
	awaitComplete(f, ns, "web", 2)
	at(map[string]string{"web": "3", "nginx:1.14.2": "3", "nginx:1.16.1": "2"})
	f.must(f.patch(deployments, ns, "web", `{"spec":{"revisionHistoryLimit":0}}`))
	await(f, replicaSets, ns, func(all []appsv1.ReplicaSet) bool { return len(all) == 1 && all[0].Annotations[revision] == "3" })
}

func historyIsReplicaSets(f *front, ns string) {
	f.must(f.create(ns, deployment("web", 1, "terminationGracePeriodSeconds: 1")))
	awaitComplete(f, ns, "web", 1)
	setImage(f, ns, "web", "nginx:1.16.1")
	awaitComplete(f, ns, "web", 1)
	f.must(f.remove(replicaSets, ns, sets(f, ns, "web")["nginx:1.14.2"].Name, ""))
	if left := sets(f, ns, "web"); len(left) != 1 || left["nginx:1.16.1"].Annotations[revision] != "2" {
		f.Errorf("%v are left", left)
	}
	// The template comes back as a new revision, not as its former ReplicaSet's.
	setImage(f, ns, "web", "nginx:1.14.2")
	awaitComplete(f, ns, "web", 1)
	rs := sets(f, ns, "web")["nginx:1.14.2"]
	if rs.Annotations[revision] != "3" || rs.Annotations["deployment.kubernetes.io/revision-history"] != "" {
		f.Errorf("its annotations are %v", rs.Annotations)
	}
}

func pausedScales(f *front, ns string) {
	f.must(f.create(ns, deployment("web", 2, "terminationGracePeriodSeconds: 1")))
	awaitComplete(f, ns, "web", 2)
	f.must(f.patch(deployments, ns, "web", `{"spec":{"paused":true}}`))
	setImage(f, ns, "web", "nginx:1.16.1")
	f.must(judged(f.send(http.MethodPatch, listPath(deployments, ns)+"/web/scale", "application/merge-patch+json", `{"spec":{"replicas":4}}`)))
	d := awaitOne(f, deployments, ns, "web", func(d *appsv1.Deployment) bool {
		return d.Status.AvailableReplicas == 4 && d.Status.ObservedGeneration == d.Generation
	})
	if c := condition(d, appsv1.DeploymentProgressing); c.Status != corev1.ConditionUnknown || c.Reason != "DeploymentPaused" {
		f.Errorf("got %+v", c)
	}
	if got := sets(f, ns, "web"); len(got) != 1 || d.Annotations[revision] != "1" {
		f.Errorf("revision %s, %d ReplicaSets", d.Annotations[revision], len(got))
	}
	f.must(f.patch(deployments, ns, "web", `{"spec":{"paused":false}}`))
	if d := awaitComplete(f, ns, "web", 4); d.Annotations[revision] != "2" || len(sets(f, ns, "web")) != 2 {
		f.Errorf("revision %s, %d ReplicaSets", d.Annotations[revision], len(sets(f, ns, "web")))
	}
}

// replicasAreLeft applies a manifest twice, like kubectl: the second time as the patch of the
// differences.
func replicasAreLeft(f *front, ns string) {
	f.must(f.create(ns, strings.Replace(deployment("web", 0, ""), "replicas: 0", "", 1)))
	f.must(judged(f.send(http.MethodPatch, listPath(deployments, ns)+"/web/scale", "application/merge-patch+json", `{"spec":{"replicas":3}}`)))
	f.must(judged(f.send(http.MethodPatch, listPath(deployments, ns)+"/web", "application/strategic-merge-patch+json",
		`{"spec":{"template":{"spec":{"containers":[{"name":"nginx","image":"nginx:1.16.1"}]}}}}`)))
	if d := awaitComplete(f, ns, "web", 3); *d.Spec.Replicas != 3 {
		f.Errorf("%d replicas", *d.Spec.Replicas)
	}
}

func rolloutsStop(f *front, ns string) {
	causes := map[string]string{
		"image":     strings.Replace(deployment("image", 2, ""), "nginx:1.14.2", "nginx:1.161", 1),
		"readiness": strings.Replace(deployment("readiness", 2, ""), `"nginx:1.14.2"}`, `"nginx:1.14.2", readinessProbe: {httpGet: {path: /missing, port: 80}}}`, 1),
		"limits":    deployment("limits", 2, refusedPods),
		"program":   strings.Replace(deployment("program", 2, ""), `"nginx:1.14.2"}`, `busybox`+fails+`}`, 1),
		"capacity":  strings.Replace(deployment("capacity", 2, ""), `"nginx:1.14.2"}`, `"nginx:1.14.2", resources: {requests: {cpu: 100}}}`, 1),
	}
	for _, manifest := range causes {
		f.must(f.create(ns, strings.Replace(manifest, "replicas: 2", "replicas: 2\n  progressDeadlineSeconds: 1", 1)))
	}
	for name := range causes {
		d := awaitOne(f, deployments, ns, name, exceeded)
		rs := slices.Collect(maps.Values(sets(f, ns, name)))
		if len(rs) != 1 {
			f.Fatalf("%s has %d ReplicaSets", name, len(rs))
		}
		c := condition(d, appsv1.DeploymentProgressing)
		if want := fmt.Sprintf("ReplicaSet %q has timed out progressing.", rs[0].Name); c.Status != corev1.ConditionFalse || c.Message != want {
			f.Errorf("%s: got %+v; want %s", name, c, want)
		}
		progressed := slices.ContainsFunc(history[appsv1.Deployment](f, deployments, ns, "1"), func(e change[appsv1.Deployment]) bool {
			return condition(&e.object, appsv1.DeploymentProgressing).Message == fmt.Sprintf("ReplicaSet %q is progressing.", rs[0].Name)
		})
		// DEP-084: Pods that are refused are not progress.
		if progressed != (name != "limits") {
			f.Errorf("%s has progressed: %t", name, progressed)
		}
	}
}

// longestName has a Deployment whose name leaves no room for the hash, so that its end is cut.
//
// Source: kubernetes v1.36 pkg/controller/deployment/sync.go, generateReplicaSetName
func longestName(f *front, ns string) {
	name := strings.Repeat("n", 253)
	f.must(f.create(ns, strings.Replace(deployment("web", 1, ""), "{name: web}", "{name: "+name+"}", 1)))
	awaitComplete(f, ns, name, 1)
	rs := sets(f, ns, name)["nginx:1.14.2"]
	hash := rs.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	if want := name[:253-len("-")-len(hash)] + "-" + hash; hash == "" || rs.Name != want {
		f.Errorf("got %s; want %s", rs.Name, want)
	}
	labels := map[string]string{"app": "web", appsv1.DefaultDeploymentUniqueLabelKey: hash}
	p := await(f, pods, ns, allReady(1))[0]
	got := []map[string]string{rs.Labels, rs.Spec.Selector.MatchLabels, rs.Spec.Template.Labels, p.Labels}
	if diff := cmp.Diff([]map[string]string{labels, labels, labels, labels}, got); diff != "" {
		f.Errorf("labels of the ReplicaSet, its selector, its template and its Pod (-want +got):\n%s", diff)
	}
}

func differencesArePutRight(f *front, ns string) {
	f.must(f.create(ns, deployment("web", 3, "terminationGracePeriodSeconds: 1")))
	awaitComplete(f, ns, "web", 3)
	set := sets(f, ns, "web")["nginx:1.14.2"]
	// Too many, too few, and of another template: each is corrected.
	for _, replicas := range []int{5, 1} {
		f.must(f.patch(replicaSets, ns, set.Name, fmt.Sprintf(`{"spec":{"replicas":%d}}`, replicas)))
		awaitOne(f, replicaSets, ns, set.Name, func(rs *appsv1.ReplicaSet) bool { return *rs.Spec.Replicas == 3 })
		await(f, pods, ns, allReady(3))
	}
	setImage(f, ns, "web", "nginx:1.16.1")
	awaitComplete(f, ns, "web", 3)
	for _, p := range await(f, pods, ns, allReady(3)) {
		if image := p.Spec.Containers[0].Image; image != "nginx:1.16.1" {
			f.Errorf("%s has %s", p.Name, image)
		}
	}
}
