package pod

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/rowlock/rowlock/internal/kind"
)

// runtimeClassOf returns the RuntimeClass that a Pod names; nil if it names none.
func runtimeClassOf(p *corev1.Pod, c kind.Cluster) (*nodev1.RuntimeClass, error) {
	name := p.Spec.RuntimeClassName
	if name == nil {
		return nil, nil //nolint:nilnil // a Pod need not have a class
	}
	rc, ok := kind.Found[*nodev1.RuntimeClass](c, "runtimeclasses.node.k8s.io", "", *name)
	if !ok {
		return nil, fmt.Errorf("pod rejected: RuntimeClass %q not found", *name)
	}
	return rc, nil
}

var errOtherOverhead = errors.New("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")

// applyRuntimeClass sets the overhead, node selector and tolerations of a new Pod's RuntimeClass.
//
// Source: kubernetes v1.36 plugin/pkg/admission/runtimeclass/admission.go, Admit
func applyRuntimeClass(p *corev1.Pod, c kind.Cluster) error {
	rc, err := runtimeClassOf(p, c)
	if rc == nil || err != nil {
		return err
	}
	s := &p.Spec
	if rc.Overhead != nil {
		if len(s.Overhead) > 0 && !equality.Semantic.DeepEqual(rc.Overhead.PodFixed, s.Overhead) {
			return errOtherOverhead
		}
		s.Overhead = rc.Overhead.PodFixed.DeepCopy()
	}
	if rc.Scheduling == nil {
		return nil
	}
	selector := rc.Scheduling.NodeSelector
	for _, key := range slices.Sorted(maps.Keys(selector)) {
		value, ok := s.NodeSelector[key]
		if ok && value != selector[key] {
			return fmt.Errorf("conflict: runtimeClass.scheduling.nodeSelector[%s] = %s; pod.spec.nodeSelector[%s] = %s", key, selector[key], key, value)
		}
	}
	if s.NodeSelector == nil {
		s.NodeSelector = maps.Clone(selector)
	} else {
		maps.Copy(s.NodeSelector, selector)
	}
	s.Tolerations = mergeTolerations(s.Tolerations, rc.Scheduling.Tolerations)
	return nil
}

// denyByRuntimeClass rejects a new Pod whose overhead differs from its RuntimeClass's.
//
// Source: kubernetes v1.36 plugin/pkg/admission/runtimeclass/admission.go, Validate
func denyByRuntimeClass(p *corev1.Pod, c kind.Cluster) error {
	rc, err := runtimeClassOf(p, c)
	switch {
	case err != nil:
		return err
	case rc != nil && rc.Overhead != nil:
		if !equality.Semantic.DeepEqual(rc.Overhead.PodFixed, p.Spec.Overhead) {
			return errOtherOverhead
		}
	case p.Spec.Overhead != nil:
		return errors.New("pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead")
	}
	return nil
}

// mergeTolerations returns both lists without tolerations that another one covers.
//
// Source: kubernetes v1.36 pkg/util/tolerations/tolerations.go, MergeTolerations
func mergeTolerations(first, second []corev1.Toleration) []corev1.Toleration {
	all := slices.Concat(first, second)
	var merged []corev1.Toleration
	for i, t := range all {
		covers := func(by corev1.Toleration) bool { return coversToleration(by, t) }
		later := func(by corev1.Toleration) bool { return !sameToleration(by, t) && covers(by) }
		if !slices.ContainsFunc(merged, covers) && !slices.ContainsFunc(all[i+1:], later) {
			merged = append(merged, t)
		}
	}
	return merged
}

// sameToleration reports whether two tolerations are equal. It is fast, because each of a list may
// be compared with all others.
func sameToleration(a, b corev1.Toleration) bool {
	return a.Key == b.Key && a.Operator == b.Operator && a.Value == b.Value && a.Effect == b.Effect && sameSeconds(a.TolerationSeconds, b.TolerationSeconds)
}

// coversToleration reports whether by tolerates everything that t does.
//
// Source: kubernetes v1.36 pkg/util/tolerations/tolerations.go, isSuperset
func coversToleration(by, t corev1.Toleration) bool {
	switch {
	case sameToleration(by, t):
		return true
	case t.Key != by.Key && (by.Key != "" || by.Operator != corev1.TolerationOpExists), t.Effect != by.Effect && by.Effect != "":
		return false
	case by.Effect == corev1.TaintEffectNoExecute && by.TolerationSeconds != nil &&
		(t.TolerationSeconds == nil || *t.TolerationSeconds > *by.TolerationSeconds):
		return false
	case by.Operator == corev1.TolerationOpEqual || by.Operator == "":
		return t.Operator == corev1.TolerationOpEqual && t.Value == by.Value
	}
	return by.Operator == corev1.TolerationOpExists
}

func sameSeconds(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }
