package auth

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/fields"
)

// Attributes describe a request as far as its method and URL do.
type Attributes struct {
	Verb string // as in RBAC rules: "get", "list", "deletecollection", …; the method in lower case if Resource is ""
	// Path is the whole path. It is the only field besides Verb that a request for no resource has.
	Path                         string
	Group, Version, Resource     string
	Subresource, Namespace, Name string
}

// Describe returns the attributes of a request. Like the router, it splits the escaped path, so
// that both interpret it in the same way.
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
		return a // no served path has an empty segment
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

// collection adds the attributes of a request for a collection.
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
			name, ok := selector.RequiresExactMatch("metadata.name")
			//nolint:staticcheck // what replaces it is upstream's own copy
			if ok && len(path.IsValidPathSegmentName(name)) == 0 {
				a.Name = name
			}
		}
	case "delete":
		a.Verb = "deletecollection"
	}
}

// Watches reports whether a query asks for a watch. Like upstream, it treats a value that is not a
// boolean as true.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/runtime/conversion.go, Convert_Slice_string_To_bool
func Watches(q url.Values) bool {
	values := q["watch"]
	return len(values) > 0 && !strings.EqualFold(values[0], "false") && values[0] != "0"
}

// Segments returns the segments of a path, each unescaped.
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
