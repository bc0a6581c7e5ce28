package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
)

// measureAPI makes many clients use ConfigMaps at once, verb by verb.
func measureAPI(ctx context.Context, o options, r *report) error {
	s, _, err := startFresh(ctx, o)
	defer s.end()
	if err != nil {
		return err
	}
	configMaps := s.client.CoreV1().ConfigMaps(namespace)
	for _, v := range verbs(configMaps) {
		used := s.cpu()
		each, took, err := together(ctx, o.clients, o.objects, v.do)
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		r.rateOf(fmt.Sprintf("ConfigMap %s, %d clients", v.name, o.clients), each, took, s.cpu().minus(used))
	}
	return s.stop()
}

// apiVerb does one thing to the i-th ConfigMap.
type apiVerb struct {
	name string
	do   func(ctx context.Context, i int) error
}

func verbs(c typedcorev1.ConfigMapInterface) []apiVerb {
	nameOf := func(i int) string { return fmt.Sprintf("%s-%d", name, i) }
	return []apiVerb{
		{"create", func(ctx context.Context, i int) error {
			_, err := c.Create(ctx, configMap(nameOf(i), "created"), metav1.CreateOptions{})
			return err
		}},
		{"get", func(ctx context.Context, i int) error {
			_, err := c.Get(ctx, nameOf(i), metav1.GetOptions{})
			return err
		}},
		{"update", func(ctx context.Context, i int) error {
			_, err := c.Update(ctx, configMap(nameOf(i), "updated"), metav1.UpdateOptions{})
			return err
		}},
		{"patch", func(ctx context.Context, i int) error {
			_, err := c.Patch(ctx, nameOf(i), types.MergePatchType, []byte(`{"data":{"state":"patched"}}`), metav1.PatchOptions{})
			return err
		}},
		{"delete", func(ctx context.Context, i int) error {
			return c.Delete(ctx, nameOf(i), metav1.DeleteOptions{})
		}},
	}
}

func configMap(name, state string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "bench"}},
		Data:       map[string]string{"state": state, "some": "forty bytes or so, as small settings have"},
	}
}

// together calls do with 0 to n-1 from this many clients at once, and returns how long each call
// took, and all of them.
func together(ctx context.Context, clients, n int, do func(context.Context, int) error) (latencies, time.Duration, error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	each := make(latencies, n)
	var next atomic.Int64
	var running sync.WaitGroup
	begin := time.Now()
	for range clients {
		running.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				start := time.Now()
				if err := do(ctx, i); err != nil {
					fail(err)
				}
				each[i] = time.Since(start)
			}
		})
	}
	running.Wait()
	return each, time.Since(begin), context.Cause(ctx)
}
