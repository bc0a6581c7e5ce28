package openapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

func document(t *testing.T, h http.Handler, path string) *spec3.OpenAPI {
	t.Helper()
	var d spec3.OpenAPI
	res := request(h, "GET", "/openapi/v3/"+path)
	if err := json.NewDecoder(res.Body).Decode(&d); err != nil {
		t.Fatal(err)
	}
	return &d
}

// operations returns the operations of a path, by method.
func operations(p *spec3.Path) map[string]*spec3.Operation {
	all := map[string]*spec3.Operation{"GET": p.Get, "PUT": p.Put, "POST": p.Post, "DELETE": p.Delete, "PATCH": p.Patch}
	maps.DeleteFunc(all, func(_ string, o *spec3.Operation) bool { return o == nil })
	return all
}

// printOperations prints one line for each operation at or below a path: method, path, ID, action,
// kind, body, answer.
func printOperations(d *spec3.OpenAPI, below string) string {
	var out strings.Builder
	for _, path := range slices.Sorted(maps.Keys(d.Paths.Paths)) {
		if !strings.HasPrefix(path, below) {
			continue
		}
		all := operations(d.Paths.Paths[path])
		for _, method := range slices.Sorted(maps.Keys(all)) {
			o := all[method]
			kind, _ := o.Extensions["x-kubernetes-group-version-kind"].(map[string]any)
			body := "-"
			if o.RequestBody != nil {
				body = schemaOf(o.RequestBody.Content)
			}
			codes := slices.Sorted(maps.Keys(o.Responses.StatusCodeResponses))
			answer := schemaOf(o.Responses.StatusCodeResponses[200].Content)
			fmt.Fprintf(&out, "%s %s %s %v %v %s %v %s\n",
				method, strings.TrimPrefix(path, below), o.OperationId, o.Extensions["x-kubernetes-action"], kind["kind"], body, codes, answer)
		}
	}
	return out.String()
}

// schemaOf returns the last part of the name of the schema that all content types share.
func schemaOf(content map[string]*spec3.MediaType) string {
	for _, c := range content {
		if ref := c.Schema.Ref.String(); ref != "" {
			return ref[strings.LastIndex(ref, ".")+1:]
		}
		return strings.Join(c.Schema.Type, ",")
	}
	return ""
}

