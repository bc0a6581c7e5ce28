// Package openapi serves Kubernetes' OpenAPI documents for the kinds that Rowlock serves:
// /openapi/v2, the index /openapi/v3 and one document per group version below it. kubectl explain,
// apply and diff and generated clients read them.
//
// The schemas of Kubernetes' own kinds are in package upstream, with upstream's descriptions,
// defaults and extensions; the paths come from the resources that the caller serves. Documents are
// built when a client requests them, and kept as compressed bytes; only the hash is kept of
// documents that only the index needs. They depend only on the binary, so all replicas serve the
// same bytes and ETags.
//
// To add an API group, add it to the models (package upstream) and to newNames.
package openapi
