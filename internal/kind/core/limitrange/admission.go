package limitrange

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	resourcehelper "k8s.io/component-helpers/resource"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// limitRangerAnnotation lists what LimitRanges set in a Pod.
const limitRangerAnnotation = "kubernetes.io/limit-ranger"

// Each calls f with the LimitRanges of a namespace until it returns an error.
func Each(c kind.Cluster, namespace string, f func(*corev1.LimitRange) error) (err error) {
	c.Each("limitranges", namespace, func(v *object.Version) bool {
		if r, ok := v.Object().(*corev1.LimitRange); ok {
			err = f(r)
		}
		return err == nil
	})
	return err
}

// Apply sets missing limits and requests of a new Pod's containers, in place, and lists them in an
// annotation.
//
// Source: kubernetes v1.36 plugin/pkg/admission/limitranger/admission.go, PodMutateLimitFunc
func Apply(p *corev1.Pod, r *corev1.LimitRange) {
	var limits, requests corev1.ResourceList
	for _, l := range r.Spec.Limits {
		if l.Type == corev1.LimitTypeContainer {
			limits, requests = l.Default, l.DefaultRequest
		}
	}
	var notes []string
	for _, set := range []struct {
		what       string
		containers []corev1.Container
	}{{"container", p.Spec.Containers}, {"init container", p.Spec.InitContainers}} {
		for i := range set.containers {
			given := &set.containers[i].Resources
			of := set.what + " " + set.containers[i].Name
			notes = append(notes, fillIn(&given.Requests, requests, "request for "+of)...)
			notes = append(notes, fillIn(&given.Limits, limits, "limit for "+of)...)
		}
	}
	if len(notes) > 0 {
		metav1.SetMetaDataAnnotation(&p.ObjectMeta, limitRangerAnnotation, "LimitRanger plugin set: "+strings.Join(notes, "; "))
	}
}

// fillIn adds missing defaults to list, in place, and returns their names.
func fillIn(list *corev1.ResourceList, defaults corev1.ResourceList, what string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(defaults)) {
		if _, has := (*list)[name]; !has {
			*list = kind.WithDefault(*list, name, defaults[name])
			names = append(names, string(name))
		}
	}
	if names == nil {
		return nil
	}
	return []string{strings.Join(names, ", ") + " " + what}
}

// Deny rejects a new Pod or PersistentVolumeClaim that violates a LimitRange of its namespace. The
// error lists all violations of the first LimitRange that has any.
//
// Source: kubernetes v1.36 plugin/pkg/admission/limitranger/admission.go, PodValidateLimitFunc and
// PersistentVolumeClaimValidateLimitFunc
func Deny(next object.Object, c kind.Cluster) error {
	return Each(c, next.GetNamespace(), func(r *corev1.LimitRange) error {
		var errs []error
		for i := range r.Spec.Limits {
			b := bounds{LimitRangeItem: &r.Spec.Limits[i]}
			switch o := next.(type) {
			case *corev1.Pod:
				b.judgePod(o)
			case *corev1.PersistentVolumeClaim:
				b.judgeClaim(o)
			}
			errs = append(errs, b.errs...)
		}
		return utilerrors.NewAggregate(errs)
	})
}

// bounds is one limit and the violations found.
type bounds struct {
	*corev1.LimitRangeItem
	errs []error
}

func (b *bounds) judgePod(p *corev1.Pod) {
	switch b.Type {
	case corev1.LimitTypeContainer:
		for _, containers := range [][]corev1.Container{p.Spec.Containers, p.Spec.InitContainers} {
			for i := range containers {
				b.judge(containers[i].Resources.Requests, containers[i].Resources.Limits)
			}
		}
	case corev1.LimitTypePod:
		requests := resourcehelper.AggregateContainerRequests(p, resourcehelper.PodResourcesOptions{})
		limits := resourcehelper.AggregateContainerLimits(p, resourcehelper.PodResourcesOptions{})
		if own := p.Spec.Resources; own != nil {
			for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
				if q, has := own.Requests[name]; has {
					requests[name] = q
				}
				if q, has := own.Limits[name]; has {
					limits[name] = q
				}
			}
		}
		b.judge(requests, limits)
	}
}

