package flowcontrol

import (
	"fmt"
	"math"
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	flowcontrolv1beta3 "k8s.io/api/flowcontrol/v1beta3"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// PriorityLevelConfiguration is flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration: how
// many requests of a level may run concurrently.
//
// Source: kubernetes v1.36 pkg/registry/flowcontrol/prioritylevelconfiguration/strategy.go
//
// Differs: it is stored and has no effect: see FlowSchema.
var PriorityLevelConfiguration = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "flowcontrol.apiserver.k8s.io", Version: "v1", Kind: "PriorityLevelConfiguration", Plural: "prioritylevelconfigurations",
		New: func() object.Object { return &flowcontrolv1.PriorityLevelConfiguration{} },
	},
	Singular: "prioritylevelconfiguration",
	NewList:  func() runtime.Object { return &flowcontrolv1.PriorityLevelConfigurationList{} },

	Status: kind.Through(kind.Write[*flowcontrolv1.PriorityLevelConfiguration]{
		Prepare: func(l, was *flowcontrolv1.PriorityLevelConfiguration) {
			kind.KeepMetadata(&l.ObjectMeta, &was.ObjectMeta)
			l.Spec = *was.Spec.DeepCopy()
		},
		Validate: func(next, _ *flowcontrolv1.PriorityLevelConfiguration) field.ErrorList {
			return validatePriorityLevelStatus(&next.Status)
		},
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Type", Type: "string", Description: flowcontrolv1.PriorityLevelConfigurationSpec{}.SwaggerDoc()["type"]},
		{Name: "NominalConcurrencyShares", Type: "string", Description: flowcontrolv1.LimitedPriorityLevelConfiguration{}.SwaggerDoc()["nominalConcurrencyShares"]},
		{Name: "Queues", Type: "string", Description: flowcontrolv1.QueuingConfiguration{}.SwaggerDoc()["queues"]},
		{Name: "HandSize", Type: "string", Description: flowcontrolv1.QueuingConfiguration{}.SwaggerDoc()["handSize"]},
		{Name: "QueueLengthLimit", Type: "string", Description: flowcontrolv1.QueuingConfiguration{}.SwaggerDoc()["queueLengthLimit"]},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
}, kind.Functions[*flowcontrolv1.PriorityLevelConfiguration]{
	Default: defaultPriorityLevel,
	PrepareCreate: func(l *flowcontrolv1.PriorityLevelConfiguration) {
		l.Status, l.Generation = flowcontrolv1.PriorityLevelConfigurationStatus{}, 1
	},
	PrepareUpdate: func(l, was *flowcontrolv1.PriorityLevelConfiguration) {
		if !equality.Semantic.DeepEqual(l.Spec, was.Spec) {
			l.Generation = was.Generation + 1
		}
		l.Status = *was.Status.DeepCopy()
	},
	Validate: validatePriorityLevel,
	ValidateUpdate: func(next, _ *flowcontrolv1.PriorityLevelConfiguration) field.ErrorList {
		return validatePriorityLevel(next)
	},
	Row: priorityLevelRow,
})

