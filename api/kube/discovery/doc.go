// Package discovery serves the documents from which clients learn the served groups, versions,
// resources and verbs: the older ones and the aggregated one. Served lists the resources for the
// OpenAPI documents.
package discovery
