// Package kube serves the Kubernetes API: the verbs, written once over the catalogue of kinds
// (internal/kind).
//
// Each verb has one file: get.go, list.go, watch.go, create.go, update.go, patch.go, delete.go.
// routes.go lists every path and verb. It registers each as a huma operation, so that the OpenAPI
// document is complete, but Kubernetes' rules (api/kube/wire), not huma, decode and validate
// bodies.
//
// Reads come from a Reader, the mirror of the log; answers are assembled from the stored bytes.
// Writes are decided here against the version in the mirror, and handed to a Writer with the
// precondition that this version is still current. If it is not, the decision is made again.
//
// Handlers return errors; api/status.go converts them to a metav1.Status.
//
// The packages below have what the verbs share: wire (encodings, bodies and their limits), route
// (paths as OpenAPI operations), render (how versions are shown), collection (options, selectors
// and pages of lists and watches), watching (the frames of watches), discovery, access (reviews,
// rights, tokens), usermetric, connect (what reaches into Pods) and openapi (Kubernetes' own
// documents).
package kube
