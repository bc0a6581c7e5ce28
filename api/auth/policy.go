package auth

import rbacv1 "k8s.io/api/rbac/v1"

// Viewers is the group that may read everything but Secrets.
const Viewers = "rowlock:viewers"

// Default is what users may do on a server with a login: masters everything; whoever has shown who they are may find out what is
// served and what they may do; viewers may read; everybody may ask whether the server is well. There are no roles to change it by.
//
// Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go: cluster-admin, system:basic-user, system:discovery,
// system:public-info-viewer, view, and who is bound to them
//
// Differs: viewers may also read what has no namespace, and the state of Rowlock itself, because an emulated cluster's nodes are there to be
// looked at.
var Default Authorizer = Groups{
	Masters: everything,
	Authenticated: {
		urls("/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*", "/healthz", "/livez", "/readyz", "/version", "/version/"),
		{Verbs: []string{"create"}, APIGroups: []string{"authorization.k8s.io"}, Resources: []string{"selfsubjectaccessreviews", "selfsubjectrulesreviews"}},
		{Verbs: []string{"create"}, APIGroups: []string{"authentication.k8s.io"}, Resources: []string{"selfsubjectreviews"}},
	},
	Unauthenticated: {urls("/healthz", "/livez", "/readyz", "/version", "/version/")},
	Viewers: {
		reads("", "bindings", "componentstatuses", "configmaps", "endpoints", "events", "limitranges", "namespaces", "namespaces/status", "nodes", "nodes/status",
			"persistentvolumeclaims", "persistentvolumeclaims/status", "persistentvolumes", "persistentvolumes/status", "pods", "pods/log", "pods/status", "podtemplates",
			"replicationcontrollers", "replicationcontrollers/scale", "replicationcontrollers/status", "resourcequotas", "resourcequotas/status",
			"serviceaccounts", "services", "services/status"),
		reads("apps", "controllerrevisions", "daemonsets", "daemonsets/status", "deployments", "deployments/scale", "deployments/status",
			"replicasets", "replicasets/scale", "replicasets/status", "statefulsets", "statefulsets/scale", "statefulsets/status"),
		reads("autoscaling", "horizontalpodautoscalers", "horizontalpodautoscalers/status"),
		reads("batch", "cronjobs", "cronjobs/status", "jobs", "jobs/status"),
		reads("certificates.k8s.io", "certificatesigningrequests", "certificatesigningrequests/approval", "certificatesigningrequests/status"),
		reads("coordination.k8s.io", "leases"),
		reads("discovery.k8s.io", "endpointslices"),
		reads("events.k8s.io", "events"),
		reads("flowcontrol.apiserver.k8s.io", "flowschemas", "flowschemas/status", "prioritylevelconfigurations", "prioritylevelconfigurations/status"),
		reads("networking.k8s.io", "ingressclasses", "ingresses", "ingresses/status", "networkpolicies"),
		reads("custom.metrics.k8s.io", "*"),
		reads("external.metrics.k8s.io", "*"),
		reads("metrics.k8s.io", "nodes", "pods"),
		reads("node.k8s.io", "runtimeclasses"),
		reads("policy", "poddisruptionbudgets", "poddisruptionbudgets/status"),
		reads("resource.k8s.io", "deviceclasses", "resourceclaims", "resourceclaims/status", "resourceclaimtemplates", "resourceslices"),
		reads("scheduling.k8s.io", "priorityclasses"),
		reads("storage.k8s.io", "csidrivers", "csinodes", "csistoragecapacities", "storageclasses", "volumeattachments", "volumeattachments/status",
			"volumeattributesclasses"),
		// No path of which a file comes that has Secrets in it, as a snapshot has.
		urls("/metrics", "/rowlock/v1/clock", "/rowlock/v1/faults", "/rowlock/v1/faults/*", "/rowlock/v1/forks", "/rowlock/v1/history", "/rowlock/v1/metrics",
			"/rowlock/v1/schedule", "/rowlock/v1/snapshots"),
		// What these tell of is judged by what it is about, as well.
		urls("/rowlock/v1/scaledown", "/rowlock/v1/deletion", "/rowlock/v1/changes", "/rowlock/v1/changes/*", "/rowlock/v1/traffic"),
	},
}

var everything = []rbacv1.PolicyRule{
	{Verbs: all, APIGroups: all, Resources: all},
	{Verbs: all, NonResourceURLs: all},
}

var all = []string{"*"}

// reads lets resources of a group be read.
func reads(group string, resources ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: []string{"get", "list", "watch"}, APIGroups: []string{group}, Resources: resources}
}

// urls lets paths be read that are about no resource.
func urls(paths ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: []string{"get"}, NonResourceURLs: paths}
}
