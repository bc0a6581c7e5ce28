package kind_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/kind"
)

var podKind = schema.GroupKind{Kind: "Pod"}

// A normal number of errors gives upstream's answer.
func TestInvalid_IsUpstreams(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		errs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *field.Error {
			path := field.NewPath("spec", rapid.SampledFrom([]string{"a", "b"}).Draw(t, "field")).Index(rapid.IntRange(0, 3).Draw(t, "index"))
			value := rapid.SampledFrom([]any{"x", 1, nil, []string{"y"}, strings.Repeat("z", 100)}).Draw(t, "value")
			return rapid.SampledFrom([]*field.Error{
				field.Required(path, ""), field.Invalid(path, value, "is wrong"), field.Duplicate(path, value),
				field.TooMany(path, 3, 2), field.Forbidden(path, "never"), field.InternalError(path, errors.New("broken")),
			}).Draw(t, "error")
		}), 0, 100).Draw(t, "errors")
		if diff := cmp.Diff(apierrors.NewInvalid(podKind, "web", errs).ErrStatus, kind.Invalid(podKind, "web", errs).ErrStatus); diff != "" {
			t.Fatalf("not upstream's (-want +got):\n%s", diff)
		}
	})
}

// Many errors, and errors with huge values, give a bounded answer that says what is missing.
func TestInvalid_IsBounded(t *testing.T) {
	t.Parallel()
	many := func(n int, value any) (errs field.ErrorList) {
		for i := range n {
			errs = append(errs, field.Invalid(field.NewPath("spec").Index(i), value, "is wrong"))
		}
		return errs
	}
	vast := strings.Repeat("ü", 1<<20)
	tests := []struct {
		name   string
		errs   field.ErrorList
		causes int
		end    string
	}{
		{"a hundred and one", many(101, 1), 101, "], and 1 more errors"},
		{"a quarter of a million", many(250_000, 1), 101, "], and 249900 more errors"},
		{"a vast value", many(1, vast), 1, " bytes more)"},
		{"many vast values", many(300, vast), 2, "and 299 more errors"},
		{"many large values", many(90, vast[:2000]), 34, "bytes more), and 57 more errors"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			status := kind.Invalid(podKind, "web", tt.errs).ErrStatus
			if !strings.HasPrefix(status.Message, `Pod "web" is invalid: `) || !strings.HasSuffix(status.Message, tt.end) || len(status.Message) > 70_000 {
				t.Errorf("%d bytes: %.60s … %s; want an end of %q", len(status.Message), status.Message, status.Message[max(0, len(status.Message)-60):], tt.end)
			}
			size := 0
			for _, c := range status.Details.Causes {
				size += len(c.Message) + len(c.Field)
			}
			if n := len(status.Details.Causes); n != tt.causes || size > 80_000 {
				t.Errorf("%d causes of %d bytes; want %d", n, size, tt.causes)
			}
			if last := status.Details.Causes[len(status.Details.Causes)-1]; len(tt.errs) > 1 && (last.Field != "..." || !strings.HasSuffix(tt.end, last.Message)) {
				t.Errorf("the last cause is %s", fmt.Sprint(last))
			}
		})
	}
}
