package customresource

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/warning"
)

// JudgeUpdate runs ValidateUpdate, or ValidateStatusUpdate if status is set. As warnings, it
// returns the broken rules in parts that the update does not change.
func (v *Version) JudgeUpdate(next, old *unstructured.Unstructured, status bool) (errs field.ErrorList, warnings []string) {
	var said recorder
	ctx := warning.WithWarningRecorder(context.Background(), &said)
	judge := v.ValidateUpdate
	if status {
		judge = v.ValidateStatusUpdate
	}
	errs = judge(ctx, next, old)
	slices.Sort(said) // the order of evaluation is random
	return errs, said
}

// recorder collects the texts of warnings.
type recorder []string

// AddWarning implements warning.Recorder.
func (r *recorder) AddWarning(_, text string) { *r = append(*r, text) }
