package deployment

import (
	"cmp"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// replicaSet is one ReplicaSet of the Deployment, with its changes.
type replicaSet struct {
	*appsv1.ReplicaSet

	was     *appsv1.ReplicaSet // as in the snapshot; nil if this plan creates it
	adopted bool

	activePods    int32
	availablePods int32
}

func (set *replicaSet) size() int32 { return size(set.ReplicaSet) }

// size is the ReplicaSet's spec.replicas, which defaulting has set.
func size(rs *appsv1.ReplicaSet) int32 {
	if rs.Spec.Replicas == nil {
		return 1
	}
	return *rs.Spec.Replicas
}

// growth is by how much its size has changed since the snapshot.
func (set *replicaSet) growth() int32 { return set.size() - size(set.was) }

// available is how many available Pods the ReplicaSet can count on, without those that it is about
// to delete.
func (set *replicaSet) available() int32 { return min(set.availablePods, set.size()) }

// reportedAvailable is how many of the available Pods its status reports too: the bound must also
// hold for clients that watch the ReplicaSets.
func (set *replicaSet) reportedAvailable() int32 {
	return min(set.available(), set.Status.AvailableReplicas)
}

// occupied is how many Pods the ReplicaSet has or may get. Pods that it is about to delete still
// count.
func (set *replicaSet) occupied() int32 { return max(set.activePods, set.size()) }

// counted reports whether the ReplicaSet's status reflects its spec including this plan's changes.
func (set *replicaSet) counted() bool {
	return set.was != nil && set.Status.ObservedGeneration >= set.Generation &&
		set.size() == size(set.was) && set.Spec.MinReadySeconds == set.was.Spec.MinReadySeconds
}

// edit is the ReplicaSet to change: a copy, made on the first change.
func (set *replicaSet) edit() *appsv1.ReplicaSet {
	if set.ReplicaSet == set.was {
		set.ReplicaSet = set.was.DeepCopy()
	}
	return set.ReplicaSet
}

// annotate sets an annotation and reports whether that changed anything.
func (set *replicaSet) annotate(key, value string) bool {
	if v, ok := set.Annotations[key]; ok && v == value {
		return false
	}
	metav1.SetMetaDataAnnotation(&set.edit().ObjectMeta, key, value)
	return true
}

func (set *replicaSet) changed() bool { return set.adopted || set.ReplicaSet != set.was }

// active are the ReplicaSets whose size is not 0.
func active(sets []*replicaSet) []*replicaSet {
	var out []*replicaSet
	for _, set := range sets {
		if set.size() > 0 {
			out = append(out, set)
		}
	}
	return out
}

// sizes is the sum of the ReplicaSets' sizes.
func sizes(sets []*replicaSet) (n int32) {
	for _, set := range sets {
		n += set.size()
	}
	return n
}

// occupied is the sum of the Pods that the ReplicaSets have or may get.
func occupied(sets []*replicaSet) (n int32) {
	for _, set := range sets {
		n += set.occupied()
	}
	return n
}

// byAge puts older ReplicaSets first, those of the same second by name.
func byAge(a, b *replicaSet) int {
	return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), strings.Compare(a.Name, b.Name))
}
