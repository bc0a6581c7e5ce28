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

// Measure is what ResourceQuotas see in the objects of a kind besides their number, which each can
// limit as "count/deployments.apps".
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/quota/v1/interfaces.go, Evaluator
type Measure struct {
	// Measures says whether objects of the kind may use a resource, by the name that it has in
	// quotas.
	Measures func(name corev1.ResourceName) bool
	// Usage is how much an object uses of each. It depends on the object alone.
	Usage func(o object.Object) corev1.ResourceList
	// InScope says whether an object is what a quota's scope asks for; nil where no scope is about
	// the kind, so that quotas with scopes do not concern it.
	InScope func(o object.Object, r corev1.ScopedResourceSelectorRequirement) bool
}

// One is a thing that is counted.
var One = *resource.NewQuantity(1, resource.DecimalSI)

// CountedAs is of kinds that have an older name in quotas besides "count/…".
//
// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/registry.go, legacyObjectCountAliases
func CountedAs(alias corev1.ResourceName) *Measure {
	return &Measure{
		Measures: func(name corev1.ResourceName) bool { return name == alias },
		Usage:    func(object.Object) corev1.ResourceList { return corev1.ResourceList{alias: One} },
	}
}

// countName is the name under which quotas count the objects of a kind.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/quota/v1/generic/evaluator.go, ObjectCountQuotaResourceNameFor
func (k *Kind) countName() corev1.ResourceName { return corev1.ResourceName("count/" + k.Resource()) }

// Counted says whether quotas have to do with the kind: with all that are kept in namespaces but
// Events.
//
// Source: kubernetes v1.36 pkg/quota/v1/install/registry.go, ignoredResources
func (k *Kind) Counted() bool {
	return k.Namespaced && (!k.Internal || k.Custom != nil) && k.Stored == nil && k.Answer == nil && k.Plural != "events"
}

// measures says whether a quota's resource is used by objects of the kind.
func (k *Kind) measures(name corev1.ResourceName) bool {
	return k.Counted() && (name == k.countName() || k.Quota != nil && k.Quota.Measures(name))
}

// Quota is a ResourceQuota, made ready to measure by. Nobody changes one.
type Quota struct {
	UID             types.UID
	Namespace, Name string
	// Digest tells specs apart: usage that was measured by another spec is another quota's.
	Digest string

	hard   corev1.ResourceList
	scopes []corev1.ScopedResourceSelectorRequirement
}

// NewQuota makes a ResourceQuota ready.
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

// QuotaOf is a ResourceQuota, made ready; nil for objects of other kinds.
func QuotaOf(o object.Object) *Quota {
	q, ok := o.(*corev1.ResourceQuota)
	if !ok {
		return nil
	}
	return NewQuota(q)
}

// DigestOf is the Digest of a ResourceQuota, empty for objects of other kinds.
func DigestOf(o object.Object) string {
	q, ok := o.(*corev1.ResourceQuota)
	if !ok {
		return ""
	}
	return QuotaDigest(&q.Spec)
}

// IsQuota says whether objects of the kind are quotas.
func (k *Kind) IsQuota() bool { return k.Group == "" && k.Plural == "resourcequotas" }

// QuotaDigest tells specs apart, in a few characters.
func QuotaDigest(s *corev1.ResourceQuotaSpec) string {
	hard := make(map[corev1.ResourceName]string, len(s.Hard))
	for name, quantity := range s.Hard {
		hard[name] = quantity.String()
	}
	body, err := json.Marshal([]any{hard, s.Scopes, s.ScopeSelector})
	if err != nil {
		panic(err) // strings all of it
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:8])
}

// Limits are the resources of the quota that anything can be known about: those that a kind of the
// catalogue uses, those that Kubernetes has names for, and the numbers of custom resources.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/quota/v1/resources.go, CalculateUsage
//
// Differs: custom resources are counted before they are defined, because upstream notices a new definition half a minute later at most.
func (q *Quota) Limits(kinds *Catalogue) corev1.ResourceList {
	limits := corev1.ResourceList{}
	for name, quantity := range q.hard {
		if check.IsQuotaResource(name) || countsCustom(name) || slices.ContainsFunc(kinds.Value().stored, func(k *Kind) bool { return k.measures(name) }) {
			limits[name] = quantity
		}
	}
	return limits
}

// countsCustom says whether a quota's resource may be the number of objects that a definition
// brings: their group has a dot in it.
func countsCustom(name corev1.ResourceName) bool {
	resource, counts := strings.CutPrefix(string(name), "count/")
	_, group, _ := strings.Cut(resource, ".")
	return counts && strings.Contains(group, ".")
}

// Concerns says whether objects of the kind can use what the quota limits.
func (q *Quota) Concerns(k *Kind) bool {
	for name := range q.hard {
		if k.measures(name) {
			return true
		}
	}
	return false
}

// Matches says whether an object, of a kind that is measured like this, is within all scopes of the
// quota.
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

// Usage is what an object uses of what the quota limits: nothing where it is nil or the quota is
// not about it.
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

// Tally sums up what objects use of quotas. The zero Tally is nil, and cannot be added to.
type Tally map[*Quota]corev1.ResourceList

// Add adds what an object of a kind uses of a quota.
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

// Charge is how much more, or less, of a resource is used after a change.
type Charge struct {
	Resource corev1.ResourceName
	Amount   resource.Quantity
}

// Charges are what a change of an object charges to the quota, by the names of the resources. next
// is nil for a removal, old for a creation. As usage depends on an object's version alone, the sum
// of all charges is the sum of what there is.
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

// AsksForMore says whether a change is one that quotas judge, and do not only count: something new,
// or asked for anew. old is nil for a creation. What a status says is counted alone.
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

// formatList is a resource list as refusals print it: "cpu=1,pods=2".
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

// Exceeded is the refusal of what would use more than a quota leaves: of those resources of which
// there is too little, how much is asked for, used already, and allowed.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go, CheckRequest
type Exceeded struct {
	Quota                    string
	Requested, Used, Limited corev1.ResourceList
}

// Add adds a resource that the quota has too little of.
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

// OneOf says whether a scope that asks for values is met by a name, which is empty for none.
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
