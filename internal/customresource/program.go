package customresource

import (
	"fmt"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// program is a compiled schema. It is immutable and safe for concurrent use.
type program struct {
	structural *structuralschema.Structural
	// whole validates objects, and status their status; status is nil if the schema does not
	// describe it.
	whole, status validation.SchemaValidator
	// rules compiles the CEL rules at its first call, because they cost ten times as much as the
	// rest. It returns nil if there are none.
	rules func() *cel.Validator
	// shape is what makes objects costly.
	shape func() *shape
}

// compile compiles a schema except its rules. Errors: a schema that is not structural, which the
// validation of definitions rejects.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, getOrCreateServingInfoFor
func compile(props *apiextensionsv1.JSONSchemaProps) (*program, error) {
	internal, err := internalSchema(props)
	if err != nil {
		return nil, err
	}
	p := &program{}
	if p.whole, _, err = validation.NewSchemaValidator(internal); err != nil {
		return nil, fmt.Errorf("compile a schema: %w", err)
	}
	if internal == nil {
		p.rules, p.shape = func() *cel.Validator { return nil }, func() *shape { return nil }
		return p, nil
	}
	if status, ok := internal.Properties["status"]; ok {
		if p.status, _, err = validation.NewSchemaValidator(&status); err != nil {
			return nil, fmt.Errorf("compile the schema of a status: %w", err)
		}
	}
	structural, err := structuralschema.NewStructural(internal)
	if err != nil {
		return nil, fmt.Errorf("compile a schema: %w", err)
	}
	p.structural = structural.DeepCopy() // its defaults are the schema's own
	if err := structuraldefaulting.PruneDefaults(p.structural); err != nil {
		return nil, fmt.Errorf("prune the defaults of a schema: %w", err)
	}
	patterns.add(patternsSize(structural), maxCompiled)
	p.rules = sync.OnceValue(func() *cel.Validator { return cel.NewValidator(p.structural, true, celconfig.PerCallLimit) })
	p.shape = sync.OnceValue(func() *shape { return newShape(p.structural) })
	return p, nil
}

// internalSchema converts a schema to upstream's internal form; nil stays nil.
func internalSchema(props *apiextensionsv1.JSONSchemaProps) (*apiextensions.JSONSchemaProps, error) {
	if props == nil {
		return nil, nil
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, internal, nil); err != nil {
		return nil, fmt.Errorf("convert a schema: %w", err)
	}
	return internal, nil
}

// checkCost returns an error if an object exceeds a bound.
func (p *program) checkCost(u *unstructured.Unstructured) error {
	m := meter{}
	m.visit(p.shape(), u.Object, 0)
	return m.err()
}
