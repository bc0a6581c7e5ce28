package preview_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// workload returns a workload with some Pods, as JSON.
func workload(kind, name string, replicas int, more string) string {
	group, count, pod := "apps/v1", "replicas", `"containers":[{"name":"c","image":"nginx"}]`
	selector := fmt.Sprintf(`"selector":{"matchLabels":{"app":%q}},`, name)
	if kind == "ReplicationController" {
		group, selector = "v1", fmt.Sprintf(`"selector":{"app":%q},`, name)
	}
	if kind == "Job" {
		group, count, selector = "batch/v1", "parallelism", `"completions":50,`
		pod = `"restartPolicy":"Never","containers":[{"name":"c","image":"busybox:1.36","command":["sleep","100000"]}]`
	}
	return fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":%q},"spec":{%q:%d,%s%s"template":{"metadata":{"labels":{"app":%q}},"spec":{%s}}}}`,
		group, kind, name, count, replicas, selector, more, name, pod)
}

// podsDeleted returns the Pods that a workload's events report as deleted, in that order.
func podsDeleted(s *clustertest.Site, namespace string) (names []string) {
	s.T.Helper()
	var events corev1.EventList
	s.Get("/api/v1/namespaces/"+namespace+"/events", &events)
	for _, e := range events.Items {
		if e.Reason == "SuccessfulDelete" {
			name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(e.Message, "Deleted pod: "), "Delete Pod "), " ")
			names = append(names, name)
		}
	}
	return names
}

// scale changes the replicas of a workload.
func scale(s *clustertest.Site, path, field string, n int) {
	s.T.Helper()
	var o map[string]any
	s.Get(path, &o)
	o["spec"].(map[string]any)[field] = n
	doc, err := json.Marshal(o)
	if err != nil {
		s.T.Fatal(err)
	}
	s.Do("PUT", path, string(doc))
}

// TestScaleDown_IsWhatComes: the preview of a scale-down is what happens: the same Pods in the same
// order.
func TestScaleDown_IsWhatComes(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Pause()
	for i, row := range []struct {
		kind, resource, path, field string
		from, to                    int
		prepare                     func(*clustertest.Site, []corev1.Pod)
		reasons                     []string // each at least once
	}{
		{"Deployment", "deployments.apps", "/apis/apps/v1", "replicas", 9, 4, func(s *clustertest.Site, pods []corev1.Pod) {
			annotate(s, pods[3], corev1.PodDeletionCost, "-7")
			annotate(s, pods[5], corev1.PodDeletionCost, "3")
		}, []string{"DeletionCost"}},
		{"Deployment", "deployments.apps", "/apis/apps/v1", "replicas", 5, 0, nil, []string{"NoneIsToStay"}},
		{"ReplicaSet", "replicasets.apps", "/apis/apps/v1", "replicas", 6, 1, func(s *clustertest.Site, pods []corev1.Pod) {
			s.Do("POST", "/rowlock/v1/faults", fmt.Sprintf(`{"pod":{"namespace":%q,"name":%q,"action":"exit"}}`, pods[2].Namespace, pods[2].Name))
			s.Advance("2s")
		}, nil},
		{"Job", "jobs.batch", "/apis/batch/v1", "parallelism", 6, 2, nil, []string{"SmallerUID"}},
		{"ReplicationController", "replicationcontrollers", "/api/v1", "replicas", 6, 2, func(s *clustertest.Site, pods []corev1.Pod) {
			annotate(s, pods[4], corev1.PodDeletionCost, "-7")
		}, []string{"DeletionCost"}},
		{"StatefulSet", "statefulsets.apps", "/apis/apps/v1", "replicas", 4, 1, nil, []string{"OtherOrdinal"}},
		{"StatefulSet", "statefulsets.apps", "/apis/apps/v1", "replicas", 2, 0, nil, []string{"NoneIsToStay"}},
	} {
		ns := fmt.Sprintf("down-%d", i)
		s.Do("POST", "/api/v1/namespaces", `{"metadata":{"name":"`+ns+`"}}`)
		collection := row.path + "/namespaces/" + ns + "/" + strings.Split(row.resource, ".")[0]
		s.Do("POST", collection, workload(row.kind, "web", row.from, ""))
		s.Advance("20s")
		var pods corev1.PodList
		if s.Get("/api/v1/namespaces/"+ns+"/pods", &pods); row.prepare != nil {
			row.prepare(s, pods.Items)
		}
		var predicted v1.ScaleDown
		query := fmt.Sprintf("%s?resource=%s&namespace=%s&name=web&replicas=%d", v1.ScaleDownPath, row.resource, ns, row.to)
		s.Get(query, &predicted)
		scale(s, collection+"/web", row.field, row.to)
		s.Advance("10s")
		var names, reasons []string
		for _, v := range predicted.Victims {
			names, reasons = append(names, v.Name), append(reasons, v.Reason)
		}
		if d := cmp.Diff(podsDeleted(s, ns), names); d != "" || predicted.VictimsCount != row.from-row.to {
			t.Errorf("%s from %d to %d, %d victims (-gone +predicted):\n%s", row.kind, row.from, row.to, predicted.VictimsCount, d)
		}
		for _, want := range row.reasons {
			if !slices.Contains(reasons, want) {
				t.Errorf("%s from %d to %d: nobody goes by %s; the reasons are %s", row.kind, row.from, row.to, want, reasons)
			}
		}
		var short v1.ScaleDown
		if s.Get(query+"&limit=1", &short); len(short.Victims) > 1 {
			t.Errorf("of one victim at most %d are listed", len(short.Victims))
		}
	}
}