func TestOperations(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, document, below, want string }{
		{"namespaced resource", "apis/apps/v1", "/apis/apps/v1/namespaces/{namespace}/deployments", `
DELETE  deleteAppsV1CollectionNamespacedDeployment deletecollection Deployment DeleteOptions [200 401] Status
GET  listAppsV1NamespacedDeployment list Deployment - [200 401] DeploymentList
POST  createAppsV1NamespacedDeployment post Deployment Deployment [200 201 202 401] Deployment
DELETE /{name} deleteAppsV1NamespacedDeployment delete Deployment DeleteOptions [200 202 401] Status
GET /{name} readAppsV1NamespacedDeployment get Deployment - [200 401] Deployment
PATCH /{name} patchAppsV1NamespacedDeployment patch Deployment Patch [200 201 401] Deployment
PUT /{name} replaceAppsV1NamespacedDeployment put Deployment Deployment [200 201 401] Deployment
GET /{name}/scale readAppsV1NamespacedDeploymentScale get Scale - [200 401] Scale
PATCH /{name}/scale patchAppsV1NamespacedDeploymentScale patch Scale Patch [200 201 401] Scale
PUT /{name}/scale replaceAppsV1NamespacedDeploymentScale put Scale Scale [200 201 401] Scale
GET /{name}/status readAppsV1NamespacedDeploymentStatus get Deployment - [200 401] Deployment
PATCH /{name}/status patchAppsV1NamespacedDeploymentStatus patch Deployment Patch [200 201 401] Deployment
PUT /{name}/status replaceAppsV1NamespacedDeploymentStatus put Deployment Deployment [200 201 401] Deployment
`},
		{"all namespaces", "apis/apps/v1", "/apis/apps/v1/deployments", `
GET  listAppsV1DeploymentForAllNamespaces list Deployment - [200 401] DeploymentList
`},
		{"cluster-scoped resource without deletecollection", "api/v1", "/api/v1/namespaces/{name}", `
DELETE  deleteCoreV1Namespace delete Namespace DeleteOptions [200 202 401] Status
GET  readCoreV1Namespace get Namespace - [200 401] Namespace
PATCH  patchCoreV1Namespace patch Namespace Patch [200 201 401] Namespace
PUT  replaceCoreV1Namespace put Namespace Namespace [200 201 401] Namespace
PUT /finalize replaceCoreV1NamespaceFinalize put Namespace Namespace [200 201 401] Namespace
GET /status readCoreV1NamespaceStatus get Namespace - [200 401] Namespace
PATCH /status patchCoreV1NamespaceStatus patch Namespace Patch [200 201 401] Namespace
PUT /status replaceCoreV1NamespaceStatus put Namespace Namespace [200 201 401] Namespace
`},
		{"what Pods have of their own", "api/v1", "/api/v1/namespaces/{namespace}/pods/{name}", `
DELETE  deleteCoreV1NamespacedPod delete Pod DeleteOptions [200 202 401] Pod
GET  readCoreV1NamespacedPod get Pod - [200 401] Pod
PATCH  patchCoreV1NamespacedPod patch Pod Patch [200 201 401] Pod
PUT  replaceCoreV1NamespacedPod put Pod Pod [200 201 401] Pod
GET /attach connectCoreV1GetNamespacedPodAttach connect PodAttachOptions - [200 401] string
POST /attach connectCoreV1PostNamespacedPodAttach connect PodAttachOptions - [200 401] string
POST /binding createCoreV1NamespacedPodBinding post Binding Binding [200 201 202 401] Binding
GET /ephemeralcontainers readCoreV1NamespacedPodEphemeralcontainers get Pod - [200 401] Pod
PATCH /ephemeralcontainers patchCoreV1NamespacedPodEphemeralcontainers patch Pod Patch [200 201 401] Pod
PUT /ephemeralcontainers replaceCoreV1NamespacedPodEphemeralcontainers put Pod Pod [200 201 401] Pod
POST /eviction createCoreV1NamespacedPodEviction post Eviction Eviction [200 201 202 401] Eviction
GET /exec connectCoreV1GetNamespacedPodExec connect PodExecOptions - [200 401] string
POST /exec connectCoreV1PostNamespacedPodExec connect PodExecOptions - [200 401] string
GET /log readCoreV1NamespacedPodLog get Pod - [200 401] string
GET /resize readCoreV1NamespacedPodResize get Pod - [200 401] Pod
PATCH /resize patchCoreV1NamespacedPodResize patch Pod Patch [200 201 401] Pod
PUT /resize replaceCoreV1NamespacedPodResize put Pod Pod [200 201 401] Pod
GET /status readCoreV1NamespacedPodStatus get Pod - [200 401] Pod
PATCH /status patchCoreV1NamespacedPodStatus patch Pod Patch [200 201 401] Pod
PUT /status replaceCoreV1NamespacedPodStatus put Pod Pod [200 201 401] Pod
`},
		{"group with a domain", "apis/events.k8s.io/v1", "/apis/events.k8s.io/v1/events", `
GET  listEventsV1EventForAllNamespaces list Event - [200 401] EventList
`},
		{"discovery of a group", "apis/apps", "/", `
GET apis/apps/ getAppsAPIGroup <nil> <nil> - [200 401] APIGroup
`},
		{"discovery of groups", "apis", "/", `
GET apis/ getAPIVersions <nil> <nil> - [200 401] APIGroupList
`},
		{"discovery of core versions", "api", "/", `
GET api/ getCoreAPIVersions <nil> <nil> - [200 401] APIVersions
`},
	}
	h := shared()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(row.want, "\n"+printOperations(document(t, h, row.document), row.below)); diff != "" {
				t.Errorf("operations (-want +got):\n%s", diff)
			}
		})
	}
}

// printParameters prints the parameters of a path and its operation: "in name:type", and "!" if
// required.
func printParameters(p *spec3.Path, o *spec3.Operation) []string {
	var all []string
	for _, parameter := range slices.Concat(p.Parameters, o.Parameters) {
		required := ""
		if parameter.Required {
			required = "!"
		}
		all = append(all, fmt.Sprintf("%s %s:%s%s", parameter.In, parameter.Name, strings.Join(parameter.Schema.Type, ","), required))
		if parameter.Description == "" {
			all = append(all, "not described: "+parameter.Name)
		}
	}
	slices.Sort(all)
	return all
}

