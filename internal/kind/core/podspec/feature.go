package podspec

import (
	corev1 "k8s.io/api/core/v1"
)

// DropDisabledFields clears, in place, the fields whose feature gates are off by default in v1.36:
// stop signals (ContainerStopSignals), pod groups (GenericWorkload), and two sources of projected
// volumes (ClusterTrustBundleProjection, PodCertificateRequest). As with unknown fields, an API
// server drops them without an error, in templates as in Pods. It writes only to what has such a
// field: Pods share what admission adds to them.
//
// Source: kubernetes v1.36 pkg/api/pod/util.go, dropDisabledFields, and pkg/features/kube_features.go
func DropDisabledFields(s *corev1.PodSpec) {
	s.SchedulingGroup = nil
	for i := range s.InitContainers {
		dropStopSignal(&s.InitContainers[i].Lifecycle)
	}
	for i := range s.Containers {
		dropStopSignal(&s.Containers[i].Lifecycle)
	}
	for i := range s.EphemeralContainers {
		dropStopSignal(&s.EphemeralContainers[i].Lifecycle)
	}
	for _, v := range s.Volumes {
		if v.Projected == nil {
			continue
		}
		for i := range v.Projected.Sources {
			if source := &v.Projected.Sources[i]; source.ClusterTrustBundle != nil || source.PodCertificate != nil {
				source.ClusterTrustBundle, source.PodCertificate = nil, nil
			}
		}
	}
}

// dropStopSignal clears the stop signal, and a lifecycle that had nothing else.
func dropStopSignal(lifecycle **corev1.Lifecycle) {
	if *lifecycle == nil || (*lifecycle).StopSignal == nil {
		return
	}
	(*lifecycle).StopSignal = nil
	if **lifecycle == (corev1.Lifecycle{}) {
		*lifecycle = nil
	}
}