// Source: kubernetes v1.36 pkg/apis/flowcontrol/v1/defaults.go
func defaultPriorityLevel(o *flowcontrolv1.PriorityLevelConfiguration) {
	spec := &o.Spec
	if e := spec.Exempt; e != nil {
		kind.SetDefault(&e.NominalConcurrencyShares, 0)
		kind.SetDefault(&e.LendablePercent, 0)
	}
	if l := spec.Limited; l != nil {
		kind.SetDefault(&l.NominalConcurrencyShares, 30)
		kind.SetDefault(&l.LendablePercent, 0)
		if q := l.LimitResponse.Queuing; q != nil {
			for value, otherwise := range map[*int32]int32{&q.HandSize: 8, &q.Queues: 64, &q.QueueLengthLimit: 50} {
				if *value == 0 {
					*value = otherwise
				}
			}
		}
	}
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printPriorityLevelConfiguration
func priorityLevelRow(l *flowcontrolv1.PriorityLevelConfiguration, now time.Time) []any {
	var shares, queues, hand, length any = "<none>", "<none>", "<none>", "<none>"
	if limited := l.Spec.Limited; limited != nil {
		if limited.NominalConcurrencyShares != nil {
			shares = *limited.NominalConcurrencyShares
		}
		if q := limited.LimitResponse.Queuing; q != nil {
			queues, hand, length = q.Queues, q.HandSize, q.QueueLengthLimit
		}
	}
	return []any{l.Name, string(l.Spec.Type), shares, queues, hand, length, kind.Age(l.CreationTimestamp, now)}
}

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidatePriorityLevelConfiguration and
// ValidateIfMandatoryPriorityLevelConfigurationObject
func validatePriorityLevel(l *flowcontrolv1.PriorityLevelConfiguration) field.ErrorList {
	errs, path := check.Meta(&l.ObjectMeta, false, validation.NameIsDNSSubdomain), field.NewPath("spec")
	if _, given := l.Annotations[flowcontrolv1beta3.PriorityLevelPreserveZeroConcurrencySharesKey]; given {
		errs = append(errs, field.Forbidden(field.NewPath("metadata", "annotations"),
			fmt.Sprintf("annotation '%s' is forbidden", flowcontrolv1beta3.PriorityLevelPreserveZeroConcurrencySharesKey)))
	}
	errs = append(errs, validatePriorityLevelSpec(l, path)...)
	for _, fixed := range mandatoryPriorityLevels() {
		if fixed.Name != l.Name {
			continue
		}
		spec, except := l.Spec.DeepCopy(), ""
		if l.Name == flowcontrolv1.PriorityLevelConfigurationNameExempt {
			spec.Exempt, except = fixed.Spec.Exempt, " except the 'spec.exempt' field"
		}
		if !equality.Semantic.DeepEqual(spec, &fixed.Spec) {
			errs = append(errs, field.Invalid(path, check.Untagged(l.Spec), fmt.Sprintf("spec of '%s'%s must equal the fixed value", l.Name, except)))
		}
	}
	return append(errs, validatePriorityLevelStatus(&l.Status)...)
}

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidatePriorityLevelConfigurationSpec
func validatePriorityLevelSpec(l *flowcontrolv1.PriorityLevelConfiguration, path *field.Path) (errs field.ErrorList) {
	spec := &l.Spec
	if (l.Name == flowcontrolv1.PriorityLevelConfigurationNameExempt) != (spec.Type == flowcontrolv1.PriorityLevelEnablementExempt) {
		errs = append(errs, field.Invalid(path.Child("type"), spec.Type, "must be 'Exempt' if and only if `name` is 'exempt'"))
	}
	switch spec.Type {
	case flowcontrolv1.PriorityLevelEnablementExempt:
		if spec.Limited != nil {
			errs = append(errs, field.Forbidden(path.Child("limited"), "must be nil if the type is not Limited"))
		}
		if e := spec.Exempt; e != nil {
			errs = append(errs, validateShares(e.NominalConcurrencyShares, e.LendablePercent, path.Child("exempt"))...)
		}
	case flowcontrolv1.PriorityLevelEnablementLimited:
		if spec.Exempt != nil {
			errs = append(errs, field.Forbidden(path.Child("exempt"), "must be nil if the type is Limited"))
		}
		if spec.Limited == nil {
			return append(errs, field.Required(path.Child("limited"), "must not be empty when type is Limited"))
		}
		errs = append(errs, validateLimitedLevel(spec.Limited, path.Child("limited"))...)
	default:
		errs = append(errs, field.NotSupported(path.Child("type"), spec.Type,
			[]flowcontrolv1.PriorityLevelEnablement{flowcontrolv1.PriorityLevelEnablementExempt, flowcontrolv1.PriorityLevelEnablementLimited}))
	}
	return errs
}

// validateShares validates the fields that levels of both types have.
func validateShares(shares, lendable *int32, path *field.Path) (errs field.ErrorList) {
	if shares != nil && *shares < 0 {
		errs = append(errs, field.Invalid(path.Child("nominalConcurrencyShares"), *shares, "must be a non-negative integer"))
	}
	if lendable != nil && (*lendable < 0 || *lendable > 100) {
		errs = append(errs, field.Invalid(path.Child("lendablePercent"), *lendable, "must be between 0 and 100, inclusive"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidateLimitedPriorityLevelConfiguration and
// ValidateLimitResponse
func validateLimitedLevel(l *flowcontrolv1.LimitedPriorityLevelConfiguration, path *field.Path) field.ErrorList {
	errs := validateShares(l.NominalConcurrencyShares, nil, path)
	response, queuing := path.Child("limitResponse"), path.Child("limitResponse", "queuing")
	switch l.LimitResponse.Type {
	case flowcontrolv1.LimitResponseTypeReject:
		if l.LimitResponse.Queuing != nil {
			errs = append(errs, field.Forbidden(queuing, "must be nil if limited.limitResponse.type is not Limited"))
		}
	case flowcontrolv1.LimitResponseTypeQueue:
		if q := l.LimitResponse.Queuing; q == nil {
			errs = append(errs, field.Required(queuing, "must not be empty if limited.limitResponse.type is Limited"))
		} else {
			errs = append(errs, validateQueues(q, queuing)...)
		}
	default:
		errs = append(errs, field.NotSupported(response.Child("type"), l.LimitResponse.Type,
			[]flowcontrolv1.LimitResponseType{flowcontrolv1.LimitResponseTypeQueue, flowcontrolv1.LimitResponseTypeReject}))
	}
	errs = append(errs, validateShares(nil, l.LendablePercent, path)...)
	if b := l.BorrowingLimitPercent; b != nil && *b < 0 {
		errs = append(errs, field.Invalid(path.Child("borrowingLimitPercent"), *b, "if specified, must be a non-negative integer"))
	}
	return errs
}

// maxQueues limits the queues, and maxHandBits the bits of the hash that selects a hand of queues.
//
// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, priorityLevelConfigurationQueuingMaxQueues, and
// staging/src/k8s.io/apiserver/pkg/util/shufflesharding/shufflesharding.go, MaxHashBits
const (
	maxQueues   = 10_000_000
	maxHandBits = 60
)

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidatePriorityLevelQueuingConfiguration
func validateQueues(q *flowcontrolv1.QueuingConfiguration, path *field.Path) (errs field.ErrorList) {
	bad := func(name string, value int32, why string) {
		errs = append(errs, field.Invalid(path.Child(name), value, why))
	}
	if q.QueueLengthLimit <= 0 {
		bad("queueLengthLimit", q.QueueLengthLimit, "must be positive")
	}
	if q.Queues <= 0 {
		bad("queues", q.Queues, "must be positive")
	} else if q.Queues > maxQueues {
		bad("queues", q.Queues, fmt.Sprintf("must not be greater than %d", maxQueues))
	}
	switch {
	case q.HandSize <= 0:
		bad("handSize", q.HandSize, "must be positive")
	case q.HandSize > q.Queues:
		bad("handSize", q.HandSize, fmt.Sprintf("should not be greater than queues (%d)", q.Queues))
	case math.Ceil(math.Log2(float64(q.Queues))*float64(q.HandSize)) > maxHandBits:
		bad("handSize", q.HandSize, fmt.Sprintf(
			"required entropy bits of deckSize %d and handSize %d should not be greater than %d",
			q.Queues, q.HandSize, maxHandBits,
		))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidatePriorityLevelConfigurationStatus
func validatePriorityLevelStatus(s *flowcontrolv1.PriorityLevelConfigurationStatus) field.ErrorList {
	types := make([]string, len(s.Conditions))
	for i, c := range s.Conditions {
		types[i] = string(c.Type)
	}
	return validateConditionTypes(types)
}
