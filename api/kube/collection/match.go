package collection

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	operators "k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/sets"
)

const (
	// maxRequirements is how many requirements a selector may have: each is judged for each object
	// of a list and each event of a watch.
	maxRequirements = 1000
	// fewValues is up to how many values a set is looked through as it is.
	fewValues = 8
)

// labelMatcher is a selector of labels that takes time with the number of its requirements, not
// with that of their values.
type labelMatcher []labelRequirement

// labelRequirement is a requirement. One that names many values has them in a set.
type labelRequirement struct {
	labels.Requirement
	key    string
	values sets.Set[string]
	not    bool
}

// compileLabels makes a matcher of a selector that is not empty.
//
// Differs: upstream looks through all values for each object, and has no bound but the URL's for requirements.
func compileLabels(s labels.Selector) (labelMatcher, error) {
	requirements, selectable := s.Requirements()
	if len(requirements) > maxRequirements {
		return nil, manyRequirements("label")
	}
	if !selectable {
		return nil, apierrors.NewBadRequest("the label selector selects nothing")
	}
	m := make(labelMatcher, len(requirements))
	for i, r := range requirements {
		m[i] = labelRequirement{Requirement: r, key: r.Key()}
		if len(r.ValuesUnsorted()) > fewValues {
			m[i].values, m[i].not = sets.New(r.ValuesUnsorted()...), r.Operator() == operators.NotIn
		}
	}
	return m, nil
}

// matches judges an object's labels.
func (m labelMatcher) matches(have map[string]string) bool {
	for i := range m {
		if !m[i].matches(have) {
			return false
		}
	}
	return true
}

func (r *labelRequirement) matches(have map[string]string) bool {
	if r.values == nil {
		return r.Matches(labels.Set(have))
	}
	value, ok := have[r.key]
	if !ok {
		return r.not
	}
	return r.values.Has(value) != r.not
}

func manyRequirements(of string) error {
	return apierrors.NewBadRequest(fmt.Sprintf("the %s selector has too many requirements: limit is %d", of, maxRequirements))
}
