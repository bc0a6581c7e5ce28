package chaos_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/test/history"
)

// createStatefulSet is createReplicaSet for a StatefulSet whose Pods each have a
// PersistentVolumeClaim.
func (c *clients) createStatefulSet(name string, n int32, policy appsv1.PodManagementPolicyType) {
	c.t.Helper()
	do(c, "statefulsets.apps", func(ctx context.Context, client kubernetes.Interface) (*appsv1.StatefulSet, error) {
		sets := client.AppsV1().StatefulSets(namespace)
		created, err := sets.Create(ctx, &appsv1.StatefulSet{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: appsv1.StatefulSetSpec{
				Replicas: &n, ServiceName: name, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}},
				PodManagementPolicy: policy, Template: template(name, "nginx:1.29"),
				VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}, Spec: corev1.PersistentVolumeClaimSpec{
					AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
					Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
				}}},
			},
		}, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return sets.Get(ctx, name, metav1.GetOptions{})
		}
		return created, err
	})
}

func (c *clients) patchStatefulSet(name, patch string) {
	c.t.Helper()
	do(c, "statefulsets.apps", func(ctx context.Context, client kubernetes.Interface) (*appsv1.StatefulSet, error) {
		return client.AppsV1().StatefulSets(namespace).Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	})
}

// awaitUpdated waits until the StatefulSets only have ready Pods of their newest template.
func (c *clients) awaitUpdated(names []string) {
	c.t.Helper()
	for _, name := range names {
		eventually(c.t, name+" is updated", func() bool {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			s, err := c.any().AppsV1().StatefulSets(namespace).Get(ctx, name, metav1.GetOptions{})
			return err == nil && s.Status.ObservedGeneration >= s.Generation && s.Status.Replicas == *s.Spec.Replicas &&
				s.Status.UpdatedReplicas == *s.Spec.Replicas && s.Status.AvailableReplicas == *s.Spec.Replicas && s.Status.CurrentRevision == s.Status.UpdateRevision
		})
	}
}

// STS-013, STS-014: three processes serve and are killed one after another, while clients scale and
// update StatefulSets. At no revision are there two Pods with one ordinal, and each
// PersistentVolumeClaim, which stays when its Pod is deleted, is created once.
func TestKill_StatefulSetsKeepTheirOrdinals(t *testing.T) {
	c := newClients(newFleet(t, pgtest.NewURL(t), 3))
	sets := names("db", 4)
	for i, name := range sets {
		c.createStatefulSet(name, 3, []appsv1.PodManagementPolicyType{appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement}[i%2])
	}
	watched, unfollow := c.follow()
	defer unfollow()
	stop := load(sets, func(name string) {
		if rand.IntN(3) == 0 {
			c.patchStatefulSet(name, rollTo(fmt.Sprintf("nginx:1.%d", 20+rand.IntN(10))))
		} else {
			c.patchStatefulSet(name, scaleTo(rand.IntN(8)))
		}
		time.Sleep(time.Duration(rand.IntN(800)) * time.Millisecond)
	})
	moments := c.killOneAtATime(kills(t) / 2)
	stop()
	want := map[string]int{}
	for i, name := range sets {
		want[name] = 2 + i
		c.patchStatefulSet(name, scaleTo(want[name]))
		c.patchStatefulSet(name, rollTo("nginx:1.16"))
	}
	c.awaitUpdated(sets)
	c.awaitSettled(want)
	c.awaitResync(sum(want))
	h := c.judge()
	watched.judge(h)
	takeover(t, h, moments)
	if made := claimsMade(h); len(made) < sum(want) {
		t.Errorf("%d claims were made for %d Pods", len(made), sum(want))
	} else {
		for name, n := range made {
			if n != 1 {
				t.Errorf("the claim %s was made %d times", name, n)
			}
		}
	}
}

// claimsMade returns how often each PersistentVolumeClaim was created.
func claimsMade(h history.History) map[string]int {
	made := map[string]int{}
	for _, e := range h {
		if e.Key.Resource == "persistentvolumeclaims" && e.Verb == object.Created {
			made[e.Key.Name]++
		}
	}
	return made
}
