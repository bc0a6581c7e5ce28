package openapi

import (
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// documentRoutes arranges routes into documents, by their path below /openapi/v3/: one for each
// group version, "apis/apps/v1", and small ones for discovery, "api", "apis", "apis/apps" and
// "version". If all kinds are custom, discovery is not documented.
func documentRoutes(kinds []Served, n *names) (map[string]routes, error) {
	documents := map[string]routes{
		"apis":    {groupsRoute()},
		"version": {versionRoute()},
	}
	discovered := map[string]bool{}
	for _, s := range kinds {
		gv := s.GVK.GroupVersion()
		path := groupVersionPath(gv)
		if s.Custom == nil && !discovered[path] {
			discovered[path] = true
			documents[path] = append(documents[path], resourcesRoute(gv))
			documents[groupPath(gv)] = routes{groupRoute(gv)}
		}
		more, err := routesOf(s, n)
		if err != nil {
			return nil, err
		}
		documents[path] = append(documents[path], more...)
	}
	return documents, nil
}

// resourcesRoute lists the resources of a group and version.
func resourcesRoute(gv schema.GroupVersion) *route {
	return discoveryRoute("/"+groupVersionPath(gv)+"/", "get"+groupVersionID(gv)+"APIResources", groupVersionTag(gv),
		"get available resources", model(metav1.APIResourceList{}.OpenAPIModelName()))
}

// groupRoute lists the versions of a group.
func groupRoute(gv schema.GroupVersion) *route {
	group := schema.GroupVersion{Group: gv.Group}
	if gv.Group == "" {
		return discoveryRoute("/api/", "getCoreAPIVersions", groupVersionTag(group),
			"get available API versions", model(metav1.APIVersions{}.OpenAPIModelName()))
	}
	return discoveryRoute("/"+groupPath(gv)+"/", "get"+groupVersionID(group)+"APIGroup", groupVersionTag(group),
		"get information of a group", model(metav1.APIGroup{}.OpenAPIModelName()))
}

// groupsRoute lists the groups.
func groupsRoute() *route {
	return discoveryRoute("/apis/", "getAPIVersions", "apis",
		"get available API versions", model(metav1.APIGroupList{}.OpenAPIModelName()))
}

func versionRoute() *route {
	r := discoveryRoute("/version/", "getCodeVersion", "version",
		"get the version information for this server", model(version.Info{}.OpenAPIModelName()))
	r.consumes, r.produces = []string{"application/json"}, []string{"application/json"}
	return r
}

func discoveryRoute(path, id, tag, doc string, answer model) *route {
	return &route{
		method: "GET", path: path, id: id, tag: tag, doc: doc,
		consumes: objectTypes(), produces: objectTypes(),
		responses: answers(answer, http.StatusOK),
	}
}
