package fault

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Request is what a fault of the API knows about a request. Resource is empty for paths without
// one, such as discovery.
type Request struct {
	Verb                         string
	Group, Resource, Subresource string
	Namespace, Name              string
	UserAgent, User              string
}

// Rule is a fault of the API, ready for decisions.
type Rule struct {
	Name string
	UID  types.UID
	API  *API
	// Delay, RetryAfter and After are those of the API.
	Delay, RetryAfter, After time.Duration
	// Since is when the fault was created, in cluster time, and orders rules; Until is when it
	// ends, in real time, or zero.
	Since, Until time.Time
}

// NewRule makes the rule of a validated fault of the API.
func NewRule(f *Fault) *Rule {
	a := f.Spec.API
	r := &Rule{
		Name: f.Name, UID: f.UID, API: a, Delay: duration(a.Delay), RetryAfter: duration(a.RetryAfter),
		After: duration(a.After), Since: f.CreationTimestamp.Time,
	}
	if f.Spec.Until != nil {
		r.Until = *f.Spec.Until
	}
	return r
}

// Concerns reports whether the rule applies to a request, at a real time.
func (r *Rule) Concerns(req *Request, now time.Time) bool {
	a := r.API
	return (r.Until.IsZero() || now.Before(r.Until)) &&
		(a.Watch == "" || req.Verb == "watch") &&
		fits(a.Verbs, req.Verb, like) &&
		(len(a.Resources) == 0 || slices.ContainsFunc(a.Resources, func(p string) bool { return req.isOf(p) })) &&
		fits(a.Namespaces, req.Namespace, like) &&
		fits(a.Names, req.Name, like) &&
		fits(a.UserAgents, req.UserAgent, contains) &&
		fits(a.Users, req.User, like)
}

// fits reports whether a list has a matching entry; an empty list matches everything.
func fits(list []string, value string, by func(pattern, value string) bool) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(p string) bool { return by(p, value) })
}

// isOf reports whether the request is for a resource: "pods" is Pods themselves, "pods/log" a
// subresource, "pods/*" all of them, and "*" everything, including requests without a resource. A
// resource may name its group, as in deployments.apps.
func (req *Request) isOf(pattern string) bool {
	if pattern == "*" {
		return true
	}
	if req.Resource == "" {
		return false
	}
	resource, sub, below := strings.Cut(pattern, "/")
	if !like(resource, req.Resource) && !like(resource, req.Resource+"."+req.Group) {
		return false
	}
	if !below {
		return req.Subresource == ""
	}
	return req.Subresource != "" && like(sub, req.Subresource)
}

// contains reports whether a value contains a text or, if that has a *, matches it.
func contains(pattern, value string) bool {
	if strings.Contains(pattern, "*") {
		return like(pattern, value)
	}
	return strings.Contains(value, pattern)
}

// like reports whether a value matches a pattern, in which * stands for any text. It takes at most
// time proportional to the product of the lengths.
func like(pattern, value string) bool {
	p, v, star, mark := 0, 0, -1, 0
	for v < len(value) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, v
			p++
		case p < len(pattern) && pattern[p] == value[v]:
			p++
			v++
		case star >= 0:
			mark++
			p, v = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// Chance reports whether the fault happens to the n-th request that it applies to, counted from 1
// in the order in which all replicas together took their turns. It depends only on the seed, the
// probability and n.
func (a *API) Chance(n int64) bool {
	if a.Probability == nil {
		return true
	}
	sum := sha256.Sum256([]byte(strconv.FormatInt(a.Seed, 10) + "/" + strconv.FormatInt(n, 10)))
	return float64(binary.BigEndian.Uint64(sum[:8])>>11)/(1<<53) < *a.Probability
}

// Effect names what the rule does to requests, for metrics: there are few values.
func (a *API) Effect() string {
	switch {
	case a.Conflict:
		return "conflict"
	case a.Status != 0:
		return "status"
	case a.Drop != "":
		return "drop"
	case a.Watch != "":
		return a.Watch + "-watch"
	}
	return "delay"
}
