package metrics

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/usage"
)

// Measurement is what all containers of a Pod used together at a time.
type Measurement struct {
	At    time.Time
	Usage corev1.ResourceList
}

// History returns the measurements of a Pod after one time and up to another, every step, which
// must be a multiple of usage.Window. versions are the Pod's, oldest first. There is no measurement
// where no container ran, and none before the first version. Declared loads are ignored: see Loads.
func History(versions []*object.Version, from, to time.Time, step time.Duration) (all []Measurement) {
	next := 0
	var pod *corev1.Pod
	for at := from.Truncate(step).Add(step); !at.After(to); at = at.Add(step) {
		for ; next < len(versions) && !versions[next].At.Time().After(at); next++ {
			pod = nil
			if versions[next].Verb != object.Deleted {
				pod, _ = versions[next].Object().(*corev1.Pod)
			}
		}
		if pod == nil {
			continue
		}
		sum := corev1.ResourceList{}
		for _, c := range containerMetrics(pod, &Work{at: at}) {
			usage.Add(sum, c.Usage)
		}
		if len(sum) > 0 {
			all = append(all, Measurement{At: at, Usage: sum})
		}
	}
	return all
}

// Loads reports whether a load is declared, now, that Pods of a namespace with these labels share
// when they are ready.
func Loads(c kind.Cluster, namespace string, of labels.Set) bool {
	for _, s := range WorkAt(c, time.Time{}).in(namespace) {
		if s.selector.Matches(of) {
			return true
		}
	}
	return false
}
