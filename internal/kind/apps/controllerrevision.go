package apps

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// ControllerRevision is apps/v1 ControllerRevision: a past state that a controller can roll back
// to. Its data are immutable.
//
// Source: kubernetes v1.36 pkg/registry/apps/controllerrevision/strategy.go
var ControllerRevision = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "apps", Version: "v1", Kind: "ControllerRevision", Plural: "controllerrevisions", Namespaced: true,
		New: func() object.Object { return &appsv1.ControllerRevision{} },
	},
	Singular: "controllerrevision",
	NewList:  func() runtime.Object { return &appsv1.ControllerRevisionList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Controller", Type: "string", Description: "Controller of the object"},
		{Name: "Revision", Type: "string", Description: appsv1.ControllerRevision{}.SwaggerDoc()["revision"]},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
}, kind.Functions[*appsv1.ControllerRevision]{
	Default: func(*appsv1.ControllerRevision) {},
	Validate: func(r *appsv1.ControllerRevision) field.ErrorList {
		return append(validateControllerRevision(r), validateRevisionData(r.Data.Raw, field.NewPath("data"))...)
	},
	ValidateUpdate: func(r, was *appsv1.ControllerRevision) field.ErrorList {
		errs := append(check.MetaUpdate(&r.ObjectMeta, &was.ObjectMeta), validateControllerRevision(r)...)
		return append(errs, validation.ValidateImmutableField(r.Data, was.Data, field.NewPath("data"))...)
	},
	Row: func(o *appsv1.ControllerRevision, now time.Time) []any {
		r, controller := o, "<none>"
		if ref := metav1.GetControllerOfNoCopy(r); ref != nil {
			gk := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).GroupKind()
			controller = strings.ToLower(gk.String()) + "/" + ref.Name
		}
		return []any{r.Name, controller, r.Revision, kind.Age(r.CreationTimestamp, now)}
	},
})

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, validateControllerRevision
func validateControllerRevision(r *appsv1.ControllerRevision) field.ErrorList {
	errs := check.NamespacedMeta(&r.ObjectMeta)
	if r.Revision < 0 {
		errs = append(errs, field.Invalid(field.NewPath("revision"), r.Revision, validation.IsNegativeErrorMsg))
	}
	return errs
}

// validateRevisionData checks that the data are a JSON object.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateControllerRevisionCreate
func validateRevisionData(raw []byte, path *field.Path) field.ErrorList {
	const mandatory = "data is mandatory"
	if raw == nil {
		return field.ErrorList{field.Required(path, mandatory)}
	}
	var data any
	if err := json.Unmarshal(raw, &data); err != nil {
		return field.ErrorList{field.Invalid(path, "<value omitted>", fmt.Sprintf("error parsing data: %v", err))}
	}
	switch data.(type) {
	case nil:
		return field.ErrorList{field.Required(path, mandatory)}
	case map[string]any:
		return nil
	}
	return field.ErrorList{field.Required(path, "data must be a valid JSON object")}
}
