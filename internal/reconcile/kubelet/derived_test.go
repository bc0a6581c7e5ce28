package kubelet

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// TestMachine_OfAPodThatOnlyServes is the same whenever it is derived, volumes and all.
func TestMachine_OfAPodThatOnlyServes(t *testing.T) {
	t.Parallel()
	pod := bound(nginx())
	pod.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{DownwardAPI: &corev1.DownwardAPIVolumeSource{
		Items: []corev1.DownwardAPIVolumeFile{{Path: "name", FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
	}}}}
	pod.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "v", MountPath: "/v"}}
	w := &world{t: t, now: noon, pod: pod}
	w.live(time.Minute)
	if w.memory != nil {
		t.Fatal("the Pod has a machine")
	}
	lines := func(at time.Duration) []string {
		w.now = noon.Add(at)
		m := Machine(w.snapshot())
		m.Run(w.now, 1_000_000)
		m.Take()
		m.Run(w.now, 1_000_000)
		var texts []string
		log, _ := m.Logs("nginx", "")
		for _, l := range log.Lines {
			texts = append(texts, l.At.Format(time.RFC3339Nano)+" "+l.Text)
		}
		return texts
	}
	first := lines(2 * time.Second)
	if len(first) == 0 || first[0][:19] != "2026-01-02T12:00:00" {
		t.Errorf("the log is %q", first)
	}
	if diff := cmp.Diff(first, lines(time.Hour)); diff != "" {
		t.Errorf("an hour later (-then +now):\n%s", diff)
	}
}
