// Package openapi publishes Kubernetes' own OpenAPI documents of what Rowlock serves: /openapi/v2,
// the index /openapi/v3 and one document per group and version below it. kubectl explain, apply and
// diff and generated clients read them.
//
// The schemas of Kubernetes' own kinds are in package upstream, with upstream's descriptions,
// defaults and extensions; the paths come from the resources that the caller serves. Nothing is
// built before a client asks. Documents that a client has asked for are kept as compressed bytes;
// of those that only the index needs, a hash is kept. They depend only on the binary, so every
// replica has the same bytes and ETags.
//
// To add an API group, add it to the models (package upstream) and to newNames.
package openapi
