package openapi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// names maps kinds to their schemas.
type names struct {
	models map[schema.GroupVersionKind]model
	// kinds lists, sorted, the kinds that each model documents: options types belong to every
	// group.
	kinds map[string][]schema.GroupVersionKind
}

// newNames reads the names from a scheme of the groups with generated definitions.
func newNames() (*names, error) {
	scheme := runtime.NewScheme()
	groups := runtime.NewSchemeBuilder(
		appsv1.AddToScheme, authenticationv1.AddToScheme, authorizationv1.AddToScheme, autoscalingv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme,
		certificatesv1.AddToScheme, coordinationv1.AddToScheme, corev1.AddToScheme,
		discoveryv1.AddToScheme, eventsv1.AddToScheme, flowcontrolv1.AddToScheme, networkingv1.AddToScheme,
		nodev1.AddToScheme, policyv1.AddToScheme, rbacv1.AddToScheme, resourcev1.AddToScheme, schedulingv1.AddToScheme,
		storagev1.AddToScheme, apiextensionsv1.AddToScheme, metricsv1beta1.AddToScheme,
	)
	if err := groups.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("register the documented groups: %w", err)
	}
	n := &names{models: map[schema.GroupVersionKind]model{}, kinds: map[string][]schema.GroupVersionKind{}}
	gvks := make([]schema.GroupVersionKind, 0, 256)
	for gvk := range scheme.AllKnownTypes() {
		gvks = append(gvks, gvk)
	}
	slices.SortFunc(gvks, func(a, b schema.GroupVersionKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Kind, b.Kind))
	})
	for _, gvk := range gvks {
		name, err := scheme.ToOpenAPIDefinitionName(gvk)
		if err != nil {
			return nil, fmt.Errorf("name the schema of %v: %w", gvk, err)
		}
		n.models[gvk] = model(name)
		n.kinds[name] = append(n.kinds[name], gvk)
	}
	return n, nil
}

// model returns the schema of a kind. It fails for a kind of a group without generated definitions.
func (n *names) model(gvk schema.GroupVersionKind) (model, error) {
	m, ok := n.models[gvk]
	if !ok {
		return "", fmt.Errorf("no schema is generated for %v", gvk)
	}
	return m, nil
}

// definition returns the name under which builders publish a schema, which is its own, and the
// extensions that they add to it.
func (n *names) definition(name string) (string, spec.Extensions) {
	return name, extensions(n.kinds[name])
}

// definitionIn returns definition for one OpenAPI 3.0 document, by its path. DeleteOptions and
// WatchEvent, which belong to every group, list only this document's group and the core group.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/server/routes/openapi.go, filterScopedGVKs
func (n *names) definitionIn(path string) func(string) (string, spec.Extensions) {
	return func(name string) (string, spec.Extensions) {
		elsewhere := func(gvk schema.GroupVersionKind) bool {
			everywhere := gvk.Kind == "DeleteOptions" || gvk.Kind == "WatchEvent"
			return everywhere && gvk.Group != "" && groupVersionPath(gvk.GroupVersion()) != path
		}
		return name, extensions(slices.DeleteFunc(slices.Clone(n.kinds[name]), elsewhere))
	}
}

// groupVersionID returns the name of a group version in operation IDs: "AppsV1", "CoreV1",
// "EventsV1" for events.k8s.io/v1. Without a version, it is the group's name only.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/openapi/openapi.go, GetOperationIDAndTags
func groupVersionID(gv schema.GroupVersion) string {
	return upperFirst(camel(groupOf(gv))) + upperFirst(camel(gv.Version))
}

// groupVersionTag returns the tag of a group's operations: "apps_v1", "core_v1"; or "apps" without
// a version.
func groupVersionTag(gv schema.GroupVersion) string {
	if gv.Version == "" {
		return camel(groupOf(gv))
	}
	return camel(groupOf(gv)) + "_" + camel(gv.Version)
}

func groupOf(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "core"
	}
	return strings.TrimSuffix(gv.Group, ".k8s.io")
}

// camel converts s to camel case: "rbac.authorization" becomes "rbacAuthorization".
func camel(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i := range words {
		if i > 0 {
			words[i] = upperFirst(words[i])
		}
	}
	return strings.Join(words, "")
}

func upperFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// groupVersionPath returns "apis/apps/v1", or "api/v1" for the core group.
func groupVersionPath(gv schema.GroupVersion) string { return groupPath(gv) + "/" + gv.Version }

// groupPath returns "apis/apps", or "api" for the core group.
func groupPath(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "api"
	}
	return "apis/" + gv.Group
}
