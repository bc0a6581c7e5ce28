// Package object is Rowlock's vocabulary: keys, revisions, types and stored versions. It does no
// I/O and knows no particular kind.
package object

import (
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// Object is any Kubernetes object that Rowlock stores: a k8s.io/api type with its metadata.
type Object interface {
	runtime.Object
	metav1.Object
}

// Revision numbers a committed change of the cluster. Revisions are gapless, start at 1 and grow in
// commit order; zero means "no revision". The string form, resourceVersion, exists only in the API
// and in metadata.
type Revision int64

// NoRequest is the cause of a change that no other change led to and no client asked for: its time
// had come, or the resync found it.
const NoRequest Revision = -1

// ResourceVersion returns the form in which clients see the revision.
func (r Revision) ResourceVersion() string { return strconv.FormatInt(int64(r), 10) }

// RevisionOf reads the revision from an object's metadata. For an empty or foreign resourceVersion
// it is 0.
func RevisionOf(o metav1.Object) Revision {
	r, err := strconv.ParseInt(o.GetResourceVersion(), 10, 64)
	if err != nil || r < 0 {
		return 0
	}
	return Revision(r)
}

// Type says how one served type is named and made. There is one Type per built-in stored resource,
// shared by pointer and never changed after package initialisation; for custom resources see
// TypeOf.
type Type struct {
	Group, Version, Kind string
	Plural               string // the resource's lower-case plural name, "deployments"
	Namespaced           bool
	New                  func() Object // an empty object; its TypeMeta need not be set

	// Custom is set on types of custom resources; nil for built-in ones.
	Custom *Custom

	// Graceful marks a type whose removals record in the object's last state when they happened:
	// see Version.Succeed.
	Graceful bool

	// Bulk marks a type with many objects that are seldom decoded: only their JSON is kept.
	Bulk bool
	// Weak makes a weak reference to an object of a Bulk type, by which its decoded form is found
	// again while it is in use, or not collected yet. See WeakTo. nil means decoding each time.
	Weak func(Object) func() Object

	// Parts decode parts that many objects of the type have in common, so that they share them in
	// memory; nil for none.
	Parts *json.Unmarshalers
	// Share replaces parts of an object by equal ones that other objects have as well. The object is
	// not shared itself yet, and is what the body encodes. nil means nothing to share.
	Share func(o Object, body []byte)

	resource, prefix string       // see Prepare
	decoding         json.Options // see Prepare
}

// Custom marks the type of custom resources, whose objects are *unstructured.Unstructured. A type
// that TypeOf has made from a body alone has a zero Custom.
type Custom struct {
	// Converter knows the schema of every version of the definition, for managedFields.
	Converter func() managedfields.TypeConverter
	// ReplicasPaths returns where each version has the replicas of its subresource scale, by
	// apiVersion; nil without one.
	ReplicasPaths func() managedfields.ResourcePathMappings
	// Status says that the status is a subresource.
	Status bool
	// StatusVersions are the versions, by apiVersion, in which it is.
	StatusVersions []string
	// Convertible reports whether objects can be converted to another version, by its apiVersion.
	Convertible func(apiVersion string) bool
	// Managers is for package fieldmanager, which caches there what it has made for the type.
	Managers sync.Map

	dictionary sync.Map // see Pack
}

// Prepare computes once what Resource and Prefix return and how bodies are decoded, which otherwise
// is computed at each call. Call it before the type is shared.
func (t *Type) Prepare() {
	t.resource, t.prefix, t.decoding = t.Resource(), Prefix(t), decodingOf(t.Parts)
}

// Resource names the type in storage, in keys and in errors: "pods", "deployments.apps".
func (t *Type) Resource() string {
	if t.resource != "" {
		return t.resource
	}
	return t.GroupResource().String()
}

// GroupResource returns the type's resource without its version.
func (t *Type) GroupResource() schema.GroupResource {
	return schema.GroupResource{Group: t.Group, Resource: t.Plural}
}

// GroupVersion returns the group and version in which the type is stored.
func (t *Type) GroupVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: t.Group, Version: t.Version}
}

// GroupVersionKind returns the type's full name.
func (t *Type) GroupVersionKind() schema.GroupVersionKind {
	return t.GroupVersion().WithKind(t.Kind)
}

// Key names an object within the cluster. Namespace is empty for cluster-scoped objects.
type Key struct {
	Resource, Namespace, Name string // Resource as in Type.Resource
}

// String returns "deployments.apps/default/web", or "nodes/node-1" without a namespace.
func (k Key) String() string {
	if k.Namespace == "" {
		return k.Resource + "/" + k.Name
	}
	return k.Resource + "/" + k.Namespace + "/" + k.Name
}

// Prefix is the beginning of every stored body of the type. The resourceVersion is inserted after
// it when a body is sent, so that bodies need no second encoding.
func Prefix(t *Type) string {
	if t.prefix != "" {
		return t.prefix
	}
	return prefixKind + t.Kind + prefixVersion + t.GroupVersion().String() + prefixMetadata
}

const prefixKind, prefixVersion, prefixMetadata = `{"kind":"`, `","apiVersion":"`, `","metadata":{`
