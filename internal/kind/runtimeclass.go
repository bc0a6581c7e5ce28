package kind

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/object"
)

// RuntimeClass is node.k8s.io/v1 RuntimeClass: what runs a Pod's containers, what that costs, and which nodes have it. Emulated nodes
// have every handler.
//
// Source: kubernetes v1.36 pkg/registry/node/runtimeclass/strategy.go
var RuntimeClass = &Kind{
	Type: object.Type{
		Group: "node.k8s.io", Version: "v1", Kind: "RuntimeClass", Plural: "runtimeclasses",
		New: func() object.Object { return &nodev1.RuntimeClass{} },
	},
	Singular: "runtimeclass",
	NewList:  func() runtime.Object { return &nodev1.RuntimeClassList{} },

	Default:  func(object.Object) {},
	Validate: func(o object.Object) field.ErrorList { return validateRuntimeClass(o.(*nodev1.RuntimeClass)) },
	ValidateUpdate: func(next, old object.Object) field.ErrorList {
		rc, was := next.(*nodev1.RuntimeClass), old.(*nodev1.RuntimeClass)
		errs := validateRuntimeClass(rc)
		errs = append(errs, validation.ValidateObjectMetaUpdate(&rc.ObjectMeta, &was.ObjectMeta, field.NewPath("metadata"))...)
		return append(errs, validation.ValidateImmutableField(rc.Handler, was.Handler, field.NewPath("handler"))...)
	},
	Warnings: warnOfRuntimeClass,

	Columns: []metav1.TableColumnDefinition{
		nameColumn,
		{Name: "Handler", Type: "string", Description: nodev1.RuntimeClass{}.SwaggerDoc()["handler"]},
		ageColumn,
	},
	Row: func(o object.Object, now time.Time) []any {
		rc := o.(*nodev1.RuntimeClass)
		return []any{rc.Name, rc.Handler, age(rc.CreationTimestamp, now)}
	},
	UpdateCreates: true,
}

