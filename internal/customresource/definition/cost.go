package definition

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/validation/field"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// Limits on the estimated worst-case cost of rules, in CEL's cost units: of one rule, and of all
// rules of a schema.
const (
	maxExpressionCost = 10_000_000
	maxSchemaCost     = 100_000_000
)

// types holds the CEL type information of a schema.
type types struct {
	schema   *structuralschema.Structural
	declared *apiservercel.DeclType
}

// place is a schema node with its CEL context.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/cel_validation.go, CELSchemaContext
type place struct {
	parent *place
	schema *apiextensions.JSONSchemaProps
	// step derives the node's types from its parent's. It returns nil if they are not contained
	// there.
	step func(parent *types) *types
	// ruled is true if the schema or an ancestor has rules.
	ruled bool
	// most is the maximum number of values that an object may have for this schema; nil if
	// unbounded.
	most *uint64

	known bool // types has run
	found *types
	err   error
}

func rootPlace(s *apiextensions.JSONSchemaProps) *place {
	one := uint64(1)
	return &place{schema: s, ruled: len(s.XValidations) > 0, most: &one}
}

// property returns the place of a property; nil if p is nil.
func (p *place) property(s *apiextensions.JSONSchemaProps, name string) *place {
	return p.below(s, func(parent *types) *types {
		property, ok := parent.schema.Properties[name]
		escaped, can := apiservercel.Escape(name)
		if declared := parent.declared.Fields[escaped]; ok && can && declared != nil {
			return &types{&property, declared.Type}
		}
		return nil
	})
}

// item returns the place of a list's items; nil if p is nil.
func (p *place) item(s *apiextensions.JSONSchemaProps) *place {
	return p.below(s, func(parent *types) *types {
		if parent.schema.Items == nil {
			return nil
		}
		return &types{parent.schema.Items, parent.declared.ElemType}
	})
}

// value returns the place of a map's values; nil if p is nil.
func (p *place) value(s *apiextensions.JSONSchemaProps) *place {
	return p.below(s, func(parent *types) *types {
		if parent.schema.AdditionalProperties == nil {
			return nil
		}
		return &types{parent.schema.AdditionalProperties.Structural, parent.declared.ElemType}
	})
}

func (p *place) below(s *apiextensions.JSONSchemaProps, step func(*types) *types) *place {
	if p == nil || s == nil {
		return nil
	}
	child := &place{parent: p, schema: s, step: step, ruled: p.ruled || len(s.XValidations) > 0}
	if each := elements(p.schema); p.most != nil && each != nil {
		most := multiply(*p.most, *each)
		child.most = &most
	}
	return child
}

// elements returns the maximum number of children of one value of the schema; nil if unbounded.
func elements(s *apiextensions.JSONSchemaProps) *uint64 {
	most, one := s.MaxProperties, int64(1)
	switch {
	case s.Type == "array":
		most = s.MaxItems
	case s.Type != "object" || s.AdditionalProperties == nil:
		most = &one
	}
	if most == nil {
		return nil
	}
	n := uint64(max(*most, 0)) //nolint:gosec // it is not negative
	return &n
}

// types returns the CEL types of the node, derived from the parent's types if possible; computing
// them from the schema is expensive. It returns nil without an error if there are no rules.
func (p *place) types() (*types, error) {
	if p == nil || !p.ruled {
		return nil, nil
	}
	if !p.known {
		p.found, p.err = p.find()
		p.known = true
	}
	return p.found, p.err
}

func (p *place) find() (*types, error) {
	around, err := p.parent.types()
	if err != nil {
		return nil, err
	}
	if around != nil {
		if t := p.step(around); t != nil {
			return t, nil
		}
	}
	structural, err := structuralschema.NewStructural(p.schema)
	if err != nil {
		return nil, err
	}
	declared := model.SchemaDeclType(structural, p.parent == nil || p.schema.XEmbeddedResource)
	if declared == nil {
		return nil, errors.New("unable to convert structural schema to CEL declarations")
	}
	return &types{structural, declared}, nil
}

// cost returns the worst-case cost of evaluating a rule of this node for all values of an object.
func (p *place) cost(c *cel.CompilationResult) uint64 {
	if p.most != nil {
		return multiply(c.MaxCost, *p.most)
	}
	return multiply(c.MaxCost, c.MaxCardinality)
}

// multiply returns a product, or the largest uint64 on overflow.
func multiply(a, b uint64) uint64 {
	if high, low := bits.Mul64(a, b); high == 0 {
		return low
	}
	return math.MaxUint64
}

// total is the cost of all rules of a schema.
type total struct {
	sum     uint64
	largest []share // at most four, the largest first, each at least a hundredth of the limit
}

type share struct {
	path *field.Path
	cost uint64
}

func (t *total) add(path *field.Path, cost uint64) {
	if sum, carry := bits.Add64(t.sum, cost, 0); carry == 0 {
		t.sum = sum
	} else {
		t.sum = math.MaxUint64
	}
	if cost < maxSchemaCost/100 {
		return
	}
	t.largest = append(t.largest, share{path, cost})
	slices.SortStableFunc(t.largest, func(a, b share) int { return cmp.Compare(b.cost, a.cost) })
	t.largest = t.largest[:min(len(t.largest), 4)]
}

// check validates the total; path is that of the schema.
func (t *total) check(path *field.Path) (errs field.ErrorList) {
	if t.sum <= maxSchemaCost {
		return nil
	}
	for _, s := range t.largest {
		errs = append(errs, field.Forbidden(s.path, "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"))
	}
	return append(errs, field.Forbidden(path, tooCostly("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema", t.sum, maxSchemaCost)))
}

// tooCostly formats by how much a cost exceeds its limit.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, getCostErrorMessage
func tooCostly(what string, cost, limit uint64) string {
	times := float64(cost) / float64(limit)
	factor := fmt.Sprintf("%.1fx", times)
	switch {
	case times > 100:
		factor = "more than 100x"
	case times < 1.5:
		factor = fmt.Sprintf("%fx", times)
	}
	return what + " exceeds budget by factor of " + factor +
		" (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
}
