package fieldmanager_test

import (
	"encoding/json"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/object"
)

// aPod is a Pod of a ReplicaSet as it is created, with its defaults.
const aPod = `{"metadata":{"generateName":"web-7887448d46-","namespace":"default","labels":{"app":"web","pod-template-hash":"7887448d46"},
"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7887448d46","uid":"d3811921-5eb1-4325-89f6-21d2e082cbd4","controller":true,"blockOwnerDeletion":true}]},
"spec":{"containers":[{"name":"nginx","image":"nginx","resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],
"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler","enableServiceLinks":true},"status":{}}`

// aStatus is what the kubelet writes when the Pod runs.
const aStatus = `{"observedGeneration":1,"phase":"Running","conditions":[
{"type":"PodReadyToStartContainers","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-05-01T12:00:01Z"},
{"type":"Initialized","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-05-01T12:00:00Z"},
{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-05-01T12:00:01Z"},
{"type":"ContainersReady","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-05-01T12:00:01Z"},
{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-05-01T12:00:00Z"}],
"hostIP":"10.0.0.1","hostIPs":[{"ip":"10.0.0.1"}],"podIP":"10.128.0.7","podIPs":[{"ip":"10.128.0.7"}],"startTime":"2026-05-01T12:00:00Z","qosClass":"BestEffort",
"containerStatuses":[{"name":"nginx","state":{"running":{"startedAt":"2026-05-01T12:00:01Z"}},"lastState":{},
"ready":true,"restartCount":0,"image":"nginx","imageID":"x","containerID":"y","started":true}]}`

func podOf(tb testing.TB, status string) *corev1.Pod {
	tb.Helper()
	pod := new(corev1.Pod)
	if err := json.Unmarshal([]byte(aPod), pod); err != nil {
		tb.Fatal(err)
	}
	if status != "" {
		if err := json.Unmarshal([]byte(status), &pod.Status); err != nil {
			tb.Fatal(err)
		}
	}
	return pod
}

type recorder func(t *object.Type, next, old object.Object, by fieldmanager.Writer) error

func quickly(t *object.Type, next, old object.Object, by fieldmanager.Writer) error {
	if !fieldmanager.Quickly(t, next, old, by) {
		panic("not the quick way")
	}
	return nil
}

func benchmark(b *testing.B, kind *object.Type, next, old object.Object, by fieldmanager.Writer) {
	b.Helper()
	if old == nil {
		old = kind.New()
	}
	sent := next.GetManagedFields()
	for name, record := range map[string]recorder{"quick": quickly, "upstream": fieldmanager.Slowly} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				next.SetManagedFields(sent)
				if err := record(kind, next, old, by); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkConfigMapCreate(b *testing.B) {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: map[string]string{"key": "value"}}
	benchmark(b, kinds[0], cm, nil, fieldmanager.Writer{Manager: "kbench", At: noon})
}

func BenchmarkPodCreate(b *testing.B) {
	benchmark(b, kinds[1], podOf(b, ""), nil, fieldmanager.Writer{Manager: "kube-controller-manager", At: noon})
}

// BenchmarkPodStatus measures a Pod that has begun to run.
func BenchmarkPodStatus(b *testing.B) {
	created := podOf(b, `{"phase":"Pending","qosClass":"BestEffort","conditions":[{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-05-01T12:00:00Z"}]}`)
	_ = fieldmanager.Created(kinds[1], created, fieldmanager.Writer{Manager: "kube-controller-manager", At: noon})
	created.UID = "1"
	benchmark(b, kinds[1], podOf(b, aStatus), created, fieldmanager.Writer{Manager: "kubelet", Subresource: "status", At: noon.Add(time.Second)})
}

// BenchmarkPodReady measures a Pod whose readiness changes.
func BenchmarkPodReady(b *testing.B) {
	created := podOf(b, "")
	_ = fieldmanager.Created(kinds[1], created, fieldmanager.Writer{Manager: "kube-controller-manager", At: noon})
	created.UID = "1"
	running := podOf(b, aStatus)
	_ = fieldmanager.Updated(kinds[1], running, created, fieldmanager.Writer{Manager: "kubelet", Subresource: "status", At: noon})
	running.UID = "1"
	next := running.DeepCopy()
	next.Status.Conditions[2].Status = corev1.ConditionFalse
	benchmark(b, kinds[1], next, running, fieldmanager.Writer{Manager: "kubelet", Subresource: "status", At: noon.Add(time.Second)})
}

// BenchmarkCustomCreate measures a small custom resource.
func BenchmarkCustomCreate(b *testing.B) {
	kind := customType(b, true)
	o := kind.New().(*unstructured.Unstructured)
	o.Object = map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "w", "labels": map[string]any{"app": "a"}},
		"spec": map[string]any{"text": "a", "number": int64(1), "granular": map[string]any{"a": "b"}},
	}
	benchmark(b, kind, o, nil, fieldmanager.Writer{Manager: "kubectl", At: noon})
}
