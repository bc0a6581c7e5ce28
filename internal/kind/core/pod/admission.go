package pod

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/limitrange"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/kind/scheduling"
	"github.com/rowlock/rowlock/internal/object"
)

// denyPodUpdate checks a Pod that enters the scope of further quotas as if it were new.
//
// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go, Handles
func denyPodUpdate(next, old object.Object, c kind.Cluster) error {
	p := next.(*corev1.Pod)
	if isTerminating(p) == isTerminating(old.(*corev1.Pod)) {
		return nil
	}
	return denyByQuota(p, c)
}

// Values of upstream's admission plugins, all of which are enabled by default.

const (
	defaultServiceAccount = "default"
	tokenVolumePrefix     = "kube-api-access-"
	tokenMountPath        = "/var/run/secrets/kubernetes.io/serviceaccount"
	// tokenSeconds is a little more than an hour. Upstream recognizes the tokens that it adds by
	// this value.
	tokenSeconds = 60*60 + 7
	// notReadySeconds is how long a Pod stays on a node that is not ready or unreachable.
	notReadySeconds = 300
)

// podAdmission lists the plugins that mutate or reject Pods.
//
// Source: kubernetes v1.36 pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins
var podAdmission = []kind.Plugin{
	{
		Name: "LimitRanger", Waits: true, Validate: limitrange.Deny,
		Mutate: onPod(func(p *corev1.Pod, c kind.Cluster) error {
			return limitrange.Each(c, p.Namespace, func(r *corev1.LimitRange) error { limitrange.Apply(p, r); return nil })
		}),
	},
	{Name: "ServiceAccount", Waits: true, Mutate: onPod(applyAccount)},
	security.Pods,
	{Name: "Priority", Waits: true, Mutate: onPod(func(p *corev1.Pod, c kind.Cluster) error { return prioritize(&p.Spec, c) })},
	// For updates, preparation does the same: see admitPodUpdate.
	{Name: "DefaultTolerationSeconds", Mutate: onPod(func(p *corev1.Pod, _ kind.Cluster) error { tolerateTrouble(&p.Spec); return nil })},
	{Name: "RuntimeClass", Waits: true, Mutate: onPod(applyRuntimeClass), Validate: onPod(denyByRuntimeClass)},
	{Name: "ResourceQuota", Waits: true, Validate: onPod(denyByQuota), ValidateUpdate: denyPodUpdate},
}

// onPod adapts an admission function for Pods.
func onPod(f func(*corev1.Pod, kind.Cluster) error) func(object.Object, kind.Cluster) error {
	return func(o object.Object, c kind.Cluster) error { return f(o.(*corev1.Pod), c) }
}

// applyAccount sets the service account of a new Pod, with its token and image pull secrets. A
// named account must exist.
//
// Source: kubernetes v1.36 plugin/pkg/admission/serviceaccount/admission.go, Admit
//
// Differs: upstream waits up to two seconds for the account "default" of a new namespace, then
// rejects the Pod. Rowlock admits it, because that account will exist soon and adds only the token.
func applyAccount(p *corev1.Pod, c kind.Cluster) error {
	s := &p.Spec
	if podspec.IsMirrorPod(p.Annotations) {
		return nil
	}
	s.ServiceAccountName = cmp.Or(s.ServiceAccountName, defaultServiceAccount)
	s.DeprecatedServiceAccount = s.ServiceAccountName
	account, ok := kind.Found[*corev1.ServiceAccount](c, "serviceaccounts", p.Namespace, s.ServiceAccountName)
	if !ok {
		if s.ServiceAccountName != defaultServiceAccount {
			return fmt.Errorf("error looking up service account %s/%s: serviceaccount %q not found", p.Namespace, s.ServiceAccountName, s.ServiceAccountName)
		}
		account = &corev1.ServiceAccount{}
	}
	if mount := cmp.Or(s.AutomountServiceAccountToken, account.AutomountServiceAccountToken); mount == nil || *mount {
		mountToken(p)
	}
	if len(s.ImagePullSecrets) == 0 {
		s.ImagePullSecrets = slices.Clone(account.ImagePullSecrets)
	}
	return nil
}

// prioritize sets the priority and the preemption policy of a new Pod from its class, or from the
// default class if it names none. A client must not set other values.
//
// Source: kubernetes v1.36 plugin/pkg/admission/priority/admission.go, admitPod
func prioritize(s *corev1.PodSpec, c kind.Cluster) error {
	priority, policy := noPriority, mayPreempt
	if s.PriorityClassName == "" {
		if class := scheduling.DefaultClass(c); class != nil {
			s.PriorityClassName, priority, policy = class.Name, &class.Value, class.PreemptionPolicy
		}
	} else {
		class, ok := kind.Found[*schedulingv1.PriorityClass](c, "priorityclasses.scheduling.k8s.io", "", s.PriorityClassName)
		if !ok {
			return fmt.Errorf("no PriorityClass with name %v was found", s.PriorityClassName)
		}
		priority, policy = &class.Value, class.PreemptionPolicy
	}
	const refusal = "the %s value of %s (%v) must not be provided in pod spec; priority admission controller computed %v from the given PriorityClass name"
	if s.Priority != nil && *s.Priority != *priority {
		return fmt.Errorf(refusal, "integer", "priority", *s.Priority, *priority)
	}
	s.Priority = priority
	if policy == nil {
		return nil
	}
	if s.PreemptionPolicy != nil && *s.PreemptionPolicy != *policy {
		return fmt.Errorf(refusal, "string", "PreemptionPolicy", *s.PreemptionPolicy, *policy)
	}
	s.PreemptionPolicy = policy
	return nil
}

