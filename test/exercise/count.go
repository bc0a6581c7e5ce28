package exercise

import (
	"context"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

// count increments a number in a ConfigMap by reading it and writing the next, which fails if
// another client was faster.
func count(a *actor, name string) {
	name += "-" + a.round
	a.rest(200 * time.Millisecond)
	maps := func(client kubernetes.Interface) kubernetesConfigMaps { return client.CoreV1().ConfigMaps(hot) }
	read, ok := do(a, configMapsOf, gone, func(ctx context.Context, client kubernetes.Interface) (*corev1.ConfigMap, error) {
		return maps(client).Get(ctx, name, metav1.GetOptions{})
	})
	if !ok {
		do(a, configMapsOf, exists, func(ctx context.Context, client kubernetes.Interface) (*corev1.ConfigMap, error) {
			return maps(client).Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"n": "0"}}, metav1.CreateOptions{})
		})
		return
	}
	n, _ := strconv.Atoi(read.Data["n"])
	read.Data["n"] = strconv.Itoa(n + 1)
	client := a.somebody()
	if client == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), ClientTimeout)
	defer cancel()
	asked := time.Now()
	written, err := maps(client).Update(ctx, read, metav1.UpdateOptions{})
	doubled := a.Doubled != nil && a.Doubled(asked) // the conflict may be with itself
	if err == nil {
		a.acknowledge(configMapsOf, written)
	} else if !a.refusals.Retryable(err) && !apierrors.IsConflict(err) && !a.isLoss(err) {
		a.Wrong("%s was told: %v", a.name, err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.counted[name] == nil {
		a.counted[name] = &counted{}
	}
	switch {
	case err == nil:
		a.counted[name].done = append(a.counted[name].done, object.RevisionOf(written))
	case history.Uncertain(err), doubled:
		a.counted[name].unknown++
	}
}

// counted is the outcome of the attempts to increment a number.
type counted struct {
	done    []object.Revision
	unknown int
}

// bounds returns the least and the most that the number can be.
func (n *counted) bounds(lost history.Losses) (least, most int) {
	for _, at := range n.done {
		if !lost.Has(at) {
			least++
		}
	}
	return least, least + n.unknown
}
