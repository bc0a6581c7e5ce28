// Package device evaluates expressions about devices and allocates devices to claims. Kubernetes'
// own library does both. This is the only package that imports it, and it wraps it in pure
// functions: the same input gives the same answer at any time.
//
// Expressions are written in CEL. The CEL environment is created when the first expression is
// compiled.
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

// features lists upstream's feature gates with their defaults.
//
// Source: kubernetes v1.36 pkg/features/kube_features.go, DRAConsumableCapacity and DRAListTypeAttributes
var features = cel.Features{EnableConsumableCapacity: true}

// CheckSelector compiles an expression that selects devices. It returns an error that wraps
// ErrSelector, with the compiler's text, if the expression is wrong, ErrCost if its evaluation
// might take too long, and another error if it cannot be compiled for other reasons. It is safe for
// concurrent use.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateCELSelector
//
// Differs: functions that are new in this version of Kubernetes may be used at once; upstream
// admits them one version later.
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