func TestParameters(t *testing.T) {
	t.Parallel()
	const pod = "/api/v1/namespaces/{namespace}/pods/{name}"
	named := []string{"path name:string!", "path namespace:string!"}
	list := []string{
		"query allowWatchBookmarks:boolean", "query continue:string", "query fieldSelector:string", "query labelSelector:string",
		"query limit:integer", "query pretty:string", "query resourceVersion:string", "query resourceVersionMatch:string",
		"query sendInitialEvents:boolean", "query shardSelector:string", "query timeoutSeconds:integer", "query watch:boolean",
	}
	rows := []struct {
		name, path, method string
		want               []string
	}{
		{"get", pod, "GET", append(slices.Clone(named), "query pretty:string")},
		{"patch", pod, "PATCH", append(slices.Clone(named),
			"query dryRun:string", "query fieldManager:string", "query fieldValidation:string", "query force:boolean", "query pretty:string")},
		{"update", pod, "PUT", append(slices.Clone(named),
			"query dryRun:string", "query fieldManager:string", "query fieldValidation:string", "query pretty:string")},
		{"create", "/api/v1/namespaces/{namespace}/pods", "POST", []string{
			"path namespace:string!",
			"query dryRun:string", "query fieldManager:string", "query fieldValidation:string", "query pretty:string"}},
		{"create through a subresource", pod + "/eviction", "POST", append(slices.Clone(named),
			"query dryRun:string", "query fieldManager:string", "query fieldValidation:string", "query pretty:string")},
		{"delete", pod, "DELETE", append(slices.Clone(named),
			"query dryRun:string", "query gracePeriodSeconds:integer", "query ignoreStoreReadErrorWithClusterBreakingPotential:boolean",
			"query orphanDependents:boolean", "query pretty:string", "query propagationPolicy:string")},
		{"list everywhere", "/api/v1/pods", "GET", list},
		{"list cluster-scoped", "/api/v1/nodes", "GET", list},
		{"log", pod + "/log", "GET", append(slices.Clone(named),
			"query container:string", "query follow:boolean", "query insecureSkipTLSVerifyBackend:boolean", "query limitBytes:integer",
			"query pretty:string", "query previous:boolean", "query sinceSeconds:integer", "query stream:string",
			"query tailLines:integer", "query timestamps:boolean")},
		{"exec", pod + "/exec", "POST", append(slices.Clone(named),
			"query command:string", "query container:string", "query stderr:boolean", "query stdin:boolean",
			"query stdout:boolean", "query tty:boolean")},
	}
	d := document(t, shared(), "api/v1")
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			path := d.Paths.Paths[row.path]
			if diff := cmp.Diff(row.want, printParameters(path, operations(path)[row.method])); diff != "" {
				t.Errorf("parameters (-want +got):\n%s", diff)
			}
		})
	}
}

// DeleteOptions belongs to every group; a document lists its own and the core group's.
func TestSchemasNameTheirKinds(t *testing.T) {
	t.Parallel()
	core := func(kind string) any { return map[string]any{"group": "", "version": "v1", "kind": kind} }
	apps := func(kind string) any { return map[string]any{"group": "apps", "version": "v1", "kind": kind} }
	rows := []struct {
		document, schema string
		want             any
	}{
		{"apis/apps/v1", "io.k8s.api.apps.v1.Deployment", []any{apps("Deployment")}},
		{"apis/apps/v1", "io.k8s.api.apps.v1.DeploymentSpec", nil},
		{"apis/apps/v1", "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions", []any{core("DeleteOptions"), apps("DeleteOptions")}},
		{"apis/apps/v1", "io.k8s.apimachinery.pkg.apis.meta.v1.Status", []any{core("Status")}},
		{"api/v1", "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions", []any{core("DeleteOptions")}},
	}
	h := shared()
	for _, row := range rows {
		t.Run(row.document+" "+row.schema, func(t *testing.T) {
			t.Parallel()
			got := document(t, h, row.document).Components.Schemas[row.schema].Extensions["x-kubernetes-group-version-kind"]
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("kinds (-want +got):\n%s", diff)
			}
		})
	}
}

// OpenAPI 3.0 documents have defaults, Swagger documents have none.
func TestDefaults(t *testing.T) {
	t.Parallel()
	h := shared()
	schema := document(t, h, "api/v1").Components.Schemas["io.k8s.api.core.v1.ContainerPort"]
	if got := schema.Properties["protocol"].Default; got != "TCP" {
		t.Errorf("in OpenAPI 3.0 protocol is %v by default, want TCP", got)
	}
	// the default of items is the zero value of their type
	schemas := document(t, h, "api/v1").Components.Schemas
	for name, want := range map[string]any{"Container.args": "", "Container.env": map[string]any{}, "PodSecurityContext.supplementalGroups": 0.0} {
		kind, field, _ := strings.Cut(name, ".")
		if got := schemas["io.k8s.api.core.v1."+kind].Properties[field].Items.Schema.Default; !reflect.DeepEqual(got, want) {
			t.Errorf("items of %s are %#v by default, want %#v", name, got, want)
		}
	}
	quantity := schemas["io.k8s.api.core.v1.ResourceRequirements"].Properties["limits"].AdditionalProperties.Schema
	if quantity.Default != nil {
		t.Errorf("a quantity is %v by default", quantity.Default)
	}
	var swagger spec.Swagger
	if err := json.NewDecoder(request(h, "GET", "/openapi/v2").Body).Decode(&swagger); err != nil {
		t.Fatal(err)
	}
	if got := swagger.Definitions["io.k8s.api.core.v1.ContainerPort"].Properties["protocol"].Default; got != nil {
		t.Errorf("in swagger protocol is %v by default, want none", got)
	}
}
