package kube

import (
	"encoding/json"
	"net/http"
	"runtime"
	"strings"

	"github.com/munnerz/goautoneg"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
)

// ServerVersion is what /version answers: the version of the Kubernetes API that is served.
var ServerVersion = version.Info{
	Major: "1", Minor: "36", EmulationMajor: "1", EmulationMinor: "36", MinCompatibilityMajor: "1", MinCompatibilityMinor: "35",
	GitVersion: "v1.36.6", GitTreeState: "clean",
	GoVersion: runtime.Version(), Compiler: runtime.Compiler, Platform: runtime.GOOS + "/" + runtime.GOARCH,
}

// discoveryRoutes lists the paths that say what is served. Their documents never change, so they are made once.
func (s *Server) discoveryRoutes() []route {
	groups := groupsOf(s.Catalogue)
	var core, named []group
	for _, g := range groups {
		if g.name == "" {
			core = append(core, g)
		} else {
			named = append(named, g)
		}
	}
	out := []route{
		{path: "/api", verb: "getCoreAPIVersions", summary: "get available API versions", answer: modelName(&metav1.APIVersions{}), serve: document(coreVersions(core), aggregated(core))},
		{path: "/apis", verb: "getAPIVersions", summary: "get available API groups", answer: modelName(&metav1.APIGroupList{}), serve: document(groupList(named), aggregated(named))},
		{path: "/version", verb: "getCodeVersion", summary: "get the version of this server", answer: modelName(&version.Info{}), serve: document(ServerVersion, nil)},
	}
	for _, g := range groups {
		if g.name != "" {
			out = append(out, route{path: "/apis/" + g.name, verb: "get" + title(tag("/apis/"+g.name)) + "APIGroup", summary: "get information of a group", answer: modelName(&metav1.APIGroup{}), serve: document(g.legacy(), nil)})
		}
		for _, v := range g.versions {
			path := root(g.name, v.name)
			out = append(out, route{path: path, verb: "get" + versionName(g.name, v.name) + "APIResources", summary: "get available resources", answer: modelName(&metav1.APIResourceList{}), serve: document(v.legacy(g.name), nil)})
		}
	}
	for i := range out {
		out[i].method = http.MethodGet
	}
	return out
}

// The media type of aggregated discovery. Clients compare the whole of it, so its parameters keep this order.
//
// Source: kubernetes v1.36 staging/src/k8s.io/client-go/discovery/discovery_client.go, AcceptV2
const mediaAggregated = mediaJSON + ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

// document serves a value that never changes, in its aggregated form to clients that ask for that.
func document(plain, aggregate any) verb {
	plainDoc, aggregateDoc := mustMarshal(plain), mustMarshal(aggregate)
	return func(w http.ResponseWriter, req *http.Request) error {
		if aggregate != nil {
			w.Header().Set("Vary", "Accept")
			if wantsAggregated(req.Header.Get("Accept")) {
				return writeJSON(w, representation{media: mediaAggregated, pretty: wantsPretty(req)}, http.StatusOK, aggregateDoc)
			}
		}
		rep, err := negotiate(req, nil)
		if err != nil {
			return err
		}
		return writeJSON(w, rep, http.StatusOK, plainDoc)
	}
}

// wantsAggregated says whether the Accept header prefers the aggregated form.
func wantsAggregated(accept string) bool {
	if !strings.Contains(accept, apidiscovery.GroupName) {
		return false
	}
	for _, clause := range goautoneg.ParseAccept(accept) {
		if clause.Type != "application" || clause.SubType != "json" {
			continue
		}
		switch clause.Params["as"] {
		case "":
			return false
		case "APIGroupDiscoveryList":
			if clause.Params["g"] == apidiscovery.GroupName && clause.Params["v"] == "v2" {
				return true
			}
		}
	}
	return false
}

// mustMarshal encodes a document of the server's own making, at its start.
func mustMarshal(v any) []byte {
	doc, err := json.Marshal(v)
	if err != nil {
		panic("kube: a discovery document does not encode: " + err.Error())
	}
	return append(doc, '\n')
}
