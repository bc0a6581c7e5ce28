// Package usage says how much CPU and memory emulated containers use. They use nothing really, so that it is made up: from
// what the container asks for, a hash of its name and the time, and nothing else. Every replica, now and after a restart, says the same.
//
// A container with a request for CPU uses between a fifth and three fifths of that, in a wave of ten minutes that begins where its name
// says; one without uses one to ten thousandths of a core. It uses between half and four fifths of the memory that it asks for,
// always the same, and from 8 to 40 MiB where it asks for none. It never uses more than its limit. The annotations cpu-usage and
// memory-usage of a behaviour profile (internal/profile) say something else. Where a load is declared for a workload or a Service
// (internal/load), the ready Pods share it instead.
//
// Everything here is a function of its arguments.
package usage

import (
	"hash/fnv"
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/profile"
)

// Window is the time between two measurements, and what one is an average over.
const Window = 15 * time.Second

// What containers use.
const (
	wave              = 10 * time.Minute
	leastShare        = 0.2
	mostShare         = 0.6
	leastMemory       = 8 << 20
	mostMemory        = 40 << 20
	mostMilliCPU      = 10
	leastMemoryShare  = 0.5
	mostMemoryShare   = 0.8
	nodeMilliCPU      = 100
	nodeMemory        = 512 << 20
	microsPerMillicpu = 1e3
	page              = 4 << 10
)

// At is the time of the newest measurement.
func At(now time.Time) time.Time { return now.Truncate(Window) }

// Container is what a container of a Pod uses at a time, and false if it had not run for a whole Window by then. work is how much CPU its
// share of declared loads takes (see package load), which is then all that it uses; nil for no such share.
func Container(p *corev1.Pod, c *corev1.Container, work *resource.Quantity, at time.Time) (corev1.ResourceList, bool) {
	if !runs(p, c.Name, at) {
		return nil, false
	}
	where := chance(p.Namespace, p.Name, c.Name)
	cpu, memory := profile.Usage(p, c.Name)
	if work != nil {
		cpu = work
	}
	if cpu == nil {
		cpu = resource.NewScaledQuantity(cpuOf(c, where, at), resource.Micro)
	}
	if memory == nil {
		memory = resource.NewQuantity(memoryOf(c, where), resource.BinarySI)
	}
	return corev1.ResourceList{
		corev1.ResourceCPU:    least(*cpu, c.Resources.Limits, corev1.ResourceCPU),
		corev1.ResourceMemory: least(*memory, c.Resources.Limits, corev1.ResourceMemory),
	}, true
}

// runs says whether a container of a Pod has run for a Window at a time.
func runs(p *corev1.Pod, container string, at time.Time) bool {
	for _, list := range [][]corev1.ContainerStatus{p.Status.ContainerStatuses, p.Status.InitContainerStatuses} {
		for i := range list {
			if s := &list[i]; s.Name == container {
				return s.State.Running != nil && !s.State.Running.StartedAt.Add(Window).After(at)
			}
		}
	}
	return false
}

// cpuOf is in millionths of a core. where in its wave a container begins is a number from 0 to 1.
func cpuOf(c *corev1.Container, where float64, at time.Time) int64 {
	turn := where + float64(at.UnixNano()%int64(wave))/float64(wave)
	height := (1 + math.Sin(2*math.Pi*turn)) / 2 // from 0 to 1
	if asked := c.Resources.Requests.Cpu().MilliValue(); asked > 0 {
		return int64(float64(asked) * microsPerMillicpu * (leastShare + height*(mostShare-leastShare)))
	}
	return int64(microsPerMillicpu * (1 + height*(mostMilliCPU-1)))
}

// memoryOf is in bytes, whole pages of it.
func memoryOf(c *corev1.Container, where float64) int64 {
	least, most := float64(leastMemory), float64(mostMemory)
	if asked := c.Resources.Requests.Memory().Value(); asked > 0 {
		least, most = float64(asked)*leastMemoryShare, float64(asked)*mostMemoryShare
	}
	return int64(math.Ceil((least+where*(most-least))/page)) * page
}

// least is a quantity or, where that is less, the limit.
func least(q resource.Quantity, limits corev1.ResourceList, name corev1.ResourceName) resource.Quantity {
	if limit, ok := limits[name]; ok && limit.Cmp(q) < 0 {
		return limit.DeepCopy()
	}
	return q
}

// Node is what a node uses for itself, besides its Pods.
func Node() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(nodeMilliCPU, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(nodeMemory, resource.BinarySI),
	}
}

// Add adds what something uses to a sum, in place.
func Add(sum, more corev1.ResourceList) {
	for name, q := range more {
		total := sum[name]
		total.Add(q)
		sum[name] = total
	}
}

// chance is a number from 0 up to but not including 1 that depends on the words alone.
func chance(words ...string) float64 {
	hash := fnv.New64a()
	for _, w := range words {
		_, _ = hash.Write(append([]byte(w), 0)) // a hash takes everything
	}
	mixed := hash.Sum64() * 0x9e3779b97f4a7c15 // the low bits of names that are alike differ most
	return float64(mixed>>11) / (1 << 53)
}
