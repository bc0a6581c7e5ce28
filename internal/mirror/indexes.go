package mirror

// Indexes returns all indexes.
func Indexes() []Index {
	return []Index{ByOwner, TerminatingByOwner, BlockersByOwner, CascadesByOwner, OrphanPods, OrphanReplicaSets, OrphanRevisions, DaemonSets, DaemonPods, PodsByNode, ReadyPodsByNode, LeavingPodsByNode, CapacitiesByClass, PodsByAddress, Loaded, Reserved, ServicesByAddress, NodesByAddress, SlicesByNamedAddress, PoliciesBySelection, PodsByHostPort, EndedPods, PodsByReference, PodsByHostPath, UnadmittedPods, DeferredResizes, PodsByLabel, SlicesByService,
		PodsByClaim, PodsByResourceClaim, AllocatedClaims, FreeVolumes, VolumesByClaim, UnboundClaims, ClaimsByAttributes, VolumesByAttributes, Autoscalers, Scalable, DefinitionsByName, DefinitionsWaiting, CustomResources, LiveCustomResources}
}
