package kind

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// Measure is how ResourceQuotas measure the objects of a kind, in addition to counting them as
// "count/deployments.apps", which is possible for every kind.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/quota/v1/interfaces.go, Evaluator
type Measure struct {
	// Measures reports whether objects of the kind may use a resource, by its name in quotas.
	Measures func(name corev1.ResourceName) bool
	// Usage returns how much of each resource an object uses. It depends only on the object.
	Usage func(o object.Object) corev1.ResourceList
	// InScope reports whether an object is in a quota's scope; nil if no scope applies to the kind,
	// so that quotas with scopes do not concern it.
	InScope func(o object.Object, r corev1.ScopedResourceSelectorRequirement) bool
}

// One is the usage of an object that is counted.
var One = *resource.NewQuantity(1, resource.DecimalSI)

// CountedAs returns the measure of kinds that have an older name in quotas in addition to
// "count/…".
//
// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/registry.go, legacyObjectCountAliases
func CountedAs(alias corev1.ResourceName) *Measure {
	return &Measure{
		Measures: func(name corev1.ResourceName) bool { return name == alias },
		Usage:    func(object.Object) corev1.ResourceList { return corev1.ResourceList{alias: One} },
	}
}

// countName returns the name under which quotas count the objects of a kind.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/quota/v1/generic/evaluator.go, ObjectCountQuotaResourceNameFor
func (k *Kind) countName() corev1.ResourceName { return corev1.ResourceName("count/" + k.Resource()) }

// Counted reports whether quotas apply to the kind: to all namespaced stored kinds except Event.
//
// Source: kubernetes v1.36 pkg/quota/v1/install/registry.go, ignoredResources
func (k *Kind) Counted() bool {
	return k.Namespaced && (!k.Internal || k.Custom != nil) && k.Stored == nil && k.Answer == nil && k.Plural != "events"
}

// measures reports whether objects of the kind use a quota's resource.
func (k *Kind) measures(name corev1.ResourceName) bool {
	return k.Counted() && (name == k.countName() || k.Quota != nil && k.Quota.Measures(name))
}

// Quota is a ResourceQuota prepared for measuring. It is immutable.
type Quota struct {
	UID             types.UID
	Namespace, Name string
	// Digest identifies the spec: usage that was measured by another spec belongs to another quota.
	Digest string

	hard   corev1.ResourceList
	scopes []corev1.ScopedResourceSelectorRequirement
}

// NewQuota prepares a ResourceQuota.
func NewQuota(q *corev1.ResourceQuota) *Quota {
	made := &Quota{UID: q.UID, Namespace: q.Namespace, Name: q.Name, Digest: QuotaDigest(&q.Spec), hard: q.Spec.Hard}
	for _, scope := range q.Spec.Scopes {
		made.scopes = append(made.scopes, corev1.ScopedResourceSelectorRequirement{ScopeName: scope, Operator: corev1.ScopeSelectorOpExists})
	}
	if q.Spec.ScopeSelector != nil {
		made.scopes = append(made.scopes, q.Spec.ScopeSelector.MatchExpressions...)
	}
	return made
}

// QuotaOf prepares a ResourceQuota; it returns nil for objects of other kinds.
func QuotaOf(o object.Object) *Quota {
	q, ok := o.(*corev1.ResourceQuota)
	if !ok {
		return nil
	}
	return NewQuota(q)
}

// DigestOf returns the Digest of a ResourceQuota, "" for objects of other kinds.
func DigestOf(o object.Object) string {
	q, ok := o.(*corev1.ResourceQuota)
	if !ok {
		return ""
	}
	return QuotaDigest(&q.Spec)
}

// IsQuota reports whether objects of the kind are ResourceQuotas.
func (k *Kind) IsQuota() bool { return k.Group == "" && k.Plural == "resourcequotas" }

// QuotaDigest returns a short hash of a spec.
func QuotaDigest(s *corev1.ResourceQuotaSpec) string {
	hard := make(map[corev1.ResourceName]string, len(s.Hard))
	for name, quantity := range s.Hard {
		hard[name] = quantity.String()
	}
	body, err := json.Marshal([]any{hard, s.Scopes, s.ScopeSelector})
	if err != nil {
		panic(err) // cannot happen: all values are strings
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:8])
}

// Limits returns the limited resources that can be measured: those that a kind of the catalogue
// uses, those that Kubernetes has names for, and the counts of custom resources.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/quota/v1/resources.go, CalculateUsage
//
// Differs: custom resources have a count before they are defined; upstream notices a new definition
// within half a minute.
func (q *Quota) Limits(kinds *Catalogue) corev1.ResourceList {
	limits := corev1.ResourceList{}
	for name, quantity := range q.hard {
		if check.IsQuotaResource(name) || countsCustom(name) || slices.ContainsFunc(kinds.Value().stored, func(k *Kind) bool { return k.measures(name) }) {
			limits[name] = quantity
		}
	}
	return limits
}

// countsCustom reports whether a quota's resource may be the count of a custom resource: its group
// has a dot.
func countsCustom(name corev1.ResourceName) bool {
	resource, counts := strings.CutPrefix(string(name), "count/")
	_, group, _ := strings.Cut(resource, ".")
	return counts && strings.Contains(group, ".")
}

// Concerns reports whether objects of the kind can use what the quota limits.
func (q *Quota) Concerns(k *Kind) bool {
	for name := range q.hard {
		if k.measures(name) {
			return true
		}
	}
	return false
}

