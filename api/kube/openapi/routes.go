package openapi

import (
	"fmt"

	"k8s.io/kube-openapi/pkg/common"
)

// routesOf documents one served resource and its subresources.
func routesOf(s Served, n *names) ([]common.Route, error) {
	main, err := newEndpoint(s, n)
	if err != nil {
		return nil, err
	}
	all, err := main.routes(s.Verbs)
	if err != nil {
		return nil, err
	}
	for _, sub := range s.Subresources {
		e, err := main.subresource(sub, n)
		if err != nil {
			return nil, err
		}
		more, err := e.routes(sub.Verbs)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// routes returns the routes of the verbs, in order. It fails for a verb that the resource cannot
// have.
func (e *endpoint) routes(verbs []string) ([]common.Route, error) {
	var all []common.Route
	for _, verb := range verbs {
		switch {
		case verb == "get":
			all = append(all, e.get())
		case verb == "update":
			all = append(all, e.update())
		case verb == "patch":
			all = append(all, e.patch())
		case verb == "create":
			all = append(all, e.create())
		case verb == "delete" && e.sub == "":
			all = append(all, e.delete())
		case verb == "deletecollection" && e.sub == "":
			all = append(all, e.deleteCollection())
		case verb == "list" && e.sub == "":
			all = append(all, e.lists()...)
		case verb == "watch" && e.sub == "":
			// watch is a parameter of list.
		case verb == "connect" && e.sub != "":
			all = append(all, e.connects()...)
		default:
			return nil, fmt.Errorf("document %s %q: unknown verb %q", e.gvk, e.sub, verb)
		}
	}
	return all, nil
}