// judgeClaim checks only requests, because claims have no limits.
func (b *bounds) judgeClaim(claim *corev1.PersistentVolumeClaim) {
	if b.Type != corev1.LimitTypePersistentVolumeClaim {
		return
	}
	requests := claim.Spec.Resources.Requests
	for _, name := range slices.Sorted(maps.Keys(b.Min)) {
		b.judgeLeast(name, requests, nil)
	}
	for _, name := range slices.Sorted(maps.Keys(b.Max)) {
		most := b.Max[name]
		if request, has := requests[name]; !has {
			b.wrong("maximum %s usage per %s is %s.  No request is specified", name, most)
		} else if request.Cmp(most) > 0 {
			b.wrong("maximum %s usage per %s is %s, but request is %s", name, most, request.String())
		}
	}
}

// judge checks all bounds, in order of resource names.
func (b *bounds) judge(requests, limits corev1.ResourceList) {
	for _, name := range slices.Sorted(maps.Keys(b.Min)) {
		b.judgeLeast(name, requests, limits)
	}
	for _, name := range slices.Sorted(maps.Keys(b.Max)) {
		b.judgeMost(name, requests, limits)
	}
	for _, name := range slices.Sorted(maps.Keys(b.MaxLimitRequestRatio)) {
		b.judgeRatio(name, requests, limits)
	}
}

// wrong adds an error whose text starts with the resource, the type of the limit and the bound.
func (b *bounds) wrong(format string, name corev1.ResourceName, bound resource.Quantity, rest ...any) {
	b.errs = append(b.errs, fmt.Errorf(format, append([]any{name, b.Type, bound.String()}, rest...)...))
}

func (b *bounds) judgeLeast(name corev1.ResourceName, requests, limits corev1.ResourceList) {
	least := b.Min[name]
	request, requested := requests[name]
	limit, limited := limits[name]
	switch {
	case !requested:
		b.wrong("minimum %s usage per %s is %s.  No request is specified", name, least)
	case request.Cmp(least) < 0:
		b.wrong("minimum %s usage per %s is %s, but request is %s", name, least, request.String())
	case limited && limit.Cmp(least) < 0:
		b.wrong("minimum %s usage per %s is %s, but limit is %s", name, least, limit.String())
	}
}

func (b *bounds) judgeMost(name corev1.ResourceName, requests, limits corev1.ResourceList) {
	most := b.Max[name]
	request, requested := requests[name]
	limit, limited := limits[name]
	switch {
	case !limited:
		b.wrong("maximum %s usage per %s is %s.  No limit is specified", name, most)
	case limit.Cmp(most) > 0:
		b.wrong("maximum %s usage per %s is %s, but limit is %s", name, most, limit.String())
	case requested && request.Cmp(most) > 0:
		b.wrong("maximum %s usage per %s is %s, but request is %s", name, most, request.String())
	}
}

func (b *bounds) judgeRatio(name corev1.ResourceName, requests, limits corev1.ResourceList) {
	most := b.MaxLimitRequestRatio[name]
	request, limit := requests[name], limits[name]
	asked, given := request.Value(), limit.Value()
	if max(asked, given, most.Value()) <= resource.MaxMilliValue {
		asked, given = request.MilliValue(), limit.MilliValue()
	}
	switch {
	case asked == 0:
		b.wrong("%s max limit to request ratio per %s is %s, but no request is specified or request is 0", name, most)
		return
	case given == 0:
		b.wrong("%s max limit to request ratio per %s is %s, but no limit is specified or limit is 0", name, most)
		return
	}
	ratio := float64(given) / float64(asked)
	exact, bound := ratio, float64(most.Value())
	if most.Value() <= resource.MaxMilliValue {
		exact, bound = ratio*1000, float64(most.MilliValue())
	}
	if exact > bound {
		b.wrong("%s max limit to request ratio per %s is %s, but provided ratio is %f", name, most, ratio)
	}
}
