// Package openapi publishes Kubernetes' own OpenAPI documents of what Rowlock serves: /openapi/v2, the index
// /openapi/v3 and one document per group and version below it. kubectl explain, apply and diff and generated
// clients read them.
//
// The schemas come from openapi-gen over the k8s.io/api types, so descriptions, defaults and extensions are
// upstream's; the paths come from the resources that the caller serves. Nothing is built before a client asks.
// Of the documents that one asks for the compressed bytes are kept, of those that the index alone needs a hash. They
// depend on nothing but the binary, so every replica has the same bytes and ETags.
//
// A further API group is one more package in the line below, one more registration in newNames, and
// `go generate ./api/kube/openapi`.
package openapi

//go:generate go tool openapi-gen --output-dir . --output-pkg github.com/rowlock/rowlock/api/kube/openapi --output-file zz_generated.openapi.go --go-header-file /dev/null --report-filename /dev/null k8s.io/api/apps/v1 k8s.io/api/authentication/v1 k8s.io/api/authorization/v1 k8s.io/api/autoscaling/v1 k8s.io/api/autoscaling/v2 k8s.io/api/batch/v1 k8s.io/api/certificates/v1 k8s.io/api/coordination/v1 k8s.io/api/core/v1 k8s.io/api/discovery/v1 k8s.io/api/events/v1 k8s.io/api/flowcontrol/v1 k8s.io/api/networking/v1 k8s.io/api/node/v1 k8s.io/api/policy/v1 k8s.io/api/rbac/v1 k8s.io/api/resource/v1 k8s.io/api/scheduling/v1 k8s.io/api/storage/v1 k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1 k8s.io/apimachinery/pkg/api/resource k8s.io/apimachinery/pkg/apis/meta/v1 k8s.io/apimachinery/pkg/runtime k8s.io/apimachinery/pkg/util/intstr k8s.io/apimachinery/pkg/version k8s.io/metrics/pkg/apis/metrics/v1beta1
