package route

import (
	"net/http"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/kube/wire"
)

// Route is one served path and method, with its description for the OpenAPI document.
type Route struct {
	Method, Path string
	Verb         string // first word of upstream's operation ID: "list", "create", "replace", …
	Name         string // rest of the operation ID: "CoreV1NamespacedPodStatus"
	Summary      string
	Query        []string // names of parameters in parameters.go
	Body, Answer string   // names of schemas; "" for none
	Patch, Text  bool     // text: the answer is plain text
	OnlyJSON     bool     // the answer is always JSON
	Any, Rest    bool     // any: the answer has any type; rest: {path} is the rest of the path, including slashes
	Serve        Verb
}

// Verb is a handler that returns its error; after an error it has written nothing.
type Verb func(w http.ResponseWriter, req *http.Request) error

// Root returns the path of a group version.
func Root(group, version string) string {
	if group == "" {
		return "/api/" + version
	}
	return "/apis/" + group + "/" + version
}

// Query parameters of the verbs, by name; see parameters.go.
var (
	GetQuery  = []string{"pretty", wire.OmitManagedFields, "resourceVersion"}
	ListQuery = []string{
		"pretty", "allowWatchBookmarks", "continue", "fieldSelector", "labelSelector", "limit", wire.OmitManagedFields,
		"resourceVersion", "resourceVersionMatch", "sendInitialEvents", "timeoutSeconds", "watch",
	}
	CreateQuery           = []string{"pretty", "dryRun", "fieldManager", "fieldValidation"}
	PatchQuery            = []string{"pretty", "dryRun", "fieldManager", "fieldValidation", "force"}
	DeleteQuery           = []string{"pretty", "dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"}
	DeleteCollectionQuery = slices.Concat(DeleteQuery, []string{"continue", "fieldSelector", "labelSelector", "limit", "resourceVersion", "resourceVersionMatch"})
)

// Names of schemas that are not kinds of the catalogue.
const (
	StatusSchema        = "io.k8s.apimachinery.pkg.apis.meta.v1.Status"
	DeleteOptionsSchema = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"
	WatchEventSchema    = "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent"
	ScaleSchema         = "io.k8s.api.autoscaling.v1.Scale"
	BindingSchema       = "io.k8s.api.core.v1.Binding"
	EvictionSchema      = "io.k8s.api.policy.v1.Eviction"
	TokenRequestSchema  = "io.k8s.api.authentication.v1.TokenRequest"
)

// PatchTypes are the media types of patches. The CBOR form of server-side apply is behind a gate
// that is off upstream.
var PatchTypes = []string{string(types.JSONPatchType), string(types.MergePatchType), string(types.StrategicMergePatchType), string(types.ApplyYAMLPatchType)}
