package check

import (
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Same checks that a value has not changed. Its message shows the value as upstream does.
func Same(next, old any, path *field.Path) field.ErrorList {
	if equality.Semantic.DeepEqual(next, old) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, Untagged(next), validation.FieldImmutableErrorMsg)}
}

// MaxDiffBytes limits the total size of two specs, as protobuf, that are compared line by line.
const MaxDiffBytes = 256 << 10
