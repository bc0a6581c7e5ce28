package controller

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
	"github.com/rowlock/rowlock/internal/store"
)

// placesOfPod are the files and directories of its node that a Pod sees, and those of its persistent volumes.
func placesOfPod(v mirror.View, o *object.Version) (places []store.Place) {
	pod, ok := o.Object().(*corev1.Pod)
	if !ok {
		return nil
	}
	if pod.Spec.NodeName != "" && volumestate.UsesClaims(&pod.Spec) {
		for _, c := range claimsOfPod(v, pod) {
			if c.Volume != nil {
				node, path := volumestate.Place(c.Volume, pod.Spec.NodeName)
				places = append(places, store.Place{Node: node, Path: path})
			}
		}
	}
	for i := range pod.Spec.Volumes {
		if at := pod.Spec.Volumes[i].HostPath; at != nil && pod.Spec.NodeName != "" {
			places = append(places, store.Place{Node: pod.Spec.NodeName, Path: kubelet.HostPath(at)})
		}
	}
	return places
}

// claimsOfPod are what the claims that a Pod uses have come to, by the names of its volumes; nil for a Pod that uses none.
//
// Source: kubernetes v1.36 pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go, createVolumeSpec
func claimsOfPod(v mirror.View, pod *corev1.Pod) map[string]kubelet.Claimed {
	if !volumestate.UsesClaims(&pod.Spec) {
		return nil
	}
	claims := map[string]kubelet.Claimed{}
	for _, use := range volumestate.Uses(pod) {
		volume, err := volumeOf(v, pod, use)
		if err != nil {
			err = fmt.Errorf("error processing PVC %s/%s: %w", pod.Namespace, use.Claim, err)
		}
		claims[use.Volume] = kubelet.Claimed{Volume: volume, Err: err, ReadOnly: use.ReadOnly}
	}
	return claims
}

func volumeOf(v mirror.View, pod *corev1.Pod, use volumestate.Use) (*corev1.PersistentVolume, error) {
	o := v.Get(object.Key{Resource: "persistentvolumeclaims", Namespace: pod.Namespace, Name: use.Claim})
	if o == nil {
		return nil, fmt.Errorf("failed to fetch PVC from API server: persistentvolumeclaims %q not found", use.Claim)
	}
	claim := o.Object().(*corev1.PersistentVolumeClaim)
	if use.Ephemeral {
		if err := volumestate.MadeFor(pod, claim); err != nil {
			return nil, err
		}
	}
	switch {
	case claim.DeletionTimestamp != nil && pod.Status.PodIP == "":
		return nil, errors.New("PVC is being deleted")
	case claim.Status.Phase != corev1.ClaimBound || claim.Spec.VolumeName == "":
		return nil, errors.New("PVC is not bound")
	}
	o = v.Get(object.Key{Resource: "persistentvolumes", Name: claim.Spec.VolumeName})
	if o == nil {
		return nil, fmt.Errorf("failed to fetch PV %s from API server: persistentvolumes %q not found", claim.Spec.VolumeName, claim.Spec.VolumeName)
	}
	volume := o.Object().(*corev1.PersistentVolume)
	if volume.Spec.ClaimRef == nil || volume.Spec.ClaimRef.UID != claim.UID {
		return nil, fmt.Errorf("found PV object %s that is not claimed by PVC %s", volume.Name, claim.Name)
	}
	return volume, nil
}

// sawOther says whether a look at a Pod was given the files of other places than its claims have come to since.
func sawOther(look engine.Look, pod *corev1.Pod, claims map[string]kubelet.Claimed) bool {
	for _, c := range claims {
		if c.Volume == nil {
			continue
		}
		node, path := volumestate.Place(c.Volume, pod.Spec.NodeName)
		if !slices.Contains(look.Places, store.Place{Node: node, Path: path}) {
			return true
		}
	}
	return false
}

// sharing are the other Pods that see files which a Pod sees.
func sharing(v mirror.View, o *object.Version) (others []*corev1.Pod) {
	places := placesOfPod(v, o)
	if len(places) == 0 {
		return nil
	}
	pod := o.Object().(*corev1.Pod)
	seen := map[types.UID]bool{o.UID: true}
	add := func(other *object.Version) {
		if !seen[other.UID] && overlap(places, placesOfPod(v, other)) {
			seen[other.UID] = true
			others = append(others, other.Object().(*corev1.Pod))
		}
	}
	v.EachIn(mirror.PodsByHostPath, pod.Spec.NodeName, add)
	for _, use := range volumestate.Uses(pod) {
		v.EachIn(mirror.PodsByClaim, pod.Namespace+"/"+use.Claim, func(other *object.Version) {
			if !podstate.Terminal(other.Object().(*corev1.Pod)) {
				add(other)
			}
		})
	}
	return others
}

func overlap(a, b []store.Place) bool {
	below := func(p, q string) bool { return p == q || strings.HasPrefix(p, strings.TrimSuffix(q, "/")+"/") }
	for _, p := range a {
		for _, q := range b {
			if p.Node == q.Node && (below(p.Path, q.Path) || below(q.Path, p.Path)) {
				return true
			}
		}
	}
	return false
}

// tellSharing has the kubelets of Pods look that see files which a plan changes, or which a new Pod will see as they last wrote
// them.
func tellSharing(p plan.Plan, pod *corev1.Pod, others []*corev1.Pod) plan.Plan {
	if len(p.Files) > 0 || pod.Status.StartTime == nil {
		for _, other := range others {
			p.Wakes = append(p.Wakes, plan.Wake{Controller: Kubelet, Object: other})
		}
	}
	return p
}
