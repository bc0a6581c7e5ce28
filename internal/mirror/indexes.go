package mirror

import "slices"

// Indexes returns all indexes.
func Indexes() []Index {
	return slices.Concat(
		// owners and orphans
		[]Index{ByOwner, TerminatingByOwner, BlockersByOwner, CascadesByOwner, OrphanPods, OrphanReplicaSets, OrphanRevisions},
		// Pods and nodes
		[]Index{
			PodsByNode, ReadyPodsByNode, LeavingPodsByNode, PodsByAddress, PodsByHostPort, PodsByHostPath, PodsByReference, PodsByLabel,
			PodsByClaim, PodsByResourceClaim, DaemonSets, DaemonPods, EndedPods, UnadmittedPods, DeferredResizes,
		},
		// the network
		[]Index{Reserved, ServicesByAddress, NodesByAddress, SlicesByNamedAddress, SlicesByService, PoliciesBySelection},
		// storage and devices
		[]Index{
			FreeVolumes, VolumesByClaim, VolumesByAttributes, UnboundClaims, ClaimsByAttributes, CapacitiesByClass, AllocatedClaims,
		},
		// autoscalers and custom resources
		[]Index{Autoscalers, Scalable, Loaded, DefinitionsByName, DefinitionsWaiting, CustomResources, LiveCustomResources},
	)
}
