// Package device judges expressions about devices and chooses devices for claims. Kubernetes' own library does both; this is the one
// place that imports it, and it makes pure functions of it: the same input gives the same answer, whatever the time.
//
// Expressions are written in CEL. Nothing is compiled, and no environment made, before the first expression comes.
package device

import (
	"errors"
	"fmt"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/cel"
)

// Errors of CheckSelector; all but ErrSelector are the server's fault.
var (
	ErrSelector = errors.New("") // has no text of its own
	ErrCost     = errors.New("too complex, exceeds cost limit")
)

// features are upstream's feature gates as they are by default.
//
// Source: kubernetes v1.36 pkg/features/kube_features.go, DRAConsumableCapacity and DRAListTypeAttributes
var features = cel.Features{EnableConsumableCapacity: true}

// CheckSelector compiles an expression that selects devices. It returns an error that wraps ErrSelector with the compiler's text if the
// expression is wrong, ErrCost if it might take too long, and another one if it cannot be judged. It is safe for concurrent use.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateCELSelector
//
// Differs: functions that are new in this version of Kubernetes may be used at once, where upstream waits for the next version.
func CheckSelector(expression string) error {
	result := cel.GetCompiler(features).CompileCELExpression(expression, cel.Options{})
	switch {
	case result.Error != nil && string(result.Error.Type) == invalidExpression:
		return fmt.Errorf("%w%s", ErrSelector, result.Error.Detail)
	case result.Error != nil:
		return fmt.Errorf("compile a selector of devices: %w", result.Error)
	case result.MaxCost > resourcev1.CELSelectorExpressionMaxCost:
		return ErrCost
	}
	return nil
}

// invalidExpression is the type of an error that is the expression's fault.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/cel/errors.go, ErrorTypeInvalid
const invalidExpression = "RuleInvalid"
