package main

import (
	"strings"
	"testing"
)

func TestFeatureGates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text, want, unrecognized, err string
	}{
		{"one", "MaxUnavailableStatefulSet=true", "MaxUnavailableStatefulSet=true", "", ""},
		{"of the component kube", "kube:MaxUnavailableStatefulSet=1", "MaxUnavailableStatefulSet=true", "", ""},
		{"several", " MaxUnavailableStatefulSet = false ,,Other=T", "MaxUnavailableStatefulSet=false,Other=true", "Other", ""},
		{"without a value", "MaxUnavailableStatefulSet", "", "", "missing bool value for MaxUnavailableStatefulSet"},
		{"no boolean", "MaxUnavailableStatefulSet=yes", "", "", `invalid value of MaxUnavailableStatefulSet=yes, err: strconv.ParseBool: parsing "yes": invalid syntax`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var g featureGates
			err := g.Set(tt.text)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("the error is %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil || g.String() != tt.want || strings.Join(g.unrecognized(), ",") != tt.unrecognized {
				t.Errorf("%v, %v, unrecognized %v; want %s and %q", &g, err, g.unrecognized(), tt.want, tt.unrecognized)
			}
		})
	}
}
