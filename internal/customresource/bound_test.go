package customresource_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/customresource"
)

// Combinations of schema and object that would need gigabytes or hours are rejected at once.
func TestBounds(t *testing.T) {
	t.Parallel()
	alternatives := strings.Repeat(`{enum: [`+strings.Repeat("{},", 100)+`]},`, 50)
	rows := []struct {
		name, schema string
		fill         func(object map[string]any)
		want         string
	}{
		{"a default in each value", `{type: object, additionalProperties: {type: object, properties: {a: {type: string, default: ` + strings.Repeat("x", 1000) + `}}}}`,
			func(m map[string]any) {
				for i := range 10_000 {
					m[fmt.Sprint(i)] = map[string]any{}
				}
			}, "the defaults of the schema would make the object too large"},
		{"alternatives for each value", `{type: object, additionalProperties: {type: object, x-kubernetes-preserve-unknown-fields: true, anyOf: [` + alternatives + `]}}`,
			func(m map[string]any) {
				for i := range 1_500 {
					m[fmt.Sprint(i)] = map[string]any{}
				}
			}, "validating the object takes too long"},
		{"a large pattern", `{type: object, additionalProperties: {type: string, pattern: "^(a?){500}(a?b){500}$"}}`,
			func(m map[string]any) { m["a"] = strings.Repeat("a", 1<<20) }, "validating the object takes too long"},
		{"a long path", `{type: object, additionalProperties: {type: array, items: {type: object, additionalProperties: {type: string}}}}`,
			func(m map[string]any) {
				values := map[string]any{}
				for i := range 5_000 {
					values[fmt.Sprint(i)] = int64(1)
				}
				m[strings.Repeat("x", 20_000)] = []any{values}
			}, "too many fields are nested too deeply, or under names that are too long"},
		{"a large object", `{type: object, additionalProperties: {type: array, items: {type: string, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", maxLength: 63}}}`,
			func(m map[string]any) {
				list := make([]any, 5_000)
				for i := range list {
					list[i] = "abc"
				}
				m["a"] = list
			}, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			v := define(t, "schema: {openAPIV3Schema: {type: object, properties: {spec: "+row.schema+"}}}")
			spec := map[string]any{}
			row.fill(spec)
			u := cronTab(t, `{}`)
			u.Object["spec"] = spec
			got := ""
			if _, err := v.Admit(u, false); err != nil {
				got = err.Error()
			} else if errs := v.Validate(context.Background(), u); len(errs) > 0 {
				got = errs[0].Error()
			}
			if !strings.Contains(got, row.want) || row.want == "" && got != "" {
				t.Errorf("got %.200s", got)
			}
		})
	}
}

func TestPatternSize(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string][2]int{
		"":                      {0, 0},
		"(":                     {0, 0},
		"^[a-z]{1,63}$":         {60, 200},
		"^((ab?){100}){10}$":    {2000, 10000},
		"^(abc|def)*[^a-z]+\\d": {5, 30},
	} {
		if got := customresource.PatternSize(pattern); got < want[0] || got > want[1] {
			t.Errorf("%q has the size %d, want %v", pattern, got, want)
		}
	}
}

// Columns whose paths reach the same values many times stay empty; a single recursive descent is
// allowed.
func TestRowBounds(t *testing.T) {
	t.Parallel()
	twice := strings.Repeat("['a','a']", 30)
	v := define(t, `
additionalPrinterColumns:
- {name: Descents, type: string, jsonPath: ".spec..a..a..a..a"}
- {name: Unions, type: string, jsonPath: ".spec`+twice+`"}
- {name: Loop, type: string, jsonPath: ".spec}{range .spec.*}{.}{end"}
- {name: Filter, type: string, jsonPath: ".spec[?(@..a..a..a == 1)]"}
- {name: Descent, type: string, jsonPath: "..leaf"}
- {name: Ready, type: string, jsonPath: ".list[?(@.type=='Ready')].status"}
schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}`)
	deep := map[string]any{"leaf": "found"}
	for range 2_000 {
		deep = map[string]any{"a": deep}
	}
	u := cronTab(t, `{list: [{type: Other, status: a}, {type: Ready, status: b}]}`)
	u.Object["spec"] = deep
	if diff := cmp.Diff([]any{"x", nil, nil, nil, nil, "found", "b"}, v.Row(u, time.Unix(0, 0))); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
}
