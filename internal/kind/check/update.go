package check

import (
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Same judges that nothing has changed in a value, which messages show as upstream does.
func Same(next, old any, path *field.Path) field.ErrorList {
	if equality.Semantic.DeepEqual(next, old) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, Untagged(next), validation.FieldImmutableErrorMsg)}
}

// MaxDiffBytes is how large two specs, as protobuf, may be together to be compared line by line.
const MaxDiffBytes = 256 << 10
