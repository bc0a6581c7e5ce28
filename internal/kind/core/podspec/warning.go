package podspec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// TemplatePath is the path of a workload's template.
var TemplatePath = field.NewPath("spec", "template")

// podWarnings collects warnings about fields of a Pod or template that are valid but probably
// mistakes. It is cheap if there are none.
//
// Source: kubernetes v1.36 pkg/api/pod/warnings.go
//
// Differs: upstream warns about an AppArmor annotation without a field before it sets that field
// from the annotation.
type podWarnings struct {
	path  *field.Path // of the Pod, nil, or of the template
	spec  *corev1.PodSpec
	meta  *metav1.ObjectMeta
	texts []string
}

// Warn returns the warnings about a Pod or, if path is set, a template at this path.
func Warn(path *field.Path, spec *corev1.PodSpec, meta *metav1.ObjectMeta) []string {
	w := &podWarnings{path: path, spec: spec, meta: meta}
	w.nodeLabels()
	w.annotations()
	w.volumes()
	w.lists()
	w.amount(spec.Overhead, "overhead", path)
	w.containers()
	w.ports()
	if s := spec.TerminationGracePeriodSeconds; s != nil && *s < 0 {
		w.add("must be >= 0; negative values are invalid and will be treated as 1", "terminationGracePeriodSeconds")
	}
	w.affinity()
	w.addresses()
	return w.texts
}

// WarnOfTemplate returns the warnings about a template, at creation and after a change that
// incremented the generation.
func WarnOfTemplate(path *field.Path, t *corev1.PodTemplateSpec) []string {
	return Warn(path, &t.Spec, &t.ObjectMeta)
}

// WarnOfWorkload returns the warnings about a workload: about its name, at creation, and about its
// template.
func WarnOfWorkload[T interface {
	comparable
	metav1.Object
}](next, old T, t *corev1.PodTemplateSpec) []string {
	var none T
	if old == none {
		return append(WarnOfNames(next), WarnOfTemplate(TemplatePath, t)...)
	}
	if next.GetGeneration() == old.GetGeneration() {
		return nil
	}
	return WarnOfTemplate(TemplatePath, t)
}

// add warns about a field of the spec.
func (w *podWarnings) add(text, name string, more ...string) {
	w.at(w.path.Child("spec").Child(name, more...), text)
}

func (w *podWarnings) at(path *field.Path, text string) {
	w.texts = append(w.texts, path.String()+": "+text)
}

func (w *podWarnings) annotation(key, text string) {
	w.at(w.path.Child("metadata", "annotations").Key(key), text)
}

// nodeLabels warns about deprecated node labels, and about values that no node can have.
func (w *podWarnings) nodeLabels() {
	if len(w.spec.NodeSelector) > 0 {
		for _, key := range slices.Sorted(maps.Keys(w.spec.NodeSelector)) {
			if why, deprecated := check.DeprecatedNodeLabels[key]; deprecated {
				w.at(w.path.Child("spec", "nodeSelector").Key(key), why)
			}
		}
	}
	if w.spec.Affinity != nil && w.spec.Affinity.NodeAffinity != nil {
		n := w.spec.Affinity.NodeAffinity
		at := w.path.Child("spec", "affinity", "nodeAffinity")
		if required := n.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
			terms := at.Child("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
			for i := range required.NodeSelectorTerms {
				w.texts = append(w.texts, check.WarnOfNodeTerm(&required.NodeSelectorTerms[i], terms.Index(i))...)
			}
		}
		preferred := at.Child("preferredDuringSchedulingIgnoredDuringExecution")
		for i := range n.PreferredDuringSchedulingIgnoredDuringExecution {
			w.preference(&n.PreferredDuringSchedulingIgnoredDuringExecution[i].Preference, preferred.Index(i).Child("preference"))
		}
	}
	for i, c := range w.spec.TopologySpreadConstraints {
		at := w.path.Child("spec", "topologySpreadConstraints").Index(i)
		if why, deprecated := check.DeprecatedNodeLabels[c.TopologyKey]; deprecated {
			w.at(at.Child("topologyKey"), c.TopologyKey+" is "+why)
		}
		if c.LabelSelector == nil {
			w.at(at.Child("labelSelector"), matchesNothing)
		}
	}
}

// preference warns about a preferred node selector term, whose values are not validated.
func (w *podWarnings) preference(t *corev1.NodeSelectorTerm, path *field.Path) {
	for i, e := range t.MatchExpressions {
		at := path.Child("matchExpressions").Index(i)
		if why, deprecated := check.DeprecatedNodeLabels[e.Key]; deprecated {
			w.at(at.Child("key"), e.Key+" is "+why)
		}
		for j, value := range e.Values {
			for _, msg := range validation.IsValidLabelValue(value) {
				w.at(at.Child("values").Index(j), value+" is invalid, "+msg)
			}
		}
	}
}

