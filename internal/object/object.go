// Package object is Rowlock's vocabulary: what a key, a revision, a type and a stored version are.
// It does no I/O and knows no particular kind.
package object

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Object is any Kubernetes object that Rowlock stores: a k8s.io/api type with its metadata.
type Object interface {
	runtime.Object
	metav1.Object
}

// Revision numbers a committed change of the cluster. Revisions are gapless, start at 1 and grow in commit
// order; zero means "no revision". The string form, resourceVersion, exists only in the API and in metadata.
type Revision int64

// NoRequest is the cause of a change that no other change led to and no client asked for: its time had come, or a controller looked
// on its round.
const NoRequest Revision = -1

// ResourceVersion is the form in which clients see the revision.
func (r Revision) ResourceVersion() string { return strconv.FormatInt(int64(r), 10) }

// RevisionOf reads the revision out of an object's metadata. An empty or foreign resourceVersion is 0.
func RevisionOf(o metav1.Object) Revision {
	r, err := strconv.ParseInt(o.GetResourceVersion(), 10, 64)
	if err != nil || r < 0 {
		return 0
	}
	return Revision(r)
}

// Type says how one served type is named and made. There is one Type per stored resource that is built in, shared by
// pointer and never changed after package initialisation; for custom resources see TypeOf.
type Type struct {
	Group, Version, Kind string
	Plural               string // the resource's lower-case plural name, "deployments"
	Namespaced           bool
	New                  func() Object // an empty object; its TypeMeta need not be set

	// Custom is set on types of custom resources; nil for those that are built in.
	Custom *Custom

	// Graceful marks a type whose removals say in the object's last state when they were: see Version.Succeed.
	Graceful bool

	// Bulk marks a type of which there are many objects that are seldom looked into: only their JSON is kept at hand.
	Bulk bool
	// Weak makes a weak reference to an object of a Bulk type, by which its decoded form is found again while it is in use, or
	// has not been collected yet. See WeakTo. nil decodes anew each time.
	Weak func(Object) func() Object
}

// Resource names the type in storage, in keys and in errors: "pods", "deployments.apps".
func (t *Type) Resource() string { return t.GroupResource().String() }

// GroupResource is the type's resource without its version.
func (t *Type) GroupResource() schema.GroupResource {
	return schema.GroupResource{Group: t.Group, Resource: t.Plural}
}

// GroupVersion is the group and version in which the type is stored.
func (t *Type) GroupVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: t.Group, Version: t.Version}
}

// GroupVersionKind is the type's full name.
func (t *Type) GroupVersionKind() schema.GroupVersionKind {
	return t.GroupVersion().WithKind(t.Kind)
}

// Key names an object within the cluster. Namespace is empty for cluster-scoped objects.
type Key struct {
	Resource, Namespace, Name string // Resource as by Type.Resource
}

// String is "deployments.apps/default/web", or "nodes/node-1" without a namespace.
func (k Key) String() string {
	if k.Namespace == "" {
		return k.Resource + "/" + k.Name
	}
	return k.Resource + "/" + k.Namespace + "/" + k.Name
}