// admitPodUpdate keeps fields set by admission that a client does not send.
func admitPodUpdate(next, old *corev1.Pod) {
	tolerateTrouble(&next.Spec)
	next.Spec.Priority = cmp.Or(next.Spec.Priority, old.Spec.Priority)
	next.Spec.PreemptionPolicy = cmp.Or(next.Spec.PreemptionPolicy, old.Spec.PreemptionPolicy)
}

// tolerateTrouble adds tolerations for nodes that are not ready or unreachable, unless the Pod has
// its own.
//
// Source: kubernetes v1.36 plugin/pkg/admission/defaulttolerationseconds/admission.go, Admit
func tolerateTrouble(s *corev1.PodSpec) {
	tolerations := s.Tolerations
	for _, taint := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		tolerated := slices.ContainsFunc(tolerations, func(t corev1.Toleration) bool {
			return (t.Key == taint || t.Key == "") && (t.Effect == corev1.TaintEffectNoExecute || t.Effect == "")
		})
		if !tolerated {
			s.Tolerations = append(s.Tolerations, corev1.Toleration{
				Key:               taint,
				Operator:          corev1.TolerationOpExists,
				Effect:            corev1.TaintEffectNoExecute,
				TolerationSeconds: troubleTime,
			})
		}
	}
}

// mountToken mounts the service account's token into every container that has no other mount at
// that path, from a volume that it adds.
//
// Differs: upstream draws the name of the volume for each Pod. Here all Pods of a service account
// have the same, so that the specs of one template are equal.
func mountToken(p *corev1.Pod) {
	s := &p.Spec
	name := tokenVolumePrefix + suffixOf(p.Namespace, s.ServiceAccountName)
	has := slices.IndexFunc(s.Volumes, func(v corev1.Volume) bool { return strings.HasPrefix(v.Name, tokenVolumePrefix) })
	if has >= 0 {
		name = s.Volumes[has].Name
	}
	mounted := false
	for _, containers := range [][]corev1.Container{s.InitContainers, s.Containers} {
		for i := range containers {
			c := &containers[i]
			if slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.MountPath == tokenMountPath }) {
				continue
			}
			c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: name, ReadOnly: true, MountPath: tokenMountPath})
			mounted = true
		}
	}
	if mounted && has < 0 {
		s.Volumes = append(s.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{Projected: tokenVolume}})
	}
}

// What admission adds to Pods is in memory once, for all of them. Nothing may change it.
var (
	// tokenVolume is a volume source with the token, the API server's CA certificate, and the
	// namespace.
	tokenVolume = &corev1.ProjectedVolumeSource{
		DefaultMode: new(corev1.ProjectedVolumeSourceDefaultMode),
		Sources: []corev1.VolumeProjection{
			{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", ExpirationSeconds: new(int64(tokenSeconds))}},
			{ConfigMap: &corev1.ConfigMapProjection{
				LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"},
				Items:                []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}},
			}},
			{DownwardAPI: &corev1.DownwardAPIProjection{Items: []corev1.DownwardAPIVolumeFile{{
				Path:     "namespace",
				FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.namespace"},
			}}}},
		},
	}

	noPriority  = new(int32(0))
	mayPreempt  = new(corev1.PreemptLowerPriority)
	troubleTime = new(int64(notReadySeconds))
)

// suffixOf returns five characters of the alphabet of generated names, derived from the name of a
// service account.
func suffixOf(namespace, account string) string {
	const alphabet = "bcdfghjklmnpqrstvwxz2456789"
	hash := fnv.New64a()
	hash.Write([]byte(namespace + "/" + account))
	var suffix [5]byte
	n := hash.Sum64()
	for i := range suffix {
		suffix[i] = alphabet[n%uint64(len(alphabet))]
		n /= uint64(len(alphabet))
	}
	return string(suffix[:])
}

// applyMatchLabelKeys adds to a new Pod's selectors, in place, the values of its labels for
// matchLabelKeys and mismatchLabelKeys, for the scheduler.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, mutatePodAffinity and mutateTopologySpreadConstraints
func applyMatchLabelKeys(p *corev1.Pod) {
	term := func(t *corev1.PodAffinityTerm) {
		appendLabelKeys(t.LabelSelector, t.MatchLabelKeys, metav1.LabelSelectorOpIn, p.Labels)
		appendLabelKeys(t.LabelSelector, t.MismatchLabelKeys, metav1.LabelSelectorOpNotIn, p.Labels)
	}
	terms := func(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
		for i := range preferred {
			term(&preferred[i].PodAffinityTerm)
		}
		for i := range required {
			term(&required[i])
		}
	}
	if a := p.Spec.Affinity; a != nil {
		if pods := a.PodAffinity; pods != nil {
			terms(pods.RequiredDuringSchedulingIgnoredDuringExecution, pods.PreferredDuringSchedulingIgnoredDuringExecution)
		}
		if pods := a.PodAntiAffinity; pods != nil {
			terms(pods.RequiredDuringSchedulingIgnoredDuringExecution, pods.PreferredDuringSchedulingIgnoredDuringExecution)
		}
	}
	for i := range p.Spec.TopologySpreadConstraints {
		c := &p.Spec.TopologySpreadConstraints[i]
		appendLabelKeys(c.LabelSelector, c.MatchLabelKeys, metav1.LabelSelectorOpIn, p.Labels)
	}
}

// appendLabelKeys does nothing to a nil selector, which selects nothing.
func appendLabelKeys(s *metav1.LabelSelector, keys []string, op metav1.LabelSelectorOperator, labels map[string]string) {
	if s == nil {
		return
	}
	for _, key := range keys {
		if value, has := labels[key]; has {
			s.MatchExpressions = append(s.MatchExpressions, metav1.LabelSelectorRequirement{
				Key: key, Operator: op, Values: []string{value},
			})
		}
	}
}
