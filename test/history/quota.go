package history

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/definition"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
)

// Quotas checks ResourceQuotas at every revision: once a quota's status shows what its spec limits,
// so that it has been counted and is enforced, nothing is created that exceeds it. Usage is counted
// from the log.
func Quotas(h History) []Violation {
	found, _ := quotas(h)
	return found
}

// QuotasTell checks, at the end of a settled history, that each quota's status shows the actual
// usage.
func QuotasTell(h History) []Violation {
	var found []Violation
	_, all := quotas(h)
	kinds := builtin.Catalogue() // Limits always has the numbers of custom resources
	for _, uid := range slices.Sorted(maps.Keys(all)) {
		q := all[uid]
		for _, name := range slices.Sorted(maps.Keys(q.limits.Limits(kinds))) {
			shown, has := q.shown.Used[name]
			is := q.used[name]
			if !has || shown.Cmp(is) != 0 {
				key := object.Key{Resource: core.ResourceQuota.Resource(), Namespace: q.limits.Namespace, Name: q.limits.Name}
				found = append(found, Violation{Key: key, Message: fmt.Sprintf("shows that %s of %s is used, and it is %s", shown.String(), name, is.String())})
			}
		}
	}
	return found
}

// quotaLife is a quota, with the usage of what it limits.
type quotaLife struct {
	limits *kind.Quota
	hard   corev1.ResourceList
	shown  corev1.ResourceQuotaStatus
	used   corev1.ResourceList
}

// living is an object that uses something.
type living struct {
	kind *kind.Kind
	object.Object
}

func quotas(h History) ([]Violation, map[types.UID]*quotaLife) {
	var found []Violation
	definitions, all, objects := definition.New(builtin.Catalogue()), map[types.UID]*quotaLife{}, map[types.UID]living{}
	kinds := definitions.Kinds()
	for _, e := range h {
		define(definitions, e)
		k := kinds.ByResource(e.Key.Resource)
		if k == nil || !k.Counted() {
			continue
		}
		was, is := objects[e.UID].Object, e.Object
		if e.Verb == object.Deleted {
			is = nil
			delete(objects, e.UID)
			delete(all, e.UID)
		} else {
			objects[e.UID] = living{k, is}
		}
		for _, q := range all {
			if q.limits.Namespace != e.Key.Namespace {
				continue
			}
			for _, message := range q.next(k, is, was) {
				found = append(found, Violation{e.Revision, e.Key, message})
			}
		}
		if o, ok := is.(*corev1.ResourceQuota); ok {
			if q := all[e.UID]; q == nil || q.limits.Digest != kind.QuotaDigest(&o.Spec) {
				all[e.UID] = newQuotaLife(o, objects) // its status still belongs to another spec
			} else {
				q.shown = o.Status
			}
		}
	}
	return found, all
}

// define passes a change of a definition to the catalogue.
func define(c *definition.Catalogue, e Entry) {
	t := &apiextensions.CustomResourceDefinition.Type
	if e.Key.Resource != t.Resource() {
		return
	}
	v := &object.Version{Type: t, Name: e.Key.Name, UID: e.UID, Revision: e.Revision, Verb: e.Verb}
	if e.Verb != object.Deleted {
		body, err := object.Encode(t, e.Object.DeepCopyObject().(object.Object))
		if err != nil {
			panic(fmt.Sprintf("history: revision %d: %v", e.Revision, err)) // it has been decoded
		}
		v.SetBody(body)
	}
	c.Observe(object.Event{New: v})
}

// newQuotaLife counts the existing objects.
func newQuotaLife(o *corev1.ResourceQuota, objects map[types.UID]living) *quotaLife {
	q := &quotaLife{limits: kind.NewQuota(o), hard: o.Spec.Hard, used: corev1.ResourceList{}}
	for _, l := range objects {
		if l.GetNamespace() == o.Namespace {
			q.add(q.limits.Charges(l.kind, l.Object, nil))
		}
	}
	return q
}

func (q *quotaLife) add(charges []kind.Charge) {
	for _, c := range charges {
		sum := q.used[c.Resource].DeepCopy()
		sum.Add(c.Amount)
		q.used[c.Resource] = sum
	}
}

// next takes a change and returns what is wrong with it; was is nil for a creation, is for a
// removal.
func (q *quotaLife) next(k *kind.Kind, is, was object.Object) (wrong []string) {
	charges := q.limits.Charges(k, is, was)
	q.add(charges)
	enforced := equality.Semantic.DeepEqual(q.shown.Hard, q.hard)
	for _, c := range charges {
		hard, used := q.hard[c.Resource], q.used[c.Resource]
		if enforced && was == nil && c.Amount.Sign() > 0 && used.Cmp(hard) > 0 {
			wrong = append(wrong, fmt.Sprintf("takes %s of quota %s to %s, and there is %s", c.Resource, q.limits.Name, used.String(), hard.String()))
		}
	}
	return wrong
}
