// Package kube serves the Kubernetes API: the verbs, written once over the catalogue of kinds
// (internal/kind).
//
// A request runs through one file per verb: get.go, list.go, watch.go, create.go, update.go,
// patch.go, delete.go. routes.go lists every path and verb; it registers each as a huma operation,
// so that the OpenAPI document is complete, but bodies are decoded and judged the Kubernetes way
// (api/kube/wire), not by huma.
//
// Reads come from a Reader, the mirror of the log; they are sent as they are stored, spliced
// together from bytes. Writes are decided here, against the version that the mirror holds, and
// handed to a Writer, whose precondition is that this version is still the current one. A decision
// made on a version that has moved on is made again.
//
// Handlers return errors; api/status.go makes them a metav1.Status.
//
// The packages below have what the verbs share: wire (encodings, bodies and their limits), route
// (paths as OpenAPI operations), render (how versions are shown), collection (options, selectors
// and pages of lists and watches), watching (the frames of watches), discovery, access (reviews,
// rights, tokens), usermetric, connect (what reaches into Pods) and openapi (Kubernetes' own
// documents).
package kube
