package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/kind"
)

// featureGates is the flag --feature-gates, in upstream's form: Name=true,Other=false. It
// implements pflag.Value.
//
// Source: kubernetes v1.36 staging/src/k8s.io/component-base/featuregate/feature_gate.go, SetWithLogger and unsafeSetFromMap, which
// warns of gates that it does not know
type featureGates kind.Gates

// String implements pflag.Value.
func (g *featureGates) String() string {
	all := make([]string, 0, len(*g))
	for _, name := range slices.Sorted(maps.Keys(*g)) {
		all = append(all, name+"="+strconv.FormatBool((*g)[name]))
	}
	return strings.Join(all, ",")
}

// Type implements pflag.Value.
func (*featureGates) Type() string { return "mapStringBool" }

// Set implements pflag.Value. It adds to what was set before. A gate may have the prefix of the
// component kube.
func (g *featureGates) Set(text string) error {
	if *g == nil {
		*g = featureGates{}
	}
	for pair := range strings.SplitSeq(text, ",") {
		if pair == "" {
			continue
		}
		name, value, given := strings.Cut(pair, "=")
		name, value = strings.TrimPrefix(strings.TrimSpace(name), "kube:"), strings.TrimSpace(value)
		if !given {
			return fmt.Errorf("missing bool value for %s", name)
		}
		on, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("invalid value of %s=%s, err: %w", name, value, err)
		}
		(*g)[name] = on
	}
	return nil
}

// unrecognized returns the gates without an effect, by name.
func (g *featureGates) unrecognized() []string {
	names := slices.Sorted(maps.Keys(*g))
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(kind.KnownGates, name) })
}
