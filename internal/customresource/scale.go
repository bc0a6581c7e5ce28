package customresource

import (
	"errors"
	"fmt"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Scale holds the simple JSON paths, such as ".spec.replicas", of the fields that the scale
// subresource of a custom resource reads and writes.
type Scale struct {
	SpecReplicasPath   string
	StatusReplicasPath string
	LabelSelectorPath  string // "" if there is no selector
}

// ErrNoReplicas is returned by Scale.Get for an object without the field at SpecReplicasPath. A GET
// of the scale then fails with 500; a PATCH or PUT succeeds if it sets the replicas.
var ErrNoReplicas = errors.New("the spec replicas field does not exist")

func newScale(s *apiextensionsv1.CustomResourceSubresourceScale) *Scale {
	scale := &Scale{SpecReplicasPath: s.SpecReplicasPath, StatusReplicasPath: s.StatusReplicasPath}
	if s.LabelSelectorPath != nil {
		scale.LabelSelectorPath = *s.LabelSelectorPath
	}
	return scale
}

// Get returns the scale of an object. Errors: ErrNoReplicas, wrapped with upstream's text, together
// with a scale whose replicas are 0; and fields of the wrong type.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/etcd.go, scaleFromCustomResource
func (s *Scale) Get(u *unstructured.Unstructured) (*autoscalingv1.Scale, error) {
	wanted, found, err := unstructured.NestedInt64(u.Object, splitPath(s.SpecReplicasPath)...)
	if err != nil {
		return nil, err
	}
	have, _, err := unstructured.NestedInt64(u.Object, splitPath(s.StatusReplicasPath)...)
	if err != nil {
		return nil, err
	}
	var selector string
	if s.LabelSelectorPath != "" {
		if selector, _, err = unstructured.NestedString(u.Object, splitPath(s.LabelSelectorPath)...); err != nil {
			return nil, err
		}
	}
	scale := &autoscalingv1.Scale{
		TypeMeta: metav1.TypeMeta{APIVersion: "autoscaling/v1", Kind: "Scale"},
		ObjectMeta: metav1.ObjectMeta{
			Name: u.GetName(), Namespace: u.GetNamespace(), UID: u.GetUID(),
			ResourceVersion: u.GetResourceVersion(), CreationTimestamp: u.GetCreationTimestamp(),
		},
		Spec:   autoscalingv1.ScaleSpec{Replicas: clamp(wanted)},
		Status: autoscalingv1.ScaleStatus{Replicas: clamp(have), Selector: selector},
	}
	if !found {
		return scale, &noReplicas{s.SpecReplicasPath}
	}
	return scale, nil
}

// clamp converts a count to the type that a scale has. Validation keeps counts in this range.
func clamp(n int64) int32 { return int32(max(-1<<31, min(n, 1<<31-1))) } //nolint:gosec // it is in range

// Set changes the replicas of an object, in place. Errors: a path that leads through something
// other than an object.
func (s *Scale) Set(u *unstructured.Unstructured, replicas int32) error {
	return unstructured.SetNestedField(u.Object, int64(replicas), splitPath(s.SpecReplicasPath)...)
}

// ReplicasPath returns SpecReplicasPath in the form that managedFields use.
func (s *Scale) ReplicasPath() fieldpath.Path {
	var path fieldpath.Path
	for _, name := range splitPath(s.SpecReplicasPath) {
		path = append(path, fieldpath.PathElement{FieldName: &name})
	}
	return path
}

// noReplicas is ErrNoReplicas with the path.
type noReplicas struct{ path string }

func (e *noReplicas) Error() string {
	return fmt.Sprintf("the spec replicas field %q does not exist", e.path)
}
func (e *noReplicas) Unwrap() error { return ErrNoReplicas }

// splitPath splits a simple JSON path, ".spec.replicas", into field names.
func splitPath(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }
