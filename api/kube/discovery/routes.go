package discovery

import (
	"encoding/json"
	"net/http"
	goruntime "runtime"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"

	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/wire"
)

// ServerVersion is the answer of /version: the version of the Kubernetes API that Rowlock serves.
var ServerVersion = version.Info{
	Major: "1", Minor: "36", EmulationMajor: "1", EmulationMinor: "36", MinCompatibilityMajor: "1", MinCompatibilityMinor: "35",
	GitVersion: "v1.36.6", GitTreeState: "clean",
	GoVersion: goruntime.Version(), Compiler: goruntime.Compiler, Platform: goruntime.GOOS + "/" + goruntime.GOARCH,
}

// exactQuery lists the parameters with which discovery returns a past state.
//
// Differs: upstream's discovery has no such parameters.
var exactQuery = []string{"resourceVersion", "resourceVersionMatch"}

// Routes lists the discovery paths that exist whatever CustomResourceDefinitions there are. The
// documents at these paths change with the definitions.
func (s *Server) Routes() []route.Route {
	out := []route.Route{
		{
			Path: "/api", Verb: "getCoreAPIVersions", Summary: "get available API versions",
			Answer: route.ModelName(&metav1.APIVersions{}), Serve: s.discover,
		},
		{
			Path: "/apis", Verb: "getAPIVersions", Summary: "get available API groups",
			Query: exactQuery, Answer: route.ModelName(&metav1.APIGroupList{}), Serve: s.discover,
		},
		{
			Path: "/version", Verb: "getCodeVersion", Summary: "get the version of this server",
			Answer: route.ModelName(&version.Info{}), OnlyJSON: true, Serve: versionDocument(ServerVersion),
		},
	}
	for _, g := range groupsOf(s.Catalogue.Builtin()) {
		if g.name != "" {
			path := "/apis/" + g.name
			out = append(out, route.Route{
				Path: path, Verb: "get" + route.Title(route.Tag(path)) + "APIGroup", Summary: "get information of a group",
				Query: exactQuery, Answer: route.ModelName(&metav1.APIGroup{}), Serve: s.discover,
			})
		}
		for _, v := range g.versions {
			if v.measured {
				continue // package usermetric serves its discovery
			}
			out = append(out, route.Route{
				Path: route.Root(g.name, v.name), Verb: "get" + route.VersionName(g.name, v.name) + "APIResources",
				Summary: "get available resources",
				Query:   exactQuery, Answer: route.ModelName(&metav1.APIResourceList{}), Serve: s.discover,
			})
		}
	}
	for i := range out {
		out[i].Method = http.MethodGet
	}
	return out
}

// versionDocument serves a document as indented JSON only.
func versionDocument(v any) route.Verb {
	doc, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic("kube: the version does not encode: " + err.Error())
	}
	return func(w http.ResponseWriter, req *http.Request) error {
		if _, err := wire.Negotiate(req, wire.OnlyJSON); err != nil {
			return err
		}
		return wire.WriteDocument(w, wire.Representation{}, http.StatusOK, doc)
	}
}