// Source: kubernetes v1.36 pkg/apis/node/validation/validation.go, ValidateRuntimeClass
func validateRuntimeClass(rc *nodev1.RuntimeClass) field.ErrorList {
	errs := validation.ValidateObjectMeta(&rc.ObjectMeta, false, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
	if rc.Handler == "" {
		errs = append(errs, field.Required(field.NewPath("handler"), ""))
	} else {
		errs = append(errs, validateDNSLabel(rc.Handler, field.NewPath("handler"))...)
	}
	if rc.Overhead != nil {
		overhead := &corev1.ResourceRequirements{Limits: rc.Overhead.PodFixed}
		errs = append(errs, validateResources(overhead, validateContainerResourceName, &podContext{}, field.NewPath("overhead"))...)
	}
	if s := rc.Scheduling; s != nil {
		path := field.NewPath("scheduling")
		errs = append(errs, validateLabels(s.NodeSelector, path.Child("nodeSelector"))...)
		errs = append(errs, validateClassTolerations(s.Tolerations, path.Child("tolerations"))...)
	}
	return errs
}

// validateClassTolerations judges tolerations, no two of which may be about the same taints.
//
// Source: kubernetes v1.36 pkg/apis/node/validation/validation.go, validateTolerations
func validateClassTolerations(tolerations []corev1.Toleration, path *field.Path) field.ErrorList {
	errs := validateTolerations(tolerations, path)
	seen := map[corev1.Toleration]bool{}
	for i, t := range tolerations {
		key := corev1.Toleration{Key: t.Key, Operator: t.Operator, Value: t.Value, Effect: t.Effect}
		if seen[key] {
			errs = append(errs, field.Duplicate(path.Index(i), untagged(t)))
		}
		seen[key] = true
	}
	return errs
}

// warnOfRuntimeClass warns of a selector of nodes by labels that have been replaced.
//
// Source: kubernetes v1.36 pkg/api/node/util.go, GetWarningsForRuntimeClass
func warnOfRuntimeClass(next, _ object.Object) []string {
	s := next.(*nodev1.RuntimeClass).Scheduling
	if s == nil {
		return nil
	}
	var texts []string
	for _, key := range slices.Sorted(maps.Keys(s.NodeSelector)) {
		if text, deprecated := deprecatedNodeLabels[key]; deprecated {
			texts = append(texts, "scheduling.nodeSelector: "+text)
		}
	}
	return texts
}

// runtimeClassOf is the class that a Pod names; nil if it names none.
func runtimeClassOf(p *corev1.Pod, c Cluster) (*nodev1.RuntimeClass, error) {
	name := p.Spec.RuntimeClassName
	if name == nil {
		return nil, nil //nolint:nilnil // a Pod need not have a class
	}
	rc, ok := found[*nodev1.RuntimeClass](c, "runtimeclasses.node.k8s.io", "", *name)
	if !ok {
		return nil, fmt.Errorf("pod rejected: RuntimeClass %q not found", *name)
	}
	return rc, nil
}

var errOtherOverhead = errors.New("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")

// applyRuntimeClass gives a new Pod what its class costs, and the nodes that have it.
//
// Source: kubernetes v1.36 plugin/pkg/admission/runtimeclass/admission.go, Admit
func applyRuntimeClass(p *corev1.Pod, c Cluster) error {
	rc, err := runtimeClassOf(p, c)
	if rc == nil || err != nil {
		return err
	}
	s := &p.Spec
	if rc.Overhead != nil {
		if len(s.Overhead) > 0 && !equality.Semantic.DeepEqual(rc.Overhead.PodFixed, s.Overhead) {
			return errOtherOverhead
		}
		s.Overhead = rc.Overhead.PodFixed.DeepCopy()
	}
	if rc.Scheduling == nil {
		return nil
	}
	selector := rc.Scheduling.NodeSelector
	for _, key := range slices.Sorted(maps.Keys(selector)) {
		value, ok := s.NodeSelector[key]
		if ok && value != selector[key] {
			return fmt.Errorf("conflict: runtimeClass.scheduling.nodeSelector[%s] = %s; pod.spec.nodeSelector[%s] = %s", key, selector[key], key, value)
		}
	}
	if s.NodeSelector == nil {
		s.NodeSelector = maps.Clone(selector)
	} else {
		maps.Copy(s.NodeSelector, selector)
	}
	s.Tolerations = mergeTolerations(s.Tolerations, rc.Scheduling.Tolerations)
	return nil
}

// denyByRuntimeClass refuses a new Pod whose overhead is not that of its class.
//
// Source: kubernetes v1.36 plugin/pkg/admission/runtimeclass/admission.go, Validate
func denyByRuntimeClass(p *corev1.Pod, c Cluster) error {
	rc, err := runtimeClassOf(p, c)
	switch {
	case err != nil:
		return err
	case rc != nil && rc.Overhead != nil:
		if !equality.Semantic.DeepEqual(rc.Overhead.PodFixed, p.Spec.Overhead) {
			return errOtherOverhead
		}
	case p.Spec.Overhead != nil:
		return errors.New("pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead")
	}
	return nil
}

// mergeTolerations is both lists without what another toleration of them covers.
//
// Source: kubernetes v1.36 pkg/util/tolerations/tolerations.go, MergeTolerations
func mergeTolerations(first, second []corev1.Toleration) []corev1.Toleration {
	all := slices.Concat(first, second)
	var merged []corev1.Toleration
	for i, t := range all {
		covers := func(by corev1.Toleration) bool { return coversToleration(by, t) }
		later := func(by corev1.Toleration) bool { return !sameToleration(by, t) && covers(by) }
		if !slices.ContainsFunc(merged, covers) && !slices.ContainsFunc(all[i+1:], later) {
			merged = append(merged, t)
		}
	}
	return merged
}

// sameToleration says whether two tolerations are equal. Each of a list may be compared with all others.
func sameToleration(a, b corev1.Toleration) bool {
	return a.Key == b.Key && a.Operator == b.Operator && a.Value == b.Value && a.Effect == b.Effect && sameSeconds(a.TolerationSeconds, b.TolerationSeconds)
}

// coversToleration says whether by tolerates all that t does.
//
// Source: kubernetes v1.36 pkg/util/tolerations/tolerations.go, isSuperset
func coversToleration(by, t corev1.Toleration) bool {
	switch {
	case sameToleration(by, t):
		return true
	case t.Key != by.Key && (by.Key != "" || by.Operator != corev1.TolerationOpExists), t.Effect != by.Effect && by.Effect != "":
		return false
	case by.Effect == corev1.TaintEffectNoExecute && by.TolerationSeconds != nil &&
		(t.TolerationSeconds == nil || *t.TolerationSeconds > *by.TolerationSeconds):
		return false
	case by.Operator == corev1.TolerationOpEqual || by.Operator == "":
		return t.Operator == corev1.TolerationOpEqual && t.Value == by.Value
	}
	return by.Operator == corev1.TolerationOpExists
}

func sameSeconds(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }
