package cluster_test

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestReaders_SeeAChangeByAnotherReplica: Pods see it as soon as they run, even if that replica
// does not know of them yet.
func TestReaders_SeeAChangeByAnotherReplica(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	one, stopOne := open(t, url)
	defer stopOne()
	other, stopOther := open(t, url)
	defer stopOther()
	for _, name := range []string{"a", "b", "c", "d"} {
		login := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name}, StringData: map[string]string{"value": "first"}}
		if _, err := one.CoreV1().Secrets("default").Create(t.Context(), login, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := one.CoreV1().Pods("default").Create(t.Context(), readerOf(name), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		clustertest.Await(t, "the Pod to run", func(ctx context.Context) bool {
			pod, err := one.CoreV1().Pods("default").Get(ctx, name, metav1.GetOptions{})
			return err == nil && pod.Status.Phase == corev1.PodRunning
		})
		login.StringData = map[string]string{"value": "second"}
		if _, err := other.CoreV1().Secrets("default").Update(t.Context(), login, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		clustertest.Await(t, "the Pod to read the change", func(ctx context.Context) bool {
			log, err := one.CoreV1().Pods("default").GetLogs(name, &corev1.PodLogOptions{}).DoRaw(ctx)
			return err == nil && strings.Contains(string(log), "second")
		})
	}
}

// readerOf makes a Pod that writes down the content of a Secret every second.
func readerOf(secret string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: secret},
		Spec: corev1.PodSpec{
			Volumes: []corev1.Volume{{Name: "s", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: secret}}}},
			Containers: []corev1.Container{{
				Name: "c", Image: "busybox:1.28", Command: []string{"sh", "-c", "while sleep 1; do cat /s/value; echo; done"},
				VolumeMounts: []corev1.VolumeMount{{Name: "s", MountPath: "/s"}},
			}},
		},
	}
}
