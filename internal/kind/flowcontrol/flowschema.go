package flowcontrol

import (
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// FlowSchema is flowcontrol.apiserver.k8s.io/v1 FlowSchema: it assigns requests to priority levels.
//
// Source: kubernetes v1.36 pkg/registry/flowcontrol/flowschema/strategy.go
//
// Differs: it is stored and has no effect. Requests are queued by fixed rules: see api/inflight.go.
var FlowSchema = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "flowcontrol.apiserver.k8s.io", Version: "v1", Kind: "FlowSchema", Plural: "flowschemas",
		New: func() object.Object { return &flowcontrolv1.FlowSchema{} },
	},
	Singular: "flowschema",
	NewList:  func() runtime.Object { return &flowcontrolv1.FlowSchemaList{} },

	Status: kind.Through(kind.Write[*flowcontrolv1.FlowSchema]{
		Prepare: func(s, was *flowcontrolv1.FlowSchema) {
			kind.KeepMetadata(&s.ObjectMeta, &was.ObjectMeta)
			s.Spec = *was.Spec.DeepCopy()
		},
		Validate: func(next, _ *flowcontrolv1.FlowSchema) field.ErrorList {
			return validateFlowSchemaStatus(&next.Status)
		},
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "PriorityLevel", Type: "string", Description: flowcontrolv1.PriorityLevelConfigurationReference{}.SwaggerDoc()["name"]},
		{Name: "MatchingPrecedence", Type: "string", Description: flowcontrolv1.FlowSchemaSpec{}.SwaggerDoc()["matchingPrecedence"]},
		{Name: "DistinguisherMethod", Type: "string", Description: flowcontrolv1.FlowSchemaSpec{}.SwaggerDoc()["distinguisherMethod"]},
		kind.AgeColumn,
		{Name: "MissingPL", Type: "string", Description: "references a broken or non-existent PriorityLevelConfiguration"},
	},
	UnconditionalUpdate: true,
}, kind.Functions[*flowcontrolv1.FlowSchema]{
	Default: func(o *flowcontrolv1.FlowSchema) {
		if spec := &o.Spec; spec.MatchingPrecedence == 0 {
			spec.MatchingPrecedence = 1000
		}
	},
	PrepareCreate: func(s *flowcontrolv1.FlowSchema) {
		s.Status, s.Generation = flowcontrolv1.FlowSchemaStatus{}, 1
	},
	PrepareUpdate: func(s, was *flowcontrolv1.FlowSchema) {
		if !equality.Semantic.DeepEqual(s.Spec, was.Spec) {
			s.Generation = was.Generation + 1
		}
		s.Status = *was.Status.DeepCopy()
	},
	Validate: validateFlowSchema,
	ValidateUpdate: func(next, _ *flowcontrolv1.FlowSchema) field.ErrorList {
		return validateFlowSchema(next)
	},
	Row: flowSchemaRow,
})

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printFlowSchema
//
// Differs: like all lists, it is in order of names, not of precedence.
func flowSchemaRow(o *flowcontrolv1.FlowSchema, now time.Time) []any {
	s, method, dangling := o, "<none>", "?"
	if m := s.Spec.DistinguisherMethod; m != nil {
		method = string(m.Type)
	}
	for _, c := range s.Status.Conditions {
		if c.Type == flowcontrolv1.FlowSchemaConditionDangling {
			dangling = string(c.Status)
			break
		}
	}
	return []any{s.Name, s.Spec.PriorityLevelConfiguration.Name, int64(s.Spec.MatchingPrecedence), method, kind.Age(s.CreationTimestamp, now), dangling}
}
