package controller_test

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/wakeup"
)

// BenchmarkRoute measures what the store asks the routes for one change.
func BenchmarkRoute(b *testing.B) {
	started := pod(onNode, owned(web), func(p *corev1.Pod) { p.Status.Phase = corev1.PodRunning })
	for name, d := range map[string]wakeup.Diff{
		"status":    {Old: pod(onNode, owned(web)), New: started, Controller: "kubelet"},
		"create":    {New: pod(owned(web)), Controller: "replicaset"},
		"delete":    {Old: started, Controller: "kubelet"},
		"configmap": {Old: aConfigMap("a"), New: aConfigMap("a")},
	} {
		b.Run(name, func(b *testing.B) {
			resource := resources[reflect.TypeOf(d.Last())]
			var wakes []wakeup.Wake
			b.ReportAllocs()
			for b.Loop() {
				route := routes.Of(resource)
				wakes = route.Wakes(wakes[:0], d)
				_, _ = route.Adopters(d), route.Selected(d)
			}
		})
	}
}
