package kubelet

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// withImage gives the Pod a volume of an image's files at /i.
func withImage(reference string, policy corev1.PullPolicy, mount func(*corev1.VolumeMount)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "i", VolumeSource: corev1.VolumeSource{Image: &corev1.ImageVolumeSource{Reference: reference, PullPolicy: policy}}})
		m := corev1.VolumeMount{Name: "i", MountPath: "/i"}
		if mount != nil {
			mount(&m)
		}
		p.Spec.Containers[0].VolumeMounts = append(p.Spec.Containers[0].VolumeMounts, m)
	}
}

// TestImageVolume shows an image's files, which cannot be changed, or says why it cannot be pulled.
func TestImageVolume(t *testing.T) {
	t.Parallel()
	const kitten = "registry.k8s.io/e2e-test-images/kitten:1.8"
	sub := func(path string) func(*corev1.VolumeMount) {
		return func(m *corev1.VolumeMount) { m.SubPath = path }
	}
	const failed = "  0s Pending 0/1 c=ErrImagePull | Pulled, Pulling, Failed, Failed"
	for _, tt := range []struct {
		name   string
		script string
		image  func(*corev1.Pod)
		want   string // what the story begins with
		log    string
	}{
		{"files", "cat /i/data.json; head -1 /i/etc/os-release", withImage(kitten, corev1.PullAlways, nil),
			"  0s Succeeded 0/1 c=Completed(0) | Pulled, Pulling, Pulled, Created, Started", "{\"image\": \"kitten.jpg\"}\nNAME=\"Alpine Linux\""},
		{"read-only", "echo x > /i/data.json || echo refused; rm /i/data.json || cat /i/data.json", withImage(kitten, corev1.PullIfNotPresent, nil),
			"  0s Succeeded 0/1 c=Completed(0) | Pulled, Pulled, Created, Started", "refused\nrm: can't remove '/i/data.json': Read-only file system\n{\"image\": \"kitten.jpg\"}"},
		{"a directory", "cat /i/os-release | head -1", withImage(kitten, corev1.PullIfNotPresent, sub("etc")),
			"  0s Succeeded", "NAME=\"Alpine Linux\""},
		{"nowhere", "true", withImage(kitten, corev1.PullIfNotPresent, sub("nowhere")), "  0s Failed 0/1 c=StartError(128)", ""},
		{"no such image", "true", withImage("nginx:1.161", corev1.PullIfNotPresent, nil), failed, ""},
		{"an unknown image", "ls /i/bin/sh", withImage("example.com/app:1", corev1.PullIfNotPresent, nil), "  0s Succeeded", "/i/bin/sh"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := &world{t: t, now: noon, pod: bound(sh(tt.script), restarting(corev1.RestartPolicyNever), tt.image)}
			w.live(10 * time.Second)
			story, log := strings.Join(w.story, "\n"), strings.ReplaceAll(strings.Join(w.log("c"), "\n"), "0s ", "")
			if !strings.HasPrefix(story, tt.want) || !strings.Contains(log, tt.log) {
				t.Errorf("story:\n%s\nlog:\n%s", story, log)
			}
		})
	}
}
