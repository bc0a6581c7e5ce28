package collection

import (
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/api/kube/render"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
)

// A compiled selector agrees with the selector, whatever its operators and however many values it
// has.
func TestLabelMatcher_AgreesWithTheSelector(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var parts []string
		word := rapid.StringMatching(`[a-c][0-9]?`)
		for range rapid.IntRange(1, 4).Draw(t, "requirements") {
			key, values := word.Draw(t, "key"), strings.Join(rapid.SliceOfN(word, 1, 30).Draw(t, "values"), ",")
			parts = append(parts, fmt.Sprintf(rapid.SampledFrom([]string{"%s in (%s)", "%s notin (%s)", "!%[1]s", "%[1]s", "%s=a", "%[1]s>5", "%[1]s!=b"}).Draw(t, "form"), key, values))
		}
		text, _, _ := strings.Cut(strings.Join(parts, ";"), "%!")
		text = strings.ReplaceAll(text, ";", ",")
		s, err := labels.Parse(text)
		if err != nil || s.Empty() {
			return
		}
		m, err := compileLabels(s)
		if err != nil {
			t.Fatal(err)
		}
		have := rapid.MapOf(word, rapid.OneOf(word, rapid.StringMatching(`[0-9]`))).Draw(t, "labels")
		if got, want := m.matches(have), s.Matches(labels.Set(have)); got != want {
			t.Fatalf("%q of %v: %v, want %v", text, have, got, want)
		}
	})
}

// A set of 100,000 values is not searched linearly; selectors with too many requirements are client
// errors.
func TestSelection_IsBounded(t *testing.T) {
	t.Parallel()
	values := make([]string, 100_000)
	for i := range values {
		values[i] = fmt.Sprint("v", i)
	}
	s, err := labels.Parse("a in (" + strings.Join(values, ",") + "),b notin (" + strings.Join(values, ",") + ")")
	if err != nil {
		t.Fatal(err)
	}
	m, err := compileLabels(s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m {
		if len(m[i].values) != len(values) {
			t.Errorf("%s is compared with one value after another", m[i].key)
		}
	}
	if !m.matches(map[string]string{"a": "v99999"}) || m.matches(map[string]string{"a": "v99999", "b": "v0"}) || m.matches(map[string]string{"a": "w"}) {
		t.Error("it does not match what it should")
	}
	r := render.New(pod.Kind, nil, nil)
	f := strings.Repeat("metadata.name!=a,", maxRequirements) + "metadata.name!=a"
	l, err := labels.Parse(strings.Repeat("!a,", maxRequirements) + "!a")
	if err != nil {
		t.Fatal(err)
	}
	many, err := fields.ParseSelector(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Select(&r, l, nil); !apierrors.IsBadRequest(err) {
		t.Errorf("many requirements of labels: %v", err)
	}
	if _, err := Select(&r, nil, many); !apierrors.IsBadRequest(err) {
		t.Errorf("many requirements of fields: %v", err)
	}
}
