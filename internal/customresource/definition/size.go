package definition

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// maxPaths is how many bytes the paths of all parts of a schema may have together. The largest real schemas have 8 MB. Every fault names the
// path that leads to it, so without a bound a body of 100 kB could make errors of gigabytes.
const maxPaths = 64 << 20

// checkSize judges that a schema is not nested so deeply, under names so long, that its faults could not be written down.
//
// Differs: upstream has no such bound.
func checkSize(s *apiextensions.JSONSchemaProps, path *field.Path) *field.Error {
	left := maxPaths
	if !fits(s, len(path.String()), &left) {
		return field.Forbidden(path, "too many fields are nested too deeply, or under names that are too long")
	}
	return nil
}

// fits takes the paths of a schema and all below it off what is left, and says whether it is enough; at is the length of the path to
// the schema.
func fits(s *apiextensions.JSONSchemaProps, at int, left *int) bool {
	if s == nil {
		return true
	}
	if *left -= at; *left < 0 {
		return false
	}
	const step = 24 // about the longest name of a field of a schema, "x-kubernetes-validations"
	below := func(s *apiextensions.JSONSchemaProps, name string) bool { return fits(s, at+step+len(name), left) }
	all := func(list []apiextensions.JSONSchemaProps) bool {
		for i := range list {
			if !below(&list[i], "") {
				return false
			}
		}
		return true
	}
	named := func(m map[string]apiextensions.JSONSchemaProps) bool {
		for name, child := range m {
			if !below(&child, name) {
				return false
			}
		}
		return true
	}
	*left -= at * (len(s.XValidations) + len(s.Required))
	ok := below(s.Not, "") && all(s.AllOf) && all(s.AnyOf) && all(s.OneOf) && named(s.Properties) && named(s.PatternProperties) && named(s.Definitions)
	for name, d := range s.Dependencies {
		ok = ok && below(d.Schema, name)
	}
	if s.Items != nil {
		ok = ok && below(s.Items.Schema, "") && all(s.Items.JSONSchemas)
	}
	if s.AdditionalProperties != nil {
		ok = ok && below(s.AdditionalProperties.Schema, "")
	}
	if s.AdditionalItems != nil {
		ok = ok && below(s.AdditionalItems.Schema, "")
	}
	return ok && *left >= 0
}
