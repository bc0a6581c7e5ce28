package chaos_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// Replicas are killed while clients create and delete more than a quota allows, and a ReplicaSet
// requests more Pods than it allows. The quota is never exceeded, in the end everything that fits
// exists, and the reported usage is the actual one.
func TestKill_QuotasAreKept(t *testing.T) {
	c := newClients(newFleet(t, pgtest.NewURL(t), 3))
	hard := corev1.ResourceList{"configmaps": resource.MustParse("60"), "count/configmaps": resource.MustParse("1k"), "pods": resource.MustParse("12")}
	c.createQuota("few", hard)
	c.awaitUsed("few", "pods", 0)
	c.createReplicaSet("rs-1", 20)

	creators := names("creator", 12)
	var drawn atomic.Int64
	stop := load(append(creators, "deleter-1", "deleter-2"), func(name string) {
		if strings.HasPrefix(name, "creator") {
			c.createConfigMap(fmt.Sprint("c-", drawn.Add(1)))
			return
		}
		c.removeSomething()
		time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
	})
	moments := c.killOneAtATime((kills(t) + 3) / 4)
	stop()
	for range 200 { // more than there is room for
		c.createConfigMap(fmt.Sprint("c-", drawn.Add(1)))
	}
	c.awaitUsed("few", "configmaps", 60)
	c.awaitUsed("few", "pods", 12)
	c.awaitSettled(map[string]int{"rs-1": 12})
	c.awaitResync(12)
	takeover(t, c.judge(), moments)
}

func (c *clients) createQuota(name string, hard corev1.ResourceList) {
	c.t.Helper()
	do(c, "resourcequotas", func(ctx context.Context, client kubernetes.Interface) (*corev1.ResourceQuota, error) {
		return client.CoreV1().ResourceQuotas(namespace).Create(ctx, &corev1.ResourceQuota{
			ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.ResourceQuotaSpec{Hard: hard},
		}, metav1.CreateOptions{})
	})
}

// awaitUsed waits until every replica shows this usage of a quota.
func (c *clients) awaitUsed(name string, of corev1.ResourceName, want int64) {
	c.t.Helper()
	for _, r := range c.replicas {
		eventually(c.t, fmt.Sprintf("%s shows that %d %s of the quota %s are used", r.name, want, of, name), func() bool {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			q, err := r.client.CoreV1().ResourceQuotas(namespace).Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return false
			}
			used, has := q.Status.Used[of]
			return has && used.Value() == want
		})
	}
}

// createConfigMap creates a ConfigMap with a new name if a replica answers and the quota leaves
// room for it.
func (c *clients) createConfigMap(name string) {
	client := c.any()
	if client == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	created, err := client.CoreV1().ConfigMaps(namespace).Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	switch {
	case err == nil:
		c.acknowledge("configmaps", created)
	case apierrors.IsForbidden(err) && strings.Contains(err.Error(), "exceeded quota: few, requested: configmaps=1, used: configmaps=60, limited: configmaps=60"):
	case !c.refusals.Retryable(err):
		c.t.Errorf("the creation of a ConfigMap is refused: %v", err)
	}
}

// removeSomething deletes a Pod and some ConfigMaps, if a replica answers.
func (c *clients) removeSomething() {
	client := c.any()
	if client == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	judge := func(err error) {
		if err != nil && !apierrors.IsNotFound(err) && !c.refusals.Retryable(err) {
			c.t.Errorf("a deletion is refused: %v", err)
		}
	}
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if judge(err); err == nil && len(pods.Items) > 0 {
		judge(client.CoreV1().Pods(namespace).Delete(ctx, pods.Items[rand.IntN(len(pods.Items))].Name, metav1.DeleteOptions{}))
	}
	configs, err := client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	if judge(err); err != nil {
		return
	}
	for _, o := range configs.Items {
		if strings.HasPrefix(o.Name, "c-") && rand.IntN(8) == 0 {
			judge(client.CoreV1().ConfigMaps(namespace).Delete(ctx, o.Name, metav1.DeleteOptions{}))
		}
	}
}
