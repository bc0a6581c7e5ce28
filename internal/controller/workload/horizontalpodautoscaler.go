package workload

import (
	"fmt"
	"slices"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/autoscaling"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/horizontalpodautoscaler"
	"github.com/rowlock/rowlock/internal/registry"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewHorizontalPodAutoscaler makes the controller that scales the targets of autoscalers, by their
// metrics.
//
// Cost: the Pods that have the rarest label of the target's selector, the workloads that require
// one of their labels with the autoscalers of these, and the namespace's declared loads with the
// Pods that share them. An external metric costs the values that are set in the namespace. A sync
// before the autoscaler is due costs nothing.
func NewHorizontalPodAutoscaler(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.HorizontalPodAutoscaler, UserAgent: "horizontal-pod-autoscaler", Primary: "horizontalpodautoscalers.autoscaling", Batch: 16,
		Gather: gather.Apart(controllers(w).syncAutoscaler), Remembers: true,
		Sources: []wakeup.Source{wakeup.For(&autoscaling.HorizontalPodAutoscaler.Type, wakeup.NotBy(names.HorizontalPodAutoscaler))},
	}
}

// syncAutoscaler finds the target of an autoscaler, and reads its metrics.
func (w controllers) syncAutoscaler(v mirror.View, o *object.Version, request engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	hpa := o.Object().(*autoscalingv2.HorizontalPodAutoscaler)
	s := horizontalpodautoscaler.Snapshot{Autoscaler: hpa, Memory: request.Memory, Now: now}
	if horizontalpodautoscaler.Due(request.Memory, now) {
		s.Target = w.targetOf(v, hpa)
		if selector, ok := parsed(s.Target.Selector); ok {
			s.Pods = v.SelectedPods(hpa.Namespace, selector)
			s.Selecting = w.autoscalersOf(v, hpa, s.Pods)
			s.Readings = w.readings(v, hpa, s.Pods, now)
		}
	}
	return func(*plan.Refusal) plan.Plan { return horizontalpodautoscaler.Reconcile(s) }
}

// parsed parses the selector of a scale; false if it selects nothing.
func parsed(text string) (labels.Selector, bool) {
	if text == "" {
		return nil, false
	}
	selector, err := labels.Parse(text)
	return selector, err == nil
}

// targetOf returns the target of an autoscaler: an object of any kind that has a scale.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, scaleForResourceMappings
func (w controllers) targetOf(v mirror.View, hpa *autoscalingv2.HorizontalPodAutoscaler) (t horizontalpodautoscaler.Target) {
	ref := autoscaling.ResolvedTarget(hpa.Spec.ScaleTargetRef)
	gv, err := schema.ParseGroupVersion(ref.APIVersion)
	if err != nil {
		t.Err = err.Error()
		return t
	}
	var of *kind.Kind
	for _, k := range w.Kinds.Stored() {
		if k.Group == gv.Group && k.Kind == ref.Kind && !k.Internal {
			of = k
		}
	}
	switch {
	case of == nil:
		t.Err = fmt.Sprintf("no matches for kind %q in group %q", ref.Kind, gv.Group)
		return t
	case of.Scale == nil || !of.Namespaced:
		t.Err = "the server could not find the requested resource"
		return t
	}
	found := v.Get(object.Key{Resource: of.Resource(), Namespace: hpa.Namespace, Name: ref.Name})
	if found == nil {
		t.Err = apierrors.NewNotFound(schema.GroupResource{Group: of.Group, Resource: of.Plural + "/scale"}, ref.Name).Error()
		return t
	}
	scale := of.Scale.Get(found.Object())
	return horizontalpodautoscaler.Target{
		Object: found.Object(), Replicas: scale.Spec.Replicas, Current: scale.Status.Replicas, Selector: scale.Status.Selector, Resizer: resizer{of},
	}
}

// resizer resizes objects of a kind through their scale.
type resizer struct{ kind *kind.Kind }

// Resize implements horizontalpodautoscaler.Resizer.
func (r resizer) Resize(o object.Object, replicas int32) object.Object {
	return registry.Resized(r.kind, o, replicas)
}

// autoscalersOf returns the names of the autoscalers whose targets select some of an autoscaler's
// Pods.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, hpasControllingPodsUnderSelector
func (w controllers) autoscalersOf(v mirror.View, hpa *autoscalingv2.HorizontalPodAutoscaler, pods []*corev1.Pod) []string {
	if len(pods) == 0 {
		return nil
	}
	sets := make([]map[string]string, len(pods))
	for i, pod := range pods {
		sets[i] = pod.Labels
	}
	names, judged := []string{hpa.Name}, map[string]bool{hpa.Name: true}
	v.AutoscalersNear(hpa.Namespace, sets, func(o *object.Version) {
		if judged[o.Name] {
			return
		}
		judged[o.Name] = true
		selector, ok := parsed(w.targetOf(v, o.Object().(*autoscalingv2.HorizontalPodAutoscaler)).Selector)
		if ok && slices.ContainsFunc(sets, func(set map[string]string) bool { return selector.Matches(labels.Set(set)) }) {
			names = append(names, o.Name)
		}
	})
	slices.Sort(names)
	return names
}
