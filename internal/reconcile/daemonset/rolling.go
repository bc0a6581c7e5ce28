package daemonset

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// update takes the next step of a rolling update: it deletes old Pods, which later plans replace,
// or creates new Pods beside old ones. It is not called while the nodes need other changes.
//
// Source: kubernetes v1.36 pkg/controller/daemon/update.go, rollingUpdate and updatedDesiredNodeCounts
func (d *daemons) update() {
	desired := 0
	for _, fit := range d.fits {
		if fit.run {
			desired++
		}
	}
	unavailable, surge := 0, scaled(d.maxSurge(), desired)
	if r := d.DaemonSet.Spec.UpdateStrategy.RollingUpdate; r != nil {
		unavailable = scaled(r.MaxUnavailable, desired)
	}
	if desired > 0 && unavailable == 0 && surge == 0 {
		unavailable = 1
	}
	if surge == 0 {
		d.replace(unavailable)
	} else {
		d.surge(surge, desired)
	}
}

// revisions are the old and the new Pod of a node, without those that are being deleted; nil if
// missing. It returns false if there are several of either, which manage handles.
//
// Source: kubernetes v1.36 pkg/controller/daemon/update.go, findUpdatedPodsOnNode
func (d *daemons) revisions(node string) (oldPod, newPod *corev1.Pod, ok bool) {
	for _, p := range d.pods[node] {
		if p.DeletionTimestamp != nil {
			continue
		}
		which := &oldPod
		if d.updated(p) {
			which = &newPod
		}
		if *which != nil {
			return nil, nil, false
		}
		*which = p
	}
	return oldPod, newPod, true
}

// replace deletes old Pods so that at most maxUnavailable nodes are without an available one. Old
// Pods that are not available are always deleted.
func (d *daemons) replace(maxUnavailable int) {
	unavailable := 0
	var broken, candidates []*corev1.Pod
	for _, node := range d.places() {
		oldPod, newPod, ok := d.revisions(node)
		switch {
		case !ok, (oldPod == nil) == (newPod == nil): // none, or too many: manage handles the node
			unavailable++
		case newPod != nil:
			if !d.available(newPod) {
				unavailable++
			}
		case !d.available(oldPod):
			broken = append(broken, oldPod)
			unavailable++
		default:
			candidates = append(candidates, oldPod)
		}
	}
	room := max(0, maxUnavailable-unavailable)
	d.delete(broken...)
	d.delete(candidates[:min(room, len(candidates))]...)
}

// surge creates new Pods beside old ones, on at most maxSurge nodes, and deletes an old Pod when
// the new one on its node is available. If the old Pod is not available, a new one is always
// created. An available Pod on a node that must no longer have one is deleted once enough Pods are
// available without it.
//
// Differs: if a Pod is on a node that does not exist, upstream takes no step of the update at all;
// here the node counts as one that must not have a Pod.
func (d *daemons) surge(maxSurge, desired int) {
	surging, available := 0, 0
	var gone, leaving []*corev1.Pod
	var urgent, candidates []string
	for _, node := range d.places() {
		oldPod, newPod, ok := d.revisions(node)
		if !ok { // manage handles the node
			surging++
			continue
		}
		if p := oldPod; p != nil && d.available(p) || p == nil && newPod != nil && d.available(newPod) {
			available++
		}
		run := d.fits[node].run
		switch {
		case oldPod == nil: // manage creates a Pod if none exists
		case newPod != nil && d.available(newPod):
			gone = append(gone, oldPod)
		case newPod != nil:
			surging++
		case !run && d.available(oldPod):
			leaving = append(leaving, oldPod)
		case !run:
			gone = append(gone, oldPod)
		case d.available(oldPod):
			candidates = append(candidates, node)
		default:
			urgent = append(urgent, node)
		}
	}
	for _, node := range append(urgent, candidates[:min(max(0, maxSurge-surging), len(candidates))]...) {
		d.create(node)
	}
	d.delete(gone...)
	d.delete(leaving[:min(max(0, available-desired), len(leaving))]...)
}

// places are the names of all nodes that have a Pod or must have one, in order, whether they exist
// or not.
func (d *daemons) places() []string {
	names := maps.Clone(d.pods)
	for name, fit := range d.fits {
		if fit.run {
			names[name] = d.pods[name]
		}
	}
	return slices.Sorted(maps.Keys(names))
}
