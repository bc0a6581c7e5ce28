package scheduling

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
)

const (
	// systemClassPrefix is the prefix of the classes that every cluster has. Other classes must not
	// have it.
	systemClassPrefix = "system-"
	// highestUserPriority is the highest priority of other classes.
	highestUserPriority = 1_000_000_000
	// defaultClassKey is reserved by the default class, so that there is at most one.
	defaultClassKey = "priorityclass/default"
)

// PriorityClass is scheduling.k8s.io/v1 PriorityClass: a named priority that Pods get at creation.
//
// Source: kubernetes v1.36 pkg/registry/scheduling/priorityclass/strategy.go
var PriorityClass = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "scheduling.k8s.io", Version: "v1", Kind: "PriorityClass", Plural: "priorityclasses",
		New: func() object.Object { return &schedulingv1.PriorityClass{} },
	},
	Singular:   "priorityclass",
	ShortNames: []string{"pc"},
	NewList:    func() runtime.Object { return &schedulingv1.PriorityClassList{} },

	Admission: []kind.Plugin{{
		Name: "Priority", Waits: true,
		Validate:       func(o object.Object, c kind.Cluster) error { return denySecondDefault(o, nil, c) },
		ValidateUpdate: denySecondDefault,
	}},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Value", Type: "integer", Description: schedulingv1.PriorityClass{}.SwaggerDoc()["value"]},
		{Name: "Global-Default", Type: "boolean", Description: schedulingv1.PriorityClass{}.SwaggerDoc()["globalDefault"]},
		kind.AgeColumn,
		{Name: "PreemptionPolicy", Type: "string", Description: schedulingv1.PriorityClass{}.SwaggerDoc()["preemptionPolicy"]},
	},
	UnconditionalUpdate: true,
}, kind.Functions[*schedulingv1.PriorityClass]{
	Default: func(o *schedulingv1.PriorityClass) {
		kind.SetDefault(&o.PreemptionPolicy, corev1.PreemptLowerPriority)
	},
	Reservations: func(o *schedulingv1.PriorityClass) []string {
		if o.GlobalDefault {
			return []string{defaultClassKey}
		}
		return nil
	},
	PrepareCreate:  func(o *schedulingv1.PriorityClass) { o.SetGeneration(1) },
	Validate:       validatePriorityClass,
	ValidateUpdate: validatePriorityClassUpdate,
	Row: func(o *schedulingv1.PriorityClass, now time.Time) []any {
		pc, policy := o, ""
		if pc.PreemptionPolicy != nil {
			policy = string(*pc.PreemptionPolicy)
		}
		return []any{pc.Name, int64(pc.Value), pc.GlobalDefault, kind.Age(pc.CreationTimestamp, now), policy}
	},
})

// SystemPriorityClasses returns new copies, as stored, of the classes that every cluster has.
//
// Source: kubernetes v1.36 pkg/apis/scheduling/v1/helpers.go, systemPriorityClasses
func SystemPriorityClasses() []*schedulingv1.PriorityClass {
	class := func(name string, value int32, description string) *schedulingv1.PriorityClass {
		policy := corev1.PreemptLowerPriority
		return &schedulingv1.PriorityClass{
			ObjectMeta: metav1.ObjectMeta{Name: name, Generation: 1}, Value: value, Description: description, PreemptionPolicy: &policy,
		}
	}
	return []*schedulingv1.PriorityClass{
		class("system-cluster-critical", 2_000_000_000,
			"Used for system critical pods that must run in the cluster, but can be moved to another node if necessary."),
		class("system-node-critical", 2_000_001_000,
			"Used for system critical pods that must not be moved from their current node."),
	}
}

// Source: kubernetes v1.36 pkg/apis/scheduling/validation/validation.go, ValidatePriorityClass
func validatePriorityClass(pc *schedulingv1.PriorityClass) field.ErrorList {
	errs := check.Meta(&pc.ObjectMeta, false, validation.NameIsDNSSubdomain)
	if strings.HasPrefix(pc.Name, systemClassPrefix) {
		if wrong := notASystemClass(pc); wrong != "" {
			errs = append(errs, field.Forbidden(field.NewPath("metadata", "name"),
				"priority class names with '"+systemClassPrefix+"' prefix are reserved for system use only. error: "+wrong))
		}
	} else if pc.Value > highestUserPriority {
		errs = append(errs, field.Forbidden(field.NewPath("value"),
			fmt.Sprintf("maximum allowed value of a user defined priority is %v", highestUserPriority)))
	}
	if policy := pc.PreemptionPolicy; policy != nil {
		errs = append(errs, check.RequiredEnum(*policy, podspec.PreemptionPolicies, field.NewPath("preemptionPolicy"))...)
	}
	return errs
}

// notASystemClass returns how a class differs from the system class of its name; "" if it does not.
//
// Source: kubernetes v1.36 pkg/apis/scheduling/v1/helpers.go, IsKnownSystemPriorityClass
func notASystemClass(pc *schedulingv1.PriorityClass) string {
	known := SystemPriorityClasses()
	i := slices.IndexFunc(known, func(k *schedulingv1.PriorityClass) bool { return k.Name == pc.Name })
	switch {
	case i < 0:
		return pc.Name + " is not a known system priority class"
	case pc.Value != known[i].Value:
		return fmt.Sprintf("value of %v PriorityClass must be %v", pc.Name, known[i].Value)
	case pc.GlobalDefault:
		return fmt.Sprintf("globalDefault of %v PriorityClass must be false", pc.Name)
	}
	return ""
}

// Source: kubernetes v1.36 pkg/apis/scheduling/validation/validation.go, ValidatePriorityClassUpdate
func validatePriorityClassUpdate(pc, was *schedulingv1.PriorityClass) field.ErrorList {
	errs := check.MetaUpdate(&pc.ObjectMeta, &was.ObjectMeta)
	if pc.Value != was.Value {
		errs = append(errs, field.Forbidden(field.NewPath("value"), "may not be changed in an update."))
	}
	return append(errs, validation.ValidateImmutableField(pc.PreemptionPolicy, was.PreemptionPolicy, field.NewPath("preemptionPolicy"))...)
}

// denySecondDefault rejects a second default class; old is nil at creation. If two are created
// concurrently, the store gives the reservation to one, and the other write is validated again.
//
// Source: kubernetes v1.36 plugin/pkg/admission/priority/admission.go, validatePriorityClass
func denySecondDefault(next, old object.Object, c kind.Cluster) error {
	if !next.(*schedulingv1.PriorityClass).GlobalDefault {
		return nil
	}
	is := DefaultClass(c)
	if is == nil || old != nil && is.Name == next.GetName() {
		return nil
	}
	return fmt.Errorf("PriorityClass %v is already marked as default. Only one default can exist", is.Name)
}

// DefaultClass returns the default class, or nil.
func DefaultClass(c kind.Cluster) (is *schedulingv1.PriorityClass) {
	c.Each("priorityclasses.scheduling.k8s.io", "", func(v *object.Version) bool {
		if pc, ok := v.Object().(*schedulingv1.PriorityClass); ok && pc.GlobalDefault {
			is = pc
		}
		return is == nil
	})
	return is
}