func annotate(s *clustertest.Site, pod corev1.Pod, key, value string) {
	s.T.Helper()
	path := "/api/v1/namespaces/" + pod.Namespace + "/pods/" + pod.Name
	var fresh corev1.Pod
	s.Get(path, &fresh)
	if fresh.Annotations == nil {
		fresh.Annotations = map[string]string{}
	}
	fresh.Annotations[key] = value
	doc, err := json.Marshal(fresh)
	if err != nil {
		s.T.Fatal(err)
	}
	s.Do("PUT", path, string(doc))
}

// TestScaleDown_InARollout: in the middle of a rollout, both ReplicaSets shrink in proportion.
func TestScaleDown_InARollout(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Pause()
	const web = "/apis/apps/v1/namespaces/default/deployments/web"
	s.Do("POST", "/apis/apps/v1/namespaces/default/deployments", workload("Deployment", "web", 8, ""))
	s.Advance("20s")
	var d appsv1.Deployment
	s.Get(web, &d)
	d.Spec.Template.Spec.Containers[0].Image = "nginx:no-such-tag"
	doc, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	s.Do("PUT", web, string(doc))
	s.Advance("20s")
	var predicted v1.ScaleDown
	s.Get(v1.ScaleDownPath+"?resource=deployments.apps&namespace=default&name=web&replicas=4", &predicted)
	before := len(podsDeleted(s, "default"))
	scale(s, web, "replicas", 4)
	s.Advance("0s")
	var names []string
	for _, v := range predicted.Victims {
		names = append(names, v.Name)
	}
	gone := podsDeleted(s, "default")[before:]
	if len(predicted.Shrinks) != 2 || len(gone) < len(names) {
		t.Fatalf("%+v of %s", predicted, gone)
	}
	// The rest is the rollout's work, and the ReplicaSets are synced in any order.
	for _, shrink := range predicted.Shrinks {
		var mine, theirs []string
		for _, v := range predicted.Victims {
			if v.Owner == shrink.Name {
				mine = append(mine, v.Name)
			}
		}
		for _, name := range gone {
			if strings.HasPrefix(name, shrink.Name+"-") {
				theirs = append(theirs, name)
			}
		}
		if d := cmp.Diff(theirs[:min(len(theirs), len(mine))], mine); d != "" {
			t.Errorf("%s (-gone +predicted):\n%s", shrink.Name, d)
		}
	}
}
