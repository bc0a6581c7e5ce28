// Package discovery tells clients what is served: groups, versions, resources and their verbs, in the
// older documents and in the aggregated one, and for the OpenAPI documents (Served).
package discovery
