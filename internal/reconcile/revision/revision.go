// Package revision keeps the history of a workload's Pod template in ControllerRevisions, as
// StatefulSets and DaemonSets do: it creates revisions, compares them, numbers them and says which
// exceed the limit. Package claim decides which revisions a workload holds.
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

	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
)

// HashLabel is the label of a StatefulSet's revision whose value is the hash of its data. A
// DaemonSet's revision has appsv1.ControllerRevisionHashLabelKey instead.
//
// Source: kubernetes v1.36 pkg/controller/history/controller_history.go, ControllerRevisionHashLabel
const HashLabel = "controller.kubernetes.io/hash"

// maxPrefix is the maximum length, in bytes, of the owner's name in the name of a revision.
const maxPrefix = 223

// New is a revision of the template, controlled by the claimant. Its number is the place in the
// history, counted from 1. The hash ends its name and is the value of the label hashLabel. It has
// the labels of the template and the annotations of the owner.
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

// Name is "<owner>-<hash>". A very long owner name is truncated.
//
// Source: kubernetes v1.36 pkg/controller/history/controller_history.go, ControllerRevisionName
func Name(owner, hash string) string {
	return owner[:min(len(owner), maxPrefix)] + "-" + hash
}

// Hash is the hash of a StatefulSet's revision, computed from its data, for example "6b5f7c9d8b".
// The collision count, initially 0, changes the hash of the same data. DaemonSets hash their
// template instead.
//
// Source: kubernetes v1.36 pkg/controller/history/controller_history.go, HashControllerRevision
func Hash(data []byte, collisionCount int32) string {
	hasher := fnv.New32()
	_, _ = hasher.Write(strconv.AppendInt(slices.Clone(data), int64(collisionCount), 10))
	return rand.SafeEncodeString(fmt.Sprint(hasher.Sum32()))
}

// Data is the content of a revision of a template: the strategic merge patch that replaces a
// workload's template with it. Its bytes are identical to upstream's, because they are compared and
// hashed.
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

// Template is the result of applying a revision to a template, which is not modified. It fails if
// the revision does not contain a patch of a template, which is possible if a user created it.
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

// Equal reports whether two revisions hold the same data.
//
// Source: kubernetes v1.36 pkg/controller/history/controller_history.go, EqualRevision
func Equal(a, b *appsv1.ControllerRevision) bool { return Holds(a, b.Data.Raw) }

// Holds reports whether a revision holds this data.
func Holds(r *appsv1.ControllerRevision, data []byte) bool { return bytes.Equal(r.Data.Raw, data) }

// Means reports whether applying a revision leaves a template unchanged, once defaults are set. A
// revision that an older release wrote may hold different data and mean the same.
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
	podspec.DefaultTemplate(restored)
	return bytes.Equal(Data(restored), data)
}

// Sorted returns the revisions from the oldest to the newest: by number, then by age, then by name.
// The argument is not modified.
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

// Next is the highest number of the revisions, in any order, plus one; 1 if none exist.
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

// Truncate returns the n oldest revisions that are not live; fewer if fewer exist, and none if n is
// not positive. Revisions that are already being deleted count towards n but are not returned.
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
