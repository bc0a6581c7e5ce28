package mirror

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/autoscaling"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
)

var (
	// Autoscalers finds HorizontalPodAutoscalers by what they scale, see Target; those that scale
	// something that Scalable does not find, by namespace.
	Autoscalers = Index{Name: "autoscalers", Resource: autoscaling.HorizontalPodAutoscaler.Resource(), Values: func(v *object.Version) []string {
		ref := autoscaling.ResolvedTarget(v.Object().(*autoscalingv2.HorizontalPodAutoscaler).Spec.ScaleTargetRef)
		of := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).GroupKind()
		if !slices.ContainsFunc(scalable, func(k *kind.Kind) bool { return k.Group == of.Group && k.Kind == of.Kind }) {
			return []string{v.Namespace}
		}
		return []string{Target(v.Namespace, of, ref.Name)}
	}}
	// Scalable finds workloads by namespace and a label that all Pods they select have, see Label;
	// those that require no label, by namespace.
	Scalable = Index{Name: "scalable", Values: func(v *object.Version) []string {
		i := slices.IndexFunc(scalable, func(k *kind.Kind) bool { return v.Type == &k.Type })
		if i < 0 {
			return nil
		}
		selector := scalable[i].Selector(v.Object())
		if selector == nil {
			return nil
		}
		if key, value := telling(selector.MatchLabels, v.Name); key != "" {
			return []string{Label(v.Namespace, key, value)}
		}
		return []string{v.Namespace}
	}}
)

// scalable are the kinds of workloads that have a scale.
var scalable = []*kind.Kind{apps.Deployment, apps.ReplicaSet, core.ReplicationController, apps.StatefulSet}

// Target returns the value under which Autoscalers has those of an object.
func Target(namespace string, of schema.GroupKind, name string) string {
	return namespace + "/" + of.Group + "/" + of.Kind + "/" + name
}

// telling returns the label that few others share: the one whose value is the longest part of the
// object's name, or the first.
func telling(demanded map[string]string, name string) (key, value string) {
	part := func(key string) int {
		if strings.Contains(name, demanded[key]) {
			return len(demanded[key])
		}
		return 0
	}
	keys := slices.Sorted(maps.Keys(demanded))
	if len(keys) == 0 {
		return "", ""
	}
	key = slices.MaxFunc(keys, func(a, b string) int { return cmp.Compare(part(a), part(b)) })
	return key, demanded[key]
}

// AutoscalersNear calls f with the HorizontalPodAutoscalers whose targets may select Pods of a
// namespace that have these labels: a superset of those whose targets do. One may come more than
// once.
//
// Cost: the workloads that require one of the labels, and what scales them.
func (v View) AutoscalersNear(namespace string, labels []map[string]string, f func(*object.Version)) {
	v.EachIn(Autoscalers, namespace, f)
	asked := map[string]bool{}
	ask := func(value string) {
		if asked[value] {
			return
		}
		asked[value] = true
		v.EachIn(Scalable, value, func(o *object.Version) {
			v.EachIn(Autoscalers, Target(namespace, schema.GroupKind{Group: o.Type.Group, Kind: o.Type.Kind}, o.Name), f)
		})
	}
	ask(namespace)
	for _, set := range labels {
		for key, value := range set {
			ask(Label(namespace, key, value))
		}
	}
}
