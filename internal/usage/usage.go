// Package usage computes how much CPU and memory emulated containers use. The figures are invented:
// they depend only on the container's requests, a hash of its name and the time. So all replicas
// agree, also after a restart.
//
// A container with a CPU request uses between a fifth and three fifths of it, in a wave of ten
// minutes whose phase comes from the name. A container without one uses one to ten thousandths of a
// core. A container with a memory request uses a constant share of it, between half and four
// fifths; one without uses a constant 8 to 40 MiB. No container uses more than its limit. The
// annotations cpu-usage and memory-usage of a behaviour profile (internal/profile) override these
// figures. Where a workload or a Service declares a load (internal/load), its ready Pods share that
// load instead.
//
// All functions are pure.
package usage

import (
	"hash/fnv"
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/profile"
)

// Window is the time between two measurements, over which each is an average.
const Window = 15 * time.Second

// The figures of the package comment, and what a node uses.
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

// Container returns what a container of a Pod uses at a time. It returns false if the container had
// not run for a whole Window by then. work is the CPU for its share of declared loads (see package
// load), which replaces all other CPU usage; nil means no share.
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

// runs reports whether a container of a Pod has run for a Window at a time.
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

// cpuOf returns millionths of a core. where, from 0 to 1, is the phase of the container in its
// wave.
func cpuOf(c *corev1.Container, where float64, at time.Time) int64 {
	turn := where + float64(at.UnixNano()%int64(wave))/float64(wave)
	height := (1 + math.Sin(2*math.Pi*turn)) / 2 // from 0 to 1
	if asked := c.Resources.Requests.Cpu().MilliValue(); asked > 0 {
		return int64(float64(asked) * microsPerMillicpu * (leastShare + height*(mostShare-leastShare)))
	}
	return int64(microsPerMillicpu * (1 + height*(mostMilliCPU-1)))
}

// memoryOf returns bytes, a multiple of the page size.
func memoryOf(c *corev1.Container, where float64) int64 {
	least, most := float64(leastMemory), float64(mostMemory)
	if asked := c.Resources.Requests.Memory().Value(); asked > 0 {
		least, most = float64(asked)*leastMemoryShare, float64(asked)*mostMemoryShare
	}
	return int64(math.Ceil((least+where*(most-least))/page)) * page
}

// least returns the smaller of a quantity and its limit.
func least(q resource.Quantity, limits corev1.ResourceList, name corev1.ResourceName) resource.Quantity {
	if limit, ok := limits[name]; ok && limit.Cmp(q) < 0 {
		return limit.DeepCopy()
	}
	return q
}

// Node returns what a node itself uses, without its Pods.
func Node() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(nodeMilliCPU, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(nodeMemory, resource.BinarySI),
	}
}

// Add adds more to sum, in place.
func Add(sum, more corev1.ResourceList) {
	for name, q := range more {
		total := sum[name]
		total.Add(q)
		sum[name] = total
	}
}

// chance returns a number in [0, 1) that depends only on the words.
func chance(words ...string) float64 {
	hash := fnv.New64a()
	for _, w := range words {
		_, _ = hash.Write(append([]byte(w), 0)) // a hash never returns an error
	}
	mixed := hash.Sum64() * 0x9e3779b97f4a7c15 // similar names differ most in the low bits
	return float64(mixed>>11) / (1 << 53)
}
