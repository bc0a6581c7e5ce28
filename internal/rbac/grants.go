package rbac

import (
	"slices"
	"strings"
	"sync/atomic"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/rowlock/rowlock/api/auth"
)

// compiled are the grants of a subject; nil until the first query.
type compiled = atomic.Pointer[grants]

// grants are the rules by which a subject may do something in one place. They never change.
type grants struct {
	byResource map[resource][]grant
	paths      []grant
	missing    []error // roles that are bound but do not exist
}

// resource is a resource as rules name it, split at its first slash, and the name of the object
// that a rule is about, "" for any. The resource may be "*".
type resource struct{ resource, sub, name string }

// grant is a rule, and the binding by which it applies.
type grant struct {
	rule *rbacv1.PolicyRule
	by   *binding
}

// add adds a rule under each resource that it names.
func (g *grants) add(one grant) {
	if len(one.rule.NonResourceURLs) > 0 {
		g.paths = append(g.paths, one)
	}
	for i, name := range one.rule.Resources {
		if slices.Contains(one.rule.Resources[:i], name) {
			continue
		}
		at := resourceOf(name, "")
		if len(one.rule.ResourceNames) == 0 {
			g.byResource[at] = append(g.byResource[at], one)
		}
		for _, at.name = range one.rule.ResourceNames {
			g.byResource[at] = append(g.byResource[at], one)
		}
	}
}

// resourceOf splits a resource that may have a subresource in its name.
func resourceOf(name, sub string) resource {
	head, rest, found := strings.Cut(name, "/")
	switch {
	case !found:
		return resource{name, sub, ""}
	case sub == "":
		return resource{head, rest, ""}
	}
	return resource{head, rest + "/" + sub, ""}
}

// find returns a grant that covers a request, false if none does.
func (g *grants) find(a *auth.Attributes) (grant, bool) {
	if a.Resource == "" {
		return first(g.paths, a)
	}
	if one, ok := g.at(resourceOf(a.Resource, a.Subresource), a); ok {
		return one, true
	}
	if one, ok := g.at(resource{resource: "*"}, a); ok || a.Subresource == "" {
		return one, ok
	}
	return g.at(resource{resource: "*", sub: a.Subresource}, a)
}

// at is find among the rules that name a resource this way, for any object or for the request's.
func (g *grants) at(r resource, a *auth.Attributes) (grant, bool) {
	one, ok := first(g.byResource[r], a)
	if !ok && a.Name != "" {
		r.name = a.Name
		one, ok = first(g.byResource[r], a)
	}
	return one, ok
}

func first(all []grant, a *auth.Attributes) (grant, bool) {
	for _, one := range all {
		if Covers(one.rule, a) {
			return one, true
		}
	}
	return grant{}, false
}
