package controller

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/controller/names"
)

// choice is a name by which controllers are chosen, and the controllers behind it; none if Rowlock
// runs nothing for it.
type choice struct {
	name        string
	alias       string // an older name; empty for none
	controllers []string
}

// choices are kube-controller-manager's controllers by name, followed by those that stand for other
// programs: the scheduler and the kubelet. Controllers without a name here do what the API server
// does by itself, and always run.
//
// Source: kubernetes v1.36 cmd/kube-controller-manager/names/controller_names.go and the aliases of the descriptors in
// cmd/kube-controller-manager/app. The alias gc is Rowlock's own.
var choices = []choice{
	{"bootstrap-signer-controller", "bootstrapsigner", nil},
	{"certificatesigningrequest-approving-controller", "csrapproving", []string{names.CertificateSigningRequest}},
	{"certificatesigningrequest-cleaner-controller", "csrcleaner", []string{names.CertificateSigningRequest}},
	{"certificatesigningrequest-signing-controller", "csrsigning", []string{names.CertificateSigningRequest}},
	{"clusterrole-aggregation-controller", "clusterrole-aggregation", []string{names.ClusterRoleAggregation}},
	{"cronjob-controller", "cronjob", []string{names.CronJob}},
	{"daemonset-controller", "daemonset", []string{names.DaemonSet, names.DaemonSetNode, names.DaemonSetGone}},
	{"deployment-controller", "deployment", []string{names.Deployment}},
	{"device-taint-eviction-controller", "", nil},
	{"disruption-controller", "disruption", []string{names.Disruption, names.StaleDisruption}},
	{"endpoints-controller", "endpoint", []string{names.Endpoints}},
	{"endpointslice-controller", "endpointslice", []string{names.Endpoints}},
	{"endpointslice-mirroring-controller", "endpointslicemirroring", []string{names.EndpointSliceMirroring}},
	{"ephemeral-volume-controller", "ephemeral-volume", []string{names.EphemeralVolume}},
	{"garbage-collector-controller", "garbagecollector", []string{names.GarbageCollector}},
	{"horizontal-pod-autoscaler-controller", "horizontalpodautoscaling", []string{names.HorizontalPodAutoscaler}},
	{"job-controller", "job", []string{names.Job, names.JobPod}},
	{"kube-apiserver-serving-clustertrustbundle-publisher-controller", "", nil},
	{"legacy-serviceaccount-token-cleaner-controller", "legacy-service-account-token-cleaner", nil},
	{"namespace-controller", "namespace", []string{names.Namespace}},
	{"node-ipam-controller", "nodeipam", nil},
	{"node-lifecycle-controller", "nodelifecycle", []string{names.NodeLifecycle, names.NodeDisruption, names.NodePods}},
	{"persistentvolume-attach-detach-controller", "attachdetach", nil},
	{"persistentvolume-binder-controller", "persistentvolume-binder", []string{names.PersistentVolumeClaim, names.PersistentVolume, names.VolumeClass}},
	{"persistentvolume-expander-controller", "persistentvolume-expander", []string{names.PersistentVolumeClaim}},
	{"persistentvolume-protection-controller", "pv-protection", []string{names.PersistentVolume}},
	{"persistentvolumeclaim-protection-controller", "pvc-protection", []string{names.PersistentVolumeClaim}},
	{"podcertificaterequest-cleaner-controller", "", nil},
	{"podgroup-protection-controller", "", nil},
	{"resourcepoolstatusrequest-controller", "", nil},
	{"pod-garbage-collector-controller", "podgc", []string{names.PodGC}},
	{"replicaset-controller", "replicaset", []string{names.ReplicaSet}},
	{"replicationcontroller-controller", "replicationcontroller", []string{names.ReplicationController}},
	{"resourceclaim-controller", "resource-claim-controller", []string{names.ResourceClaim}},
	{"resourcequota-controller", "resourcequota", []string{names.ResourceQuota}},
	{"root-ca-certificate-publisher-controller", "root-ca-cert-publisher", []string{names.ServiceAccount}},
	{"selinux-warning-controller", "", nil},
	{"service-cidr-controller", "", []string{names.ServiceCIDR}},
	{"serviceaccount-controller", "serviceaccount", []string{names.ServiceAccount}},
	{"serviceaccount-token-controller", "serviceaccount-token", []string{names.ServiceAccountToken}},
	{"statefulset-controller", "statefulset", []string{names.StatefulSet}},
	{"storage-version-migrator-controller", "svm", nil},
	{"storageversion-garbage-collector-controller", "storage-version-gc", nil},
	{"taint-eviction-controller", "", []string{names.TaintEviction}},
	{"token-cleaner-controller", "tokencleaner", nil},
	{"ttl-after-finished-controller", "ttl-after-finished", []string{names.TTLAfterFinished}},
	{"ttl-controller", "ttl", nil},
	{"validatingadmissionpolicy-status-controller", "", nil},
	{"volumeattributesclass-protection-controller", "", []string{names.VolumeClass}},

	{"kube-scheduler", "scheduler", []string{names.Scheduler}},
	{"kubelet", "", []string{names.Kubelet, names.KubeletBacklog, names.KubeletTermination, names.Configuration}},
}

// Choices returns the names that Off knows, as kube-controller-manager spells them, sorted.
func Choices() []string {
	names := make([]string, 0, len(choices))
	for _, c := range choices {
		names = append(names, c.name)
	}
	slices.Sort(names)
	return names
}

// Off returns the controllers that do not run for a list of choices: "*" is all, "name" that one,
// "-name" not that one, and the first entry about a name decides. If several names stand for one
// controller, a chosen name outweighs a refused one, and either outweighs "*". nil chooses all, and
// an empty list none. For an unknown name it returns an error that lists the names.
//
// Source: kubernetes v1.36 staging/src/k8s.io/controller-manager/app/helper.go, IsControllerEnabled, and options/generic.go, Validate
func Off(chosen []string) (map[string]bool, error) {
	if chosen == nil {
		return nil, nil //nolint:nilnil // nothing is off
	}
	rest := slices.Contains(chosen, "*")
	said := map[string]bool{}
	for _, entry := range chosen {
		if entry == "*" {
			continue
		}
		asked, not := strings.CutPrefix(entry, "-")
		name, known := canonical(asked)
		if !known {
			return nil, fmt.Errorf("%q is not in the list of known controllers: %s", asked, strings.Join(Choices(), ", "))
		}
		if _, before := said[name]; !before {
			said[name] = !not
		}
	}
	wanted, refused := map[string]bool{}, map[string]bool{}
	for _, c := range choices {
		runs, explicit := said[c.name]
		for _, controller := range c.controllers {
			wanted[controller] = wanted[controller] || explicit && runs
			refused[controller] = refused[controller] || explicit && !runs
		}
	}
	off := map[string]bool{}
	for controller := range wanted {
		if !wanted[controller] && (refused[controller] || !rest) {
			off[controller] = true
		}
	}
	return off, nil
}

// canonical returns the name that an entry means.
func canonical(asked string) (name string, known bool) {
	if asked == "gc" {
		asked = "garbagecollector"
	}
	for _, c := range choices {
		if asked == c.name || asked == c.alias && c.alias != "" {
			return c.name, true
		}
	}
	return "", false
}
