package openapi_test

import (
	"net/http"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/openapi"
)

// shared returns one handler for all tests that only read.
var shared = sync.OnceValue(func() http.Handler { return openapi.Handler(served()) })

// served returns a catalogue like a cluster's: every scope, every type of subresource, every group
// with generated definitions.
func served() []openapi.Served {
	core := func(kind string) schema.GroupVersionKind { return schema.GroupVersionKind{Version: "v1", Kind: kind} }
	in := func(group, kind string) schema.GroupVersionKind {
		return schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}
	}
	workload := []openapi.Subresource{openapi.Scale(), openapi.Status()}
	status := []openapi.Subresource{openapi.Status()}
	pod := []openapi.Subresource{
		{Name: "attach", GVK: core("PodAttachOptions"), Verbs: []string{"connect"}, Options: &corev1.PodAttachOptions{}},
		{Name: "binding", GVK: core("Binding"), Verbs: []string{"create"}},
		{Name: "ephemeralcontainers", Verbs: []string{"get", "patch", "update"}},
		{Name: "eviction", GVK: in("policy", "Eviction"), Verbs: []string{"create"}},
		{Name: "exec", GVK: core("PodExecOptions"), Verbs: []string{"connect"}, Options: &corev1.PodExecOptions{}},
		{Name: "log", Verbs: []string{"get"}, Options: &corev1.PodLogOptions{}, Text: true},
		{Name: "resize", Verbs: []string{"get", "patch", "update"}},
		openapi.Status(),
	}
	all := []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
	return []openapi.Served{
		{GVK: core("Binding"), Plural: "bindings", Namespaced: true, Verbs: []string{"create"}},
		{GVK: core("ConfigMap"), Plural: "configmaps", Namespaced: true, Verbs: all},
		{GVK: core("Endpoints"), Plural: "endpoints", Namespaced: true, Verbs: all},
		{GVK: core("Event"), Plural: "events", Namespaced: true, Verbs: all},
		{
			GVK: core("Namespace"), Plural: "namespaces", Verbs: without(all, "deletecollection"),
			Subresources: []openapi.Subresource{{Name: "finalize", Verbs: []string{"update"}}, openapi.Status()},
		},
		{GVK: core("Node"), Plural: "nodes", Verbs: all, Subresources: status},
		{GVK: core("Pod"), Plural: "pods", Namespaced: true, Verbs: all, ReturnsDeleted: true, Subresources: pod},
		{GVK: core("ReplicationController"), Plural: "replicationcontrollers", Namespaced: true, Verbs: all, Subresources: workload},
		{GVK: core("Secret"), Plural: "secrets", Namespaced: true, Verbs: all},
		{GVK: core("Service"), Plural: "services", Namespaced: true, Verbs: all, ReturnsDeleted: true, Subresources: status},
		{GVK: in("apps", "ControllerRevision"), Plural: "controllerrevisions", Namespaced: true, Verbs: all},
		{GVK: in("apps", "DaemonSet"), Plural: "daemonsets", Namespaced: true, Verbs: all, Subresources: status},
		{GVK: in("apps", "Deployment"), Plural: "deployments", Namespaced: true, Verbs: all, Subresources: workload},
		{GVK: in("apps", "ReplicaSet"), Plural: "replicasets", Namespaced: true, Verbs: all, Subresources: workload},
		{GVK: in("apps", "StatefulSet"), Plural: "statefulsets", Namespaced: true, Verbs: all, Subresources: workload},
		{GVK: in("autoscaling", "HorizontalPodAutoscaler"), Plural: "horizontalpodautoscalers", Namespaced: true, Verbs: all, Subresources: status},
		{GVK: in("batch", "CronJob"), Plural: "cronjobs", Namespaced: true, Verbs: all, Subresources: status},
		{GVK: in("batch", "Job"), Plural: "jobs", Namespaced: true, Verbs: all, Subresources: status},
		{GVK: in("discovery.k8s.io", "EndpointSlice"), Plural: "endpointslices", Namespaced: true, Verbs: all},
		{GVK: in("events.k8s.io", "Event"), Plural: "events", Namespaced: true, Verbs: all},
		{GVK: in("policy", "PodDisruptionBudget"), Plural: "poddisruptionbudgets", Namespaced: true, Verbs: all, Subresources: status},
	}
}

func without(verbs []string, verb string) []string {
	return slices.DeleteFunc(slices.Clone(verbs), func(v string) bool { return v == verb })
}
