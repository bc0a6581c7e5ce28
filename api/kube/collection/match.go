package collection

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	operators "k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/sets"
)

const (
	// maxRequirements limits the requirements of a selector: each is evaluated for each object of a
	// list and each event of a watch.
	maxRequirements = 1000
	// fewValues is the number of values up to which a set is searched linearly.
	fewValues = 8
)

// labelMatcher is a label selector whose evaluation takes time linear in its requirements,
// independent of the number of their values.
type labelMatcher []labelRequirement

// labelRequirement is one requirement. If it has many values, they are in a set.
type labelRequirement struct {
	labels.Requirement
	key    string
	values sets.Set[string]
	not    bool
}

// compileLabels compiles a selector that is not empty.
//
// Differs: upstream searches all values for each object, and only the length of the URL limits
// requirements.
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

// matches reports whether an object's labels match.
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
