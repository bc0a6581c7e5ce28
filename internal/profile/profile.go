// Package profile reads behaviour profiles: annotations that say how an emulated container behaves, for tests that
// need no program.
//
// A key is Prefix and a name, "emulation.rowlock.io/run-time", and then it is about every regular container of the
// Pod; or Prefix, a container's name, a point and a name, "emulation.rowlock.io/app.run-time", and then it is about
// that container alone, of whatever sort, and comes before the Pod's. The names are those of Names. What is drawn by
// chance depends on the seed annotation, the Pod's identity, the container and how often it has been restarted, and
// on nothing else: every replica, now and after a restart, draws the same.
//
// Everything here is a function of its arguments.
package profile

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Prefix begins the key of every annotation that is meant for the emulation.
const Prefix = "emulation.rowlock.io/"

// The names of annotations.
const (
	StartDelay         = "start-delay"         // how long the container waits before its first start, as if its image came slowly
	RunTime            = "run-time"            // how long it runs, "30s", "10s-1m" or "forever"; its program is not run then
	ExitCode           = "exit-code"           // what it ends with after its run time; without one, at once
	StopTime           = "stop-time"           // how long it goes on after TERM, if its program is not run
	ReadinessDelay     = "readiness-delay"     // how long after each start it is not ready, whatever its probes say
	FailureProbability = "failure-probability" // how likely each run is to fail, "0.1" or "10%"
	FailureAfter       = "failure-after"       // when a run that fails ends; without it, after its run time, or at once
	FailureExitCode    = "failure-exit-code"   // what such a run ends with, 1 without it
	Log                = "log"                 // a line for its log at the start
	Seed               = "seed"                // any text, from which chance is drawn
	CPUUsage           = "cpu-usage"           // how much CPU it is said to use, "250m"
	MemoryUsage        = "memory-usage"        // how much memory it is said to use, "64Mi"
)

// Names are all names of annotations, sorted.
var Names = []string{
	CPUUsage, ExitCode, FailureAfter, FailureExitCode, FailureProbability, Log, MemoryUsage, ReadinessDelay, RunTime, Seed, StartDelay, StopTime,
}

// longest is the longest time that a profile may state.
const longest = 10 * 365 * 24 * time.Hour

// maxLog is how many bytes a log line may have.
const maxLog = 4096

// Profile is what holds for one run of a container. The zero Profile changes nothing.
type Profile struct {
	StartDelay     time.Duration
	ReadinessDelay time.Duration

	// Replaced is true where the container's program is not run. What runs instead listens on no port but answers on
	// every one, ends with ExitCode after RunTime, or never if it is Forever, and on TERM after StopTime with 143.
	Replaced bool
	Forever  bool
	RunTime  time.Duration
	ExitCode int32
	StopTime time.Duration

	Log string
}

// Has says whether annotations hold any of a profile.
func Has(annotations map[string]string) bool {
	for key := range annotations {
		if strings.HasPrefix(key, Prefix) {
			return true
		}
	}
	return false
}

// Of reads the profile for a run of the Pod's container; run is how often the container has been restarted before. A
// value that Validate refuses counts as absent: Pods are validated before they are here.
func Of(pod *corev1.Pod, container string, run int32) Profile {
	if !Has(pod.Annotations) {
		return Profile{}
	}
	named := isNamed(pod, container)
	get := func(name string) (string, bool) {
		value, ok := pod.Annotations[Prefix+container+"."+name]
		if !ok && !named {
			value, ok = pod.Annotations[Prefix+name]
		}
		return value, ok && judge(name, value) == ""
	}
	duration := func(name string) time.Duration {
		value, _ := get(name)
		d, _ := parseDuration(value) // zero where it is absent
		return d
	}
	draw := func(what string) float64 {
		seed, _ := get(Seed)
		return chance(seed, identity(pod), container, strconv.Itoa(int(run)), what)
	}

	p := Profile{ReadinessDelay: duration(ReadinessDelay), StopTime: duration(StopTime)}
	if run == 0 {
		p.StartDelay = duration(StartDelay)
	}
	p.Log, _ = get(Log)
	if value, ok := get(RunTime); ok {
		p.Replaced = true
		p.RunTime, p.Forever = spanOf(value).at(draw(RunTime))
	}
	if value, ok := get(ExitCode); ok {
		p.Replaced, p.ExitCode = true, codeOf(value)
	}
	if value, ok := get(FailureProbability); ok && draw(FailureProbability) < probabilityOf(value) {
		p.Replaced, p.ExitCode = true, 1
		if code, ok := get(FailureExitCode); ok {
			p.ExitCode = codeOf(code)
		}
		if _, ok := get(FailureAfter); ok || p.Forever {
			p.Forever, p.RunTime = false, duration(FailureAfter)
		}
	}
	return p
}

// isNamed says whether only annotations with its name are about the container: init containers and ephemeral ones.
func isNamed(pod *corev1.Pod, container string) bool {
	return !slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == container })
}

// identity is what stays the same about a Pod when everything is done again from the start, as far as anything does:
// its namespace and its name or, as the name of an Indexed Job's Pod is drawn, its Job's name, its index and how
// often the index has failed before.
func identity(pod *corev1.Pod) string {
	owner, index := metav1.GetControllerOfNoCopy(pod), pod.Annotations[batchv1.JobCompletionIndexAnnotation]
	if owner == nil || index == "" {
		return pod.Namespace + "/" + pod.Name
	}
	failures := cmp.Or(pod.Annotations[batchv1.JobIndexFailureCountAnnotation], "0")
	ignored := cmp.Or(pod.Annotations[batchv1.JobIndexIgnoredFailureCountAnnotation], "0")
	return strings.Join([]string{pod.Namespace, owner.Name, index, failures, ignored}, "/")
}

// chance is a number from 0 up to but not including 1 that depends on the words alone.
func chance(words ...string) float64 {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
}

// span is a run time: from least to most, or without end.
type span struct {
	least, most time.Duration
	forever     bool
}

// at is the run time that a number from 0 to 1 draws, in whole milliseconds.
func (s span) at(draw float64) (d time.Duration, forever bool) {
	between := time.Duration(draw * float64(s.most-s.least))
	return s.least + between.Truncate(time.Millisecond), s.forever
}