const matchesNothing = "a null labelSelector results in matching no pod"

// deadAnnotations have been replaced by fields.
var deadAnnotations = []struct{ key, text string }{
	{"scheduler.alpha.kubernetes.io/critical-pod", `non-functional in v1.16+; use the "priorityClassName" field instead`},
	{"security.alpha.kubernetes.io/sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
	{"security.alpha.kubernetes.io/unsafe-sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
}

func (w *podWarnings) annotations() {
	if len(w.meta.Annotations) == 0 {
		return
	}
	for _, a := range deadAnnotations {
		if _, has := w.meta.Annotations[a.key]; has {
			w.annotation(a.key, a.text)
		}
	}
}

// lists warns about duplicate and empty items of lists.
func (w *podWarnings) lists() {
	hosts := make(map[string]bool, len(w.spec.HostAliases))
	for i, alias := range w.spec.HostAliases {
		if hosts[alias.IP] {
			w.at(w.path.Child("spec", "hostAliases").Index(i).Child("ip"), fmt.Sprintf("duplicate ip %q", alias.IP))
		}
		hosts[alias.IP] = true
	}
	secrets := w.path.Child("spec", "imagePullSecrets")
	seen := make(map[corev1.LocalObjectReference]bool, len(w.spec.ImagePullSecrets))
	for i, s := range w.spec.ImagePullSecrets {
		if seen[s] {
			w.at(secrets.Index(i).Child("name"), fmt.Sprintf("duplicate name %q", s.Name))
		}
		seen[s] = true
	}
	for i, s := range w.spec.ImagePullSecrets {
		if s.Name == "" {
			w.at(secrets.Index(i).Child("name"), `invalid empty name ""`)
		}
	}
}

// amount warns about memory and storage that are not a whole number of bytes.
func (w *podWarnings) amount(list corev1.ResourceList, name string, path *field.Path) {
	if len(list) == 0 {
		return
	}
	if path == w.path {
		path = path.Child("spec")
	}
	for _, r := range []corev1.ResourceName{corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
		if q, has := list[r]; has && isFraction(&q) {
			w.at(path.Child(name).Key(string(r)), fmt.Sprintf("fractional byte value %q is invalid, must be an integer", q.String()))
		}
	}
}

func isFraction(q *resource.Quantity) bool { return q.MilliValue()%1000 != 0 }

// seccompDead: seccomp annotations no longer have an effect.
const seccompDead = `non-functional in v1.27+; use the "seccompProfile" field instead`

func (w *podWarnings) containers() {
	annotated := len(w.meta.Annotations) > 0
	sc := w.spec.SecurityContext
	if _, has := w.meta.Annotations[corev1.SeccompPodAnnotationKey]; has && (sc == nil || sc.SeccompProfile == nil) {
		w.annotation(corev1.SeccompPodAnnotationKey, seccompDead)
	}
	visitContainers(w.spec, w.path.Child("spec"), func(c *corev1.Container, at *field.Path) {
		if annotated {
			w.profiles(c)
		}
		limits, requests := c.Resources.Limits, c.Resources.Requests
		if len(limits)+len(requests) > 0 {
			w.resources(limits, requests, at.Child("resources"))
		}
		w.environment(c.Env, at.Child("env"))
	})
}

// resources warns about fractions: for each resource, first of the limit, then of the request.
func (w *podWarnings) resources(limits, requests corev1.ResourceList, at *field.Path) {
	for _, r := range []corev1.ResourceName{corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
		for _, part := range []struct {
			name string
			list corev1.ResourceList
		}{{"limits", limits}, {"requests", requests}} {
			if q, has := part.list[r]; has && isFraction(&q) {
				w.at(at.Child(part.name).Key(string(r)), fmt.Sprintf("fractional byte value %q is invalid, must be an integer", q.String()))
			}
		}
	}
}

// profiles warns about annotations for a container that does not have the corresponding field.
func (w *podWarnings) profiles(c *corev1.Container) {
	key := corev1.SeccompContainerAnnotationKeyPrefix + c.Name
	if _, has := w.meta.Annotations[key]; has && (c.SecurityContext == nil || c.SecurityContext.SeccompProfile == nil) {
		w.annotation(key, seccompDead)
	}
	if w.path == nil || c.SecurityContext != nil && c.SecurityContext.AppArmorProfile != nil {
		return
	}
	key = appArmorPrefix + c.Name
	value, has := w.meta.Annotations[key]
	if !has {
		return
	}
	if sc := w.spec.SecurityContext; sc == nil || sc.AppArmorProfile == nil || !equality.Semantic.DeepEqual(sc.AppArmorProfile, appArmorProfile(value)) {
		w.annotation(key, `deprecated since v1.30; use the "appArmorProfile" field instead`)
	}
}

// environment warns about variables that are set twice, unless the second refers to the first.
func (w *podWarnings) environment(env []corev1.EnvVar, at *field.Path) {
	if len(env) < 2 {
		return
	}
	seen := make(map[string]bool, len(env))
	for i, e := range env {
		if !seen[e.Name] {
			seen[e.Name] = true
			continue
		}
		own := "$(" + e.Name + ")"
		if e.ValueFrom != nil || e.Value == own || !strings.Contains(e.Value, own) {
			w.at(at.Index(i), fmt.Sprintf("hides previous definition of %q, which may be dropped when using apply", e.Name))
		}
	}
}

// containerPort is a port with its path.
type containerPort struct {
	corev1.ContainerPort
	path *field.Path
}

// Limits of the cost of repeated ports: each is compared with all others of the same number.
const (
	maxSharedPorts = 200
	manyWarnings   = 1000
)

// ports warns about duplicate ports, in one container or in two.
//
// Differs: above maxSharedPorts ports of one number, or manyWarnings, it stops comparing. An answer
// has far fewer warnings.
func (w *podWarnings) ports() {
	var all []containerPort
	visitContainers(w.spec, w.path.Child("spec"), func(c *corev1.Container, at *field.Path) {
		for i, p := range c.Ports {
			all = append(all, containerPort{p, at.Child("ports").Index(i)})
		}
	})
	type number struct {
		port     int32
		protocol corev1.Protocol
	}
	byNumber, byName := make(map[number][]containerPort, len(all)), make(map[string]*field.Path, len(all))
	for _, p := range all {
		if p.HostIP != "" && p.HostPort == 0 {
			w.at(p.path, fmt.Sprintf("hostIP set without hostPort: %+v", p.ContainerPort))
		}
		n := number{p.ContainerPort.ContainerPort, p.Protocol}
		if others := byNumber[n]; len(others) < maxSharedPorts && len(w.texts) < manyWarnings {
			for _, other := range others {
				w.sharedPort(p, other)
			}
			byNumber[n] = append(others, p)
		}
	}
	for _, p := range all {
		if p.Name == "" {
			continue
		}
		if first, twice := byName[p.Name]; twice {
			w.at(p.path, fmt.Sprintf("duplicate port name %q with %s, services and probes that select ports by name will use %s", p.Name, first, first))
			continue
		}
		byName[p.Name] = p.path
	}
}

// sharedPort warns about two ports with the same number and protocol.
func (w *podWarnings) sharedPort(p, other containerPort) {
	switch {
	case p.HostIP == other.HostIP && p.HostPort == other.HostPort:
		w.at(p.path, "duplicate port definition with "+other.path.String())
	case p.HostPort == 0 || other.HostPort == 0:
		w.at(p.path, "overlapping port definition with "+other.path.String())
	case p.HostPort == other.HostPort && (p.HostIP == "") != (other.HostIP == ""):
		w.at(p.path, "dangerously ambiguous port definition with "+other.path.String())
	}
}

// affinity warns about terms that select no Pod.
func (w *podWarnings) affinity() {
	a := w.spec.Affinity
	if a == nil {
		return
	}
	at := w.path.Child("spec", "affinity")
	if p := a.PodAffinity; p != nil {
		w.terms(p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution, at.Child("podAffinity"))
	}
	if p := a.PodAntiAffinity; p != nil {
		w.terms(p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution, at.Child("podAntiAffinity"))
	}
}

func (w *podWarnings) terms(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm, at *field.Path) {
	for i, t := range required {
		if t.LabelSelector == nil {
			w.at(at.Child("requiredDuringSchedulingIgnoredDuringExecution").Index(i).Child("labelSelector"), matchesNothing)
		}
	}
	for i, t := range preferred {
		if t.PodAffinityTerm.LabelSelector == nil {
			w.at(at.Child("preferredDuringSchedulingIgnoredDuringExecution").Index(i).Child("podAffinityTerm", "labelSelector"), matchesNothing)
		}
	}
}

// addresses warns about addresses in non-canonical form.
func (w *podWarnings) addresses() {
	if w.spec.DNSConfig != nil {
		w.texts = append(w.texts, check.WarnOfIPs(w.path.Child("spec", "dnsConfig", "nameservers"), w.spec.DNSConfig.Nameservers)...)
	}
	for i, alias := range w.spec.HostAliases {
		at := w.path.Child("spec", "hostAliases").Index(i).Child("ip")
		w.texts = append(w.texts, validation.GetWarningsForIP(at, alias.IP)...)
	}
}
