package customresource

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/warning"
)

// JudgeUpdate is ValidateUpdate, or with status ValidateStatusUpdate, and returns the rules that
// are broken in parts that the update does not change, as warnings.
func (v *Version) JudgeUpdate(next, old *unstructured.Unstructured, status bool) (errs field.ErrorList, warnings []string) {
	var said recorder
	ctx := warning.WithWarningRecorder(context.Background(), &said)
	judge := v.ValidateUpdate
	if status {
		judge = v.ValidateStatusUpdate
	}
	errs = judge(ctx, next, old)
	slices.Sort(said) // rules are evaluated in no order
	return errs, said
}

// recorder has the texts of warnings.
type recorder []string

// AddWarning is warning.Recorder's.
func (r *recorder) AddWarning(_, text string) { *r = append(*r, text) }
