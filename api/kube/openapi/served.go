package openapi

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/kind"
)

// Served describes one resource as its paths are documented.
type Served struct {
	GVK        schema.GroupVersionKind
	Plural     string // "deployments"
	Namespaced bool

	// Verbs are those of discovery: create, delete, deletecollection, get, list, patch, update,
	// watch. Others are a mistake and fail the build of the documents. "watch" adds no path of its
	// own: lists are watched with a parameter.
	Verbs []string

	// ReturnsDeleted is true where DELETE answers with the deleted object, as it does for Pods, and
	// false where it answers with a Status.
	ReturnsDeleted bool

	Subresources []Subresource

	// Custom has the schemas of a custom resource; nil for a kind that is built in.
	Custom *kind.Documented
}

// Subresource is a path below an object's own.
type Subresource struct {
	Name string // "status"

	// GVK is what the subresource reads and writes. Zero means the resource's own kind.
	GVK schema.GroupVersionKind

	// Verbs are create, get, patch, update, or "connect" for what is passed on or becomes a stream.
	Verbs []string

	// Options is a pointer to an options struct of k8s.io/api whose fields are further query
	// parameters of get and connect, such as *corev1.PodLogOptions. nil adds none.
	Options any

	// Methods are those of connect; nil is GET and POST. WithPath is true where they are taken on
	// all paths below too.
	Methods  []string
	WithPath bool

	// Text is true where get answers with plain text, as the log of a Pod does.
	Text bool
}

// Status is the /status subresource of a kind.
func Status() Subresource {
	return Subresource{Name: "status", Verbs: []string{"get", "patch", "update"}}
}

// Scale is the /scale subresource of a workload, an autoscaling/v1 Scale.
func Scale() Subresource {
	return Subresource{
		Name:  "scale",
		GVK:   schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"},
		Verbs: []string{"get", "patch", "update"},
	}
}
