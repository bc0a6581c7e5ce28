package kube

import (
	"encoding/json"
	"net/http"
	goruntime "runtime"
	"strings"

	"github.com/munnerz/goautoneg"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/version"

	"github.com/rowlock/rowlock/api/kube/wire"
)

// ServerVersion is what /version answers: the version of the Kubernetes API that is served.
var ServerVersion = version.Info{
	Major: "1", Minor: "36", EmulationMajor: "1", EmulationMinor: "36", MinCompatibilityMajor: "1", MinCompatibilityMinor: "35",
	GitVersion: "v1.36.6", GitTreeState: "clean",
	GoVersion: goruntime.Version(), Compiler: goruntime.Compiler, Platform: goruntime.GOOS + "/" + goruntime.GOARCH,
}

// exactQuery names the parameters by which discovery tells of the past.
//
// Differs: upstream's discovery has no such parameters.
var exactQuery = []string{"resourceVersion", "resourceVersionMatch"}

// discoveryRoutes lists the paths that say what is served and are always there. Their documents
// change with CustomResourceDefinitions.
func (s *Server) discoveryRoutes() []route {
	out := []route{
		{path: "/api", verb: "getCoreAPIVersions", summary: "get available API versions", answer: modelName(&metav1.APIVersions{}), serve: s.discover},
		{path: "/apis", verb: "getAPIVersions", summary: "get available API groups", query: exactQuery, answer: modelName(&metav1.APIGroupList{}), serve: s.discover},
		{path: "/version", verb: "getCodeVersion", summary: "get the version of this server", answer: modelName(&version.Info{}), onlyJSON: true, serve: versionDocument(ServerVersion)},
	}
	for _, g := range groupsOf(s.Catalogue.Builtin()) {
		if g.name != "" {
			out = append(out, route{path: "/apis/" + g.name, verb: "get" + title(tag("/apis/"+g.name)) + "APIGroup", summary: "get information of a group", query: exactQuery, answer: modelName(&metav1.APIGroup{}), serve: s.discover})
		}
		for _, v := range g.versions {
			if v.measured {
				continue // see metricRoutes
			}
			path := root(g.name, v.name)
			out = append(out, route{path: path, verb: "get" + versionName(g.name, v.name) + "APIResources", summary: "get available resources", query: exactQuery, answer: modelName(&metav1.APIResourceList{}), serve: s.discover})
		}
	}
	for i := range out {
		out[i].method = http.MethodGet
	}
	return out
}

// The parameters of aggregated discovery's media type. Clients compare the whole of it, so they
// keep this order. Of its versions v2 is left.
//
// Source: kubernetes v1.36 staging/src/k8s.io/client-go/discovery/discovery_client.go, AcceptV2, and
// .../apiserver/pkg/endpoints/discovery/aggregated/negotiation.go, IsAggregatedDiscoveryGVK
const (
	aggregatedKind   = "APIGroupDiscoveryList"
	aggregatedParams = ";g=" + apidiscovery.GroupName + ";v=v2;as=" + aggregatedKind
)

// versionDocument serves what has no form but JSON, for people to read.
func versionDocument(v any) verb {
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

// encoded is a document in every encoding; YAML is made from JSON.
type encoded [wire.Protobuf + 1][]byte

// newEncoded encodes a document of the server's own making, at its start.
func newEncoded(o runtime.Object) encoded {
	doc, err := json.Marshal(o)
	if err != nil {
		panic("kube: a discovery document does not encode: " + err.Error())
	}
	doc = append(doc, '\n')
	proto, err := wire.AppendProtobuf(nil, o)
	if err != nil {
		panic("kube: a discovery document does not encode: " + err.Error())
	}
	return encoded{wire.JSON: doc, wire.YAML: doc, wire.Protobuf: proto}
}

func (e encoded) serve(w http.ResponseWriter, req *http.Request) error {
	rep, err := wire.Negotiate(req, nil)
	if err != nil {
		return err
	}
	return wire.WriteDocument(w, rep, http.StatusOK, e[rep.Encoding])
}

// aggregatedIn says whether the Accept header asks for the aggregated form before any other, and in
// which encoding.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/discovery/aggregated/wrapper.go, ServeHTTP, which passes over
// the clauses that ask for anything else
func aggregatedIn(accept string) (wire.Encoding, bool) {
	if !strings.Contains(accept, apidiscovery.GroupName) {
		return 0, false
	}
	for _, clause := range goautoneg.ParseAccept(accept) {
		p := clause.Params
		if p["as"] != aggregatedKind || p["g"] != apidiscovery.GroupName || p["v"] != "v2" {
			continue
		}
		for enc, media := range wire.MediaTypes {
			if wire.ClauseMatches(clause, media) && (p["stream"] == "" || p["stream"] == "watch" && wire.Encoding(enc) != wire.YAML) && p["sv"] == "" {
				return wire.Encoding(enc), true
			}
		}
	}
	return 0, false
}
