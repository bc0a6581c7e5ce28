package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// measureWatch times the delivery of a write to watchers, from before the request to the decoded
// event.
func measureWatch(ctx context.Context, o options, r *report) error {
	s, _, err := startFresh(ctx, o)
	defer s.end()
	if err != nil {
		return err
	}
	for _, run := range []struct {
		about            string
		watchers, writes int
	}{{"one watcher", 1, o.writes}, {"a hundred watchers", 100, max(o.writes/10, 1)}} {
		used := s.cpu()
		each, err := watchWrites(ctx, s.client, run.watchers, run.writes)
		if err != nil {
			return fmt.Errorf("%s: %w", run.about, err)
		}
		r.latency("write → event, "+run.about, each, run.writes, s.cpu().minus(used))
	}
	return s.stop()
}

// writeEvery spaces the writes, so that each is timed alone.
const writeEvery = 5 * time.Millisecond

// watchWrites creates ConfigMaps one after another and returns how long each took to reach each
// watcher.
func watchWrites(ctx context.Context, client *kubernetes.Clientset, watchers, writes int) (latencies, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute+time.Duration(writes)*time.Second/10)
	defer cancel()
	configMaps := client.CoreV1().ConfigMaps(namespace)
	label := fmt.Sprintf("watched-by=%d", watchers)
	begun := make([]atomic.Int64, writes) // in nanoseconds since begin
	begin := time.Now()
	seen := make([]latencies, watchers)
	var running sync.WaitGroup
	for w := range watchers {
		changes, err := configMaps.Watch(ctx, metav1.ListOptions{LabelSelector: label})
		if err != nil {
			return nil, err
		}
		defer changes.Stop()
		running.Go(func() {
			for e := range changes.ResultChan() {
				var i int
				if created, ok := e.Object.(*corev1.ConfigMap); !ok || !parseIndex(created, &i) || i >= writes {
					return
				}
				seen[w] = append(seen[w], time.Since(begin)-time.Duration(begun[i].Load()))
				if len(seen[w]) == writes {
					return
				}
			}
		})
	}
	for i := range writes {
		cm := configMap(fmt.Sprintf("watched-%d-%d", watchers, i), "created")
		cm.Labels = map[string]string{"watched-by": fmt.Sprint(watchers)}
		cm.Data["index"] = fmt.Sprint(i)
		begun[i].Store(int64(time.Since(begin)))
		if _, err := configMaps.Create(ctx, cm, metav1.CreateOptions{}); err != nil {
			return nil, err
		}
		if err := pause(ctx, writeEvery); err != nil {
			return nil, err
		}
	}
	running.Wait()
	var all latencies
	for w, each := range seen {
		if len(each) != writes {
			return nil, fmt.Errorf("watcher %d has seen %d of %d writes", w, len(each), writes)
		}
		all = append(all, each...)
	}
	return all, nil
}

func parseIndex(cm *corev1.ConfigMap, i *int) bool {
	_, err := fmt.Sscan(cm.Data["index"], i)
	return err == nil
}
