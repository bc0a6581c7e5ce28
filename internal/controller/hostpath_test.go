package controller_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/store"
)

// TestHostPath_PodsOfANodeShareFiles: a write by one Pod wakes the Pods that see it, and no others.
func TestHostPath_PodsOfANodeShareFiles(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	for i := range 2 {
		r.Create(nodelifecycle.DefaultNode(i+1, nil, start))
	}
	pod := func(name, node, at, script string) *object.Version {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, CreationTimestamp: metav1.Time{Time: start}}}
		pod.Spec.NodeName, pod.Spec.RestartPolicy = node, corev1.RestartPolicyNever
		pod.Spec.Containers = []corev1.Container{{Name: "c", Image: "busybox", Command: []string{"sh", "-c", script}}}
		if at != "" {
			pod.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: at}}}}
			pod.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "v", MountPath: "/v"}}
		}
		r.KindOf(pod).Default(pod)
		return r.Create(pod)
	}
	world := world.World{Kinds: r.Kinds, Images: emulator.NewCatalogue(), Nodes: world.NewNodes(), Expiry: world.NewExpiry(), Addresses: world.NewAddresses(r.Pool)}
	kubelet := engine.New(r.Deps, controllerNamed(t, world, names.Kubelet))
	const waits = "until cat /v/flag; do sleep 1000; done"
	near, above := pod("near", "node-1", "/data", waits), pod("above", "node-1", "/", waits)
	strangers := []*object.Version{pod("other-node", "node-2", "/data", waits), pod("other-place", "node-1", "/database", waits), pod("none", "node-1", "", waits)}
	for len(r.Turn(kubelet).Claims) > 0 {
	}
	pod("writer", "node-1", "/data/", "echo x > /v/flag")
	r.Turn(kubelet)
	var looks []string
	for _, c := range r.Turn(kubelet).Claims {
		r.View(func(v mirror.View) { looks = append(looks, v.UID(c.UID).Name) })
	}
	slices.Sort(looks)
	if diff := cmp.Diff([]string{above.Name, near.Name}, looks); diff != "" {
		t.Errorf("looks (-want +got), and of %d strangers none:\n%s", len(strangers), diff)
	}
	conn, err := r.Pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	files, err := r.Store.NodeFiles(t.Context(), conn.Conn(), []store.Place{{Node: "node-1", Path: "/data"}})
	if err != nil || len(files) != 2 || files[1].Path != "/data/flag" || string(files[1].Data) != "x\n" {
		t.Errorf("files %+v, %v", files, err)
	}
}
