package auth

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/fields"
)

// Attributes are what a request is about, as far as its method and URL tell.
type Attributes struct {
	Verb string // as rules name it: "get", "list", "deletecollection", …; the method in lower case where Resource is ""
	// Path is the whole path, and all there is where the request is about no resource.
	Path                         string
	Group, Version, Resource     string
	Subresource, Namespace, Name string
}

// Describe tells what a request is about. It takes the path apart as the router does, escaped, so
// that both mean the same.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/request/requestinfo.go, NewRequestInfo
func Describe(req *http.Request) Attributes {
	a := Attributes{Verb: strings.ToLower(req.Method), Path: req.URL.Path}
	parts := Segments(req.URL)
	if n := Proxied(parts); n > 0 {
		parts = parts[:n]
	}
	switch {
	case slices.Contains(parts, ""):
		return a // nothing that is served has an empty part
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[1:]
	case len(parts) > 3 && parts[0] == "apis":
		a.Group, parts = parts[1], parts[2:]
	default:
		return a
	}
	a.Version, parts = parts[0], parts[1:]
	a.Verb = verbs[req.Method]
	watched := parts[0] == "watch" && len(parts) > 1
	if watched {
		a.Verb, parts = "watch", parts[1:]
	}
	if parts[0] == "namespaces" && len(parts) > 1 {
		a.Namespace = parts[1]
		if len(parts) > 2 && parts[2] != "status" && parts[2] != "finalize" {
			parts = parts[2:]
		}
	}
	a.Resource = parts[0]
	if len(parts) > 1 {
		a.Name = parts[1]
	}
	if len(parts) > 2 {
		a.Subresource = parts[2]
	}
	if a.Name == "" && !watched {
		a.collection(req.URL)
	}
	return a
}

var verbs = map[string]string{
	http.MethodGet: "get", http.MethodHead: "get", http.MethodPost: "create", http.MethodPut: "update",
	http.MethodPatch: "patch", http.MethodDelete: "delete",
}

// collection tells what a request for no object by name is about.
func (a *Attributes) collection(u *url.URL) {
	switch a.Verb {
	case "get":
		a.Verb = "list"
		if u.RawQuery == "" {
			return
		}
		q := u.Query()
		if Watches(q) {
			a.Verb = "watch"
		}
		if selector, err := fields.ParseSelector(q.Get("fieldSelector")); err == nil {
			if name, ok := selector.RequiresExactMatch("metadata.name"); ok && len(path.IsValidPathSegmentName(name)) == 0 { //nolint:staticcheck // what replaces it is upstream's own copy
				a.Name = name
			}
		}
	case "delete":
		a.Verb = "deletecollection"
	}
}

// Watches says whether a query asks for a watch. What is no boolean is taken for one that does, as
// its value does not matter to upstream either.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/runtime/conversion.go, Convert_Slice_string_To_bool
func Watches(q url.Values) bool {
	values := q["watch"]
	return len(values) > 0 && !strings.EqualFold(values[0], "false") && values[0] != "0"
}

// Segments are the parts of a path between its slashes, unescaped one by one.
func Segments(u *url.URL) []string {
	if u.RawPath == "" {
		return strings.Split(strings.Trim(u.Path, "/"), "/")
	}
	parts := strings.Split(strings.Trim(u.RawPath, "/"), "/")
	for i, p := range parts {
		if plain, err := url.PathUnescape(p); err == nil {
			parts[i] = plain
		}
	}
	return parts
}
