package scheduler

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// BenchmarkReconcile schedules 500 Pods on empty nodes.
func BenchmarkReconcile(b *testing.B) {
	for _, nodes := range []int{3, 1000} {
		for _, kind := range []string{"one owner", "bare", "daemon"} {
			b.Run(fmt.Sprintf("500 Pods of %s on %d nodes", kind, nodes), func(b *testing.B) {
				s := Snapshot{Now: noon}
				var all []fixture
				for i := range nodes {
					n := node(fmt.Sprintf("node-%d", i))
					n.Status.Allocatable[corev1.ResourcePods] = resource.MustParse("1000")
					all = append(all, n)
				}
				s.Cluster = cluster(all...)
				for i := range 500 {
					p := pod(fmt.Sprintf("web-%d", i))
					switch kind {
					case "one owner":
						ownedBy("rs")(p)
					case "daemon":
						ownedBy("ds")(p)
						onNode(fmt.Sprintf("node-%d", i%nodes))(p)
					}
					s.Pods = append(s.Pods, p)
				}
				b.ReportAllocs()
				for b.Loop() {
					Reconcile(s)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/500, "ns/pod")
			})
		}
	}
}

// BenchmarkCluster fills 1,000 nodes in three zones with Pods of ten ReplicaSets, 500 at a time,
// and reports the time for each of the last 2,000 Pods, which should not depend on how many were
// placed before.
func BenchmarkCluster(b *testing.B) {
	kinds := map[string][]podOption{
		"plain":         nil,
		"zone spread":   {spreading("web", corev1.LabelTopologyZone, 1)},
		"anti-affinity": {far("web", corev1.LabelHostname)},
		"affinity":      {near("web", corev1.LabelTopologyZone)},
	}
	for _, kind := range []string{"plain", "zone spread", "anti-affinity", "affinity"} {
		for _, pods := range []int{2000, 20000} {
			b.Run(fmt.Sprintf("%s, %d Pods", kind, pods), func(b *testing.B) {
				total, counted := time.Duration(0), 0
				for b.Loop() {
					c := NewCluster()
					for i := range 1000 {
						n := zoned(fmt.Sprintf("node-%d", i), fmt.Sprint("zone-", i%3), offering("cpu", "64"), offering("memory", "256Gi"))
						n.Status.Allocatable[corev1.ResourcePods] = resource.MustParse("1000")
						c.SetNode(n.Node)
					}
					w := &world{Owners: map[types.UID]*metav1.LabelSelector{}}
					for at := 0; at < pods; at += 500 {
						s := Snapshot{Cluster: c, Related: w, Now: noon}
						for i := range 500 {
							owner := fmt.Sprint("rs-", (at+i)*10/pods)
							name := fmt.Sprint("web-", owner)
							p := pod(fmt.Sprintf("p-%d", at+i), ownedBy(owner), app(name))
							for _, o := range kinds[kind] {
								o(p)
							}
							rename(p, name)
							w.Owners[types.UID(owner)] = selects(name)
							s.Pods = append(s.Pods, p)
						}
						began := time.Now()
						plan := Reconcile(s)
						if at >= pods-2000 {
							total, counted = total+time.Since(began), counted+500
						}
						for _, u := range plan.Updates {
							if bound := u.Object.(*corev1.Pod); bound.Spec.NodeName != "" {
								c.AddPod(bound)
							}
						}
					}
				}
				b.ReportMetric(float64(total.Nanoseconds())/float64(counted), "ns/pod")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// rename has the Pod's terms and constraints select its own kind.
func rename(p *corev1.Pod, name string) {
	for i := range p.Spec.TopologySpreadConstraints {
		p.Spec.TopologySpreadConstraints[i].LabelSelector = selects(name)
	}
	if a := p.Spec.Affinity; a != nil && a.PodAffinity != nil {
		a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector = selects(name)
	}
	if a := p.Spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector = selects(name)
	}
}

// BenchmarkPreempt has 100 Pods make room for themselves in a cluster that is full of 20,000 less
// important ones, on many nodes and on few.
func BenchmarkPreempt(b *testing.B) {
	for _, nodes := range []int{1000, 3} {
		b.Run(fmt.Sprintf("%d nodes", nodes), func(b *testing.B) {
			c, w := NewCluster(), &world{Pods: map[types.UID]*corev1.Pod{}}
			each := 20000 / nodes
			for i := range nodes {
				n := node(fmt.Sprintf("node-%d", i), offering("cpu", fmt.Sprint(each)))
				n.Status.Allocatable[corev1.ResourcePods] = resource.MustParse("30000")
				c.SetNode(n.Node)
				for k := range each {
					p := pod(fmt.Sprintf("low-%d-%d", i, k), requesting("cpu", "1"), app("low"))
					p.Spec.NodeName = n.Name
					c.AddPod(p)
					w.Pods[p.UID] = p
				}
			}
			s := Snapshot{Cluster: c, Related: w, Now: noon, Limit: 500}
			for i := range 100 {
				s.Pods = append(s.Pods, pod(fmt.Sprintf("high-%d", i), requesting("cpu", "2"), ofPriority(5), app("high"), ownedBy("rs")))
			}
			placed := 0
			for b.Loop() {
				placed = len(Reconcile(s).Updates)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*placed), "ns/pod")
			b.ReportMetric(float64(placed), "pods/batch")
		})
	}
}
