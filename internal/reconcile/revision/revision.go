// Package revision keeps the history of a workload's Pod template in ControllerRevisions, as StatefulSets and DaemonSets
// do: it makes revisions, compares them, numbers them and says which are too many. Which revisions a workload holds is
// decided by package claim.
package revision

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
)

// HashLabel is the label of a StatefulSet's revision whose value is the hash of its data. That of a DaemonSet has
// appsv1.ControllerRevisionHashLabelKey in its place.
//
// Source: kubernetes v1.36 pkg/controller/history/controller_history.go, ControllerRevisionHashLabel
const HashLabel = "controller.kubernetes.io/hash"

// maxPrefix is how many bytes of the owner's name the name of a revision begins with at most.
const maxPrefix = 223

// New is a revision of the template that the claimant comes to control. Its number is the place in the history, from 1.
// The hash ends its name and is the value of the label hashLabel. It has the labels of the template and the
// annotations of the owner.
//
// Source: kubernetes v1.36 pkg/controller/history/controller_history.go, NewControllerRevision, and
// pkg/controller/daemon/update.go, snapshot
func New(by claim.Claimant, template *corev1.PodTemplateSpec, number int64, hashLabel, hash string) *appsv1.ControllerRevision {
	labels := make(map[string]string, len(template.Labels)+1)
	maps.Copy(labels, template.Labels)
	labels[hashLabel] = hash
	return &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       by.Owner.GetNamespace(),
			Name:            Name(by.Owner.GetName(), hash),
			Labels:          labels,
			Annotations:     maps.Clone(by.Owner.GetAnnotations()),
			OwnerReferences: []metav1.OwnerReference{by.Reference()},
		},
		Data:     runtime.RawExtension{Raw: Data(template)},
		Revision: number,
	}
}

// Name is "<owner>-<hash>", where a very long name of the owner is cut.
//
// Source: kubernetes v1.36 pkg/controller/history/controller_history.go, ControllerRevisionName
func Name(owner, hash string) string {
	return owner[:min(len(owner), maxPrefix)] + "-" + hash
}

// Hash is the hash of a StatefulSet's revision, "6b5f7c9d8b", by its data. The collision count, 0 at first, makes
// another hash of the same data. DaemonSets hash their template instead.
//
// Source: kubernetes v1.36 pkg/controller/history/controller_history.go, HashControllerRevision
func Hash(data []byte, collisionCount int32) string {
	hasher := fnv.New32()
	_, _ = hasher.Write(strconv.AppendInt(slices.Clone(data), int64(collisionCount), 10))
	return rand.SafeEncodeString(fmt.Sprint(hasher.Sum32()))
}

// Data is what a revision holds of a template: the strategic merge patch that puts it in place of a workload's. Its
// bytes are upstream's, as they are compared and hashed.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go and pkg/controller/daemon/update.go,
// getPatch
func Data(template *corev1.PodTemplateSpec) []byte {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(template)
	if err != nil {
		panic(fmt.Sprintf("revision: a Pod template: %v", err)) // plain data
	}
	fields["$patch"] = "replace"
	data, err := json.Marshal(map[string]any{"spec": map[string]any{"template": fields}})
	if err != nil {
		panic(fmt.Sprintf("revision: the patch of a Pod template: %v", err)) // strings, numbers and maps
	}
	return data
}

// Template is what applying a revision makes of a template, which stays as it is. It fails if the revision holds no patch of
// a template, as one may that a user has made.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, ApplyRevision
func Template(template *corev1.PodTemplateSpec, r *appsv1.ControllerRevision) (*corev1.PodTemplateSpec, error) {
	var whole appsv1.StatefulSet
	whole.Spec.Template = *template
	before, err := json.Marshal(&whole)
	if err != nil {
		return nil, fmt.Errorf("revision %s: %w", r.Name, err)
	}
	after, err := strategicpatch.StrategicMergePatch(before, r.Data.Raw, &whole)
	if err != nil {
		return nil, fmt.Errorf("revision %s: %w", r.Name, err)
	}
	var restored appsv1.StatefulSet
	if err := json.Unmarshal(after, &restored); err != nil {
		return nil, fmt.Errorf("revision %s: %w", r.Name, err)
	}
	return &restored.Spec.Template, nil
}

// Equal says whether two revisions hold the same data.
//
// Source: kubernetes v1.36 pkg/controller/history/controller_history.go, EqualRevision
func Equal(a, b *appsv1.ControllerRevision) bool { return Holds(a, b.Data.Raw) }

// Holds says whether a revision holds these data.
func Holds(r *appsv1.ControllerRevision, data []byte) bool { return bytes.Equal(r.Data.Raw, data) }

// Means says whether applying a revision leaves a template as it is, once defaults are filled in. A revision that an
// older release has written may hold other data and mean the same.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, setMatchesLatestExistingRevision
func Means(r *appsv1.ControllerRevision, template *corev1.PodTemplateSpec) bool {
	data := Data(template)
	if Holds(r, data) {
		return true
	}
	restored, err := Template(template, r)
	if err != nil {
		return false
	}
	kind.DefaultPodTemplateSpec(restored)
	return bytes.Equal(Data(restored), data)
}

// Sorted are the revisions from the oldest to the newest: by number, then by age, then by name. The argument stays as
// it is.
//
// Source: kubernetes v1.36 pkg/controller/history/controller_history.go, byRevision
func Sorted(revisions []*appsv1.ControllerRevision) []*appsv1.ControllerRevision {
	sorted := slices.Clone(revisions)
	slices.SortStableFunc(sorted, func(a, b *appsv1.ControllerRevision) int {
		return cmp.Or(cmp.Compare(a.Revision, b.Revision),
			a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
	return sorted
}

// Next is one more than the highest number of the revisions, in any order; 1 if there are none.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, nextRevision, and
// pkg/controller/daemon/update.go, maxRevision
func Next(revisions []*appsv1.ControllerRevision) int64 {
	var highest int64
	for _, r := range revisions {
		highest = max(highest, r.Revision)
	}
	return highest + 1
}

// Truncate is which n revisions go, the oldest first, where those that are live stay; fewer if there are not so many, and
// none if n is not positive. Revisions that are being deleted already count among the n.
func Truncate(revisions []*appsv1.ControllerRevision, n int, live func(*appsv1.ControllerRevision) bool) []*appsv1.ControllerRevision {
	var gone []*appsv1.ControllerRevision
	for _, r := range Sorted(revisions) {
		if n <= 0 {
			break
		}
		if live(r) {
			continue
		}
		n--
		if r.DeletionTimestamp == nil {
			gone = append(gone, r)
		}
	}
	return gone
}
