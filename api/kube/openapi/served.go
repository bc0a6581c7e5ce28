package openapi

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/kind"
)

// Served describes one resource for its documentation.
type Served struct {
	GVK        schema.GroupVersionKind
	Plural     string // "deployments"
	Namespaced bool

	// Verbs are those of discovery: create, delete, deletecollection, get, list, patch, update,
	// watch. Other verbs are an error when the documents are built. "watch" adds no path, because a
	// watch is a list with a parameter.
	Verbs []string

	// ReturnsDeleted is true if DELETE returns the deleted object, as for Pods, and false if it
	// returns a Status.
	ReturnsDeleted bool

	Subresources []Subresource

	// Custom holds the schemas of a custom resource; nil for a built-in kind.
	Custom *kind.Documented
}

// Subresource is a path below an object's own.
type Subresource struct {
	Name string // "status"

	// GVK is the kind that the subresource reads and writes. Zero means the resource's own kind.
	GVK schema.GroupVersionKind

	// Verbs are create, get, patch, update, or "connect" for proxies and streams.
	Verbs []string

	// Options is a pointer to an options struct of k8s.io/api whose fields are further query
	// parameters of get and connect, such as *corev1.PodLogOptions. nil adds none.
	Options any

	// Methods are the methods of connect; nil means GET and POST. WithPath is true if all paths
	// below are served too.
	Methods  []string
	WithPath bool

	// Text is true if get returns plain text, such as the log of a Pod.
	Text bool
}

// Status returns the /status subresource of a kind.
func Status() Subresource {
	return Subresource{Name: "status", Verbs: []string{"get", "patch", "update"}}
}

// Scale returns the /scale subresource of a workload, an autoscaling/v1 Scale.
func Scale() Subresource {
	return Subresource{
		Name:  "scale",
		GVK:   schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"},
		Verbs: []string{"get", "patch", "update"},
	}
}
