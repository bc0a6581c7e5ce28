// Package profile parses behaviour profiles: annotations that define how an emulated container
// behaves, for tests that need no program.
//
// A key is Prefix and a name, "emulation.rowlock.io/run-time", and then it applies to every regular
// container of the Pod; or Prefix, a container's name, a point and a name,
// "emulation.rowlock.io/app.run-time", and then it applies only to that container, of whatever
// sort, and overrides the Pod's. The names are those of Names. Random values depend only on the
// seed annotation, the Pod's identity, the container and how often it has been restarted: every
// replica, now and after a restart, draws the same.
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

// Profile is the behaviour of one run of a container. The zero Profile changes nothing.
type Profile struct {
	StartDelay     time.Duration
	ReadinessDelay time.Duration

	// Replaced is true if the container's program is not run. Its replacement listens on no port
	// but answers on every one, ends with ExitCode after RunTime, or never if it is Forever, and on
	// TERM after StopTime with 143.
	Replaced bool
	Forever  bool
	RunTime  time.Duration
	ExitCode int32
	StopTime time.Duration

	Log string
}

// Of returns the profile for a run of the Pod's container; run is how often the container has been
// restarted before. A value that Validate refuses counts as absent: Pods are validated before they
// get here.
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
		d, _ := parseDuration(value) // zero if it is absent
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

// isNamed reports whether only annotations with its name apply to the container: init containers
// and ephemeral ones.
func isNamed(pod *corev1.Pod, container string) bool {
	return !slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == container })
}

// identity returns what stays the same about a Pod when everything is repeated from the start, as
// far as possible: its namespace and its name or, because the name of an Indexed Job's Pod is
// generated, its Job's name, its index and how often the index has failed before.
func identity(pod *corev1.Pod) string {
	owner, index := metav1.GetControllerOfNoCopy(pod), pod.Annotations[batchv1.JobCompletionIndexAnnotation]
	if owner == nil || index == "" {
		return pod.Namespace + "/" + pod.Name
	}
	failures := cmp.Or(pod.Annotations[batchv1.JobIndexFailureCountAnnotation], "0")
	ignored := cmp.Or(pod.Annotations[batchv1.JobIndexIgnoredFailureCountAnnotation], "0")
	return strings.Join([]string{pod.Namespace, owner.Name, index, failures, ignored}, "/")
}

// chance returns a number from 0 up to but not including 1 that depends only on the words.
func chance(words ...string) float64 {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
}