// Matches reports whether an object, measured by m, is in all scopes of the quota.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/quota/v1/generic/evaluator.go, Matches
func (q *Quota) Matches(m *Measure, o object.Object) bool {
	for _, r := range q.scopes {
		if m == nil || m.InScope == nil || !m.InScope(o, r) {
			return false
		}
	}
	return true
}

// Usage returns what an object uses of the limited resources: nothing if it is nil or out of scope.
func (q *Quota) Usage(k *Kind, o object.Object) corev1.ResourceList {
	if o == nil || !q.Concerns(k) || !q.Matches(k.Quota, o) {
		return nil
	}
	usage := corev1.ResourceList{}
	if _, limited := q.hard[k.countName()]; limited {
		usage[k.countName()] = One
	}
	if k.Quota == nil {
		return usage
	}
	for name, quantity := range k.Quota.Usage(o) {
		if _, limited := q.hard[name]; limited {
			usage[name] = quantity
		}
	}
	return usage
}

// Tally adds up the usage of quotas. The zero Tally is nil and cannot be added to.
type Tally map[*Quota]corev1.ResourceList

// Add adds the usage of an object to a quota.
func (t Tally) Add(q *Quota, k *Kind, o object.Object) {
	for name, quantity := range q.Usage(k, o) {
		if t[q] == nil {
			t[q] = corev1.ResourceList{}
		}
		sum := t[q][name].DeepCopy()
		sum.Add(quantity)
		t[q][name] = sum
	}
}

// Charge is the change of a resource's usage.
type Charge struct {
	Resource corev1.ResourceName
	Amount   resource.Quantity
}

// Charges returns the changes of usage that a change of an object causes, in order of resource
// name. next is nil for a deletion, old for a creation. Because usage depends only on an object's
// version, the sum of all charges equals the current usage.
func (q *Quota) Charges(k *Kind, next, old object.Object) []Charge {
	if !q.Concerns(k) {
		return nil
	}
	usage, was := q.Usage(k, next), q.Usage(k, old)
	if usage == nil {
		usage = corev1.ResourceList{}
	}
	for name, quantity := range was {
		left := usage[name].DeepCopy()
		if _, still := usage[name]; !still {
			left.Format = quantity.Format
		}
		left.Sub(quantity)
		usage[name] = left
	}
	var charges []Charge
	for _, name := range slices.Sorted(maps.Keys(usage)) {
		if amount := usage[name]; !amount.IsZero() {
			charges = append(charges, Charge{name, amount})
		}
	}
	return charges
}

// AsksForMore reports whether quotas can reject a change, rather than only count it: a creation, or
// a larger request. old is nil for a creation. Usage in a status is only counted.
//
// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go, Handles, and those of services.go and persistent_volume_claims.go
func AsksForMore(next, old object.Object) bool {
	if next == nil || old == nil {
		return next != nil
	}
	switch o := next.(type) {
	case *corev1.Pod:
		return !equality.Semantic.DeepEqual(o.Spec, old.(*corev1.Pod).Spec)
	case *corev1.Service:
		return !equality.Semantic.DeepEqual(o.Spec, old.(*corev1.Service).Spec)
	case *corev1.PersistentVolumeClaim:
		return !equality.Semantic.DeepEqual(o.Spec, old.(*corev1.PersistentVolumeClaim).Spec)
	}
	return false
}

// formatList prints a resource list as errors do: "cpu=1,pods=2".
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go, prettyPrint
func formatList(list corev1.ResourceList) string {
	parts := make([]string, 0, len(list))
	for _, name := range slices.Sorted(maps.Keys(list)) {
		quantity := list[name]
		parts = append(parts, string(name)+"="+quantity.String())
	}
	return strings.Join(parts, ",")
}

// Exceeded is the error of a write that exceeds a quota: for each exceeded resource, how much is
// requested, used, and allowed.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go, CheckRequest
type Exceeded struct {
	Quota                    string
	Requested, Used, Limited corev1.ResourceList
}

// Add adds an exceeded resource.
func (e *Exceeded) Add(name string, requested, used, limited resource.Quantity) {
	if e.Requested == nil {
		e.Requested, e.Used, e.Limited = corev1.ResourceList{}, corev1.ResourceList{}, corev1.ResourceList{}
	}
	r := corev1.ResourceName(name)
	e.Requested[r], e.Used[r], e.Limited[r] = requested, used, limited
}

func (e *Exceeded) Error() string {
	return "exceeded quota: " + e.Quota + ", requested: " + formatList(e.Requested) + ", used: " + formatList(e.Used) + ", limited: " + formatList(e.Limited)
}

// OneOf reports whether a name, "" for none, satisfies a scope that requires values.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/helper/helpers.go, ScopedResourceSelectorRequirementsAsSelector
func OneOf(r corev1.ScopedResourceSelectorRequirement, name string) bool {
	operators := map[corev1.ScopeSelectorOperator]selection.Operator{
		corev1.ScopeSelectorOpIn: selection.In, corev1.ScopeSelectorOpNotIn: selection.NotIn,
		corev1.ScopeSelectorOpExists: selection.Exists, corev1.ScopeSelectorOpDoesNotExist: selection.DoesNotExist,
	}
	asked, err := labels.NewRequirement(string(r.ScopeName), operators[r.Operator], r.Values)
	if err != nil {
		return false
	}
	set := labels.Set{}
	if name != "" {
		set[string(r.ScopeName)] = name
	}
	return asked.Matches(set)
}
