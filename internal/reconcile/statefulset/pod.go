package statefulset

import (
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podtemplate"
	"github.com/rowlock/rowlock/internal/reconcile/revision"
)

// newPod is the Pod of an ordinal, made from the revision that it must have. Its hostname is its
// name, and its subdomain is the name of the governing Service (STS-006).
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, newVersionedStatefulSetPod and
// newStatefulSetPod
func (s *syncing) newPod(ordinal int) *corev1.Pod {
	template, of := &s.set.Spec.Template, s.update
	if s.staysAtCurrent(ordinal) && s.current != s.update {
		if old, err := revision.Template(template, s.current); err == nil {
			template, of = old, s.current
		}
	}
	pod := podtemplate.NewPod(template, s.set, s.by.Reference())
	pod.Name = podName(s.set, ordinal)
	identify(pod, ordinal)
	pod.Labels[appsv1.StatefulSetRevisionLabel] = of.Name
	pod.Spec.Hostname, pod.Spec.Subdomain = pod.Name, s.set.Spec.ServiceName
	pod.Spec.Volumes = volumes(s.set, pod, ordinal)
	return pod
}

// staysAtCurrent reports whether the Pod of an ordinal must be of the current revision: ordinals
// below the partition or, without a partition, those that the update has not reached yet.
func (s *syncing) staysAtCurrent(ordinal int) bool {
	index := ordinal - s.start()
	strategy := s.set.Spec.UpdateStrategy
	if rolling := strategy.RollingUpdate; rolling != nil {
		return rolling.Partition != nil && index < int(*rolling.Partition)
	}
	return strategy.Type == appsv1.RollingUpdateStatefulSetStrategyType && index < int(s.set.Status.CurrentReplicas)
}

// identify adds the labels of the ordinal to a Pod, in place (STS-010).
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, updateIdentity
func identify(pod *corev1.Pod, ordinal int) {
	if pod.Labels == nil {
		pod.Labels = map[string]string{}
	}
	pod.Labels[appsv1.StatefulSetPodNameLabel] = pod.Name
	pod.Labels[appsv1.PodIndexLabel] = strconv.Itoa(ordinal)
}

// hasIdentity reports whether a Pod has the label with its name.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, identityMatches
func hasIdentity(pod *corev1.Pod) bool { return pod.Labels[appsv1.StatefulSetPodNameLabel] == pod.Name }

// volumes returns one volume for each PersistentVolumeClaim template, followed by the Pod's other
// volumes (STS-011).
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, updateStorage
// Differs: upstream orders the PersistentVolumeClaim volumes at random; here they have the order of
// the templates.
func volumes(set *appsv1.StatefulSet, pod *corev1.Pod, ordinal int) []corev1.Volume {
	templates := set.Spec.VolumeClaimTemplates
	if len(templates) == 0 {
		return pod.Spec.Volumes
	}
	out := make([]corev1.Volume, 0, len(templates)+len(pod.Spec.Volumes))
	claimed := make(map[string]bool, len(templates))
	for i := range templates {
		if name := templates[i].Name; !claimed[name] {
			claimed[name] = true
			out = append(out, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claimName(set, &templates[i], ordinal)},
			}})
		}
	}
	for _, v := range pod.Spec.Volumes {
		if !claimed[v.Name] {
			out = append(out, v)
		}
	}
	return out
}

// hasStorage reports whether a Pod has a volume for each PersistentVolumeClaim template.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, storageMatches
func (s *syncing) hasStorage(pod *corev1.Pod, ordinal int) bool {
	for i := range s.set.Spec.VolumeClaimTemplates {
		template := &s.set.Spec.VolumeClaimTemplates[i]
		found := false
		for j := range pod.Spec.Volumes {
			v := &pod.Spec.Volumes[j]
			if v.Name == template.Name {
				found = v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claimName(s.set, template, ordinal)
			}
		}
		if !found {
			return false
		}
	}
	return true
}
