package fieldmanager_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/applyconfigurations"
	"sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/rowlock/rowlock/internal/customresource"
)

var update = flag.Bool("update", false, "write rules.txt anew")

// TestRules compares rules.txt with client-go's schema, and with that of CustomResourceDefinitions.
func TestRules(t *testing.T) {
	t.Parallel()
	pod := &corev1.Pod{}
	pod.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(pod.GroupVersionKind(), pod)
	typed, err := applyconfigurations.NewTypeConverter(scheme).ObjectToTyped(pod)
	if err != nil {
		t.Fatal(err)
	}
	want := rulesOf(typed.Schema())
	definition := &apiextensionsv1.CustomResourceDefinition{}
	definition.SetGroupVersionKind(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"))
	if typed, err = customresource.DefinitionTypes().ObjectToTyped(definition); err != nil {
		t.Fatal(err)
	}
	for _, line := range slices.Sorted(strings.Lines(rulesOf(typed.Schema()))) {
		if strings.HasPrefix(line, "io.k8s.apiextensions-apiserver.") {
			want += line
		}
	}
	if *update {
		if err := os.WriteFile("rules.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("rules.txt is not what the schema says: go test ./internal/fieldmanager -run TestRules -update")
	}
}

func rulesOf(s *schema.Schema) string {
	var b strings.Builder
	for _, def := range s.Types {
		m := def.Map
		if m == nil || strings.HasPrefix(def.Name, "__") {
			continue
		}
		switch free := m.ElementType.NamedType != nil || m.ElementType.Inlined != (schema.Atom{}); {
		case free:
			fmt.Fprintln(&b, def.Name, "- free")
			continue
		case m.ElementRelationship == schema.Atomic:
			fmt.Fprintln(&b, def.Name, "- atomic")
		}
		for _, f := range m.Fields {
			if rule := ruleOf(s, f.Type); rule != "" {
				fmt.Fprintln(&b, def.Name, f.Name, rule)
			}
		}
	}
	return b.String()
}

// ruleOf returns a field's rule; "" for the usual one: lists are atomic, maps and structures are
// not.
func ruleOf(s *schema.Schema, ref schema.TypeRef) string {
	if ref.ElementRelationship != nil {
		return string(*ref.ElementRelationship)
	}
	list, m := ref.Inlined.List, ref.Inlined.Map
	switch {
	case ref.NamedType != nil:
	case m != nil && m.ElementRelationship == schema.Atomic:
		return "atomic"
	case list != nil && list.ElementRelationship == schema.Associative:
		words := []string{"set"}
		for _, key := range list.Keys {
			words[0] = "keys"
			def := ""
			if element, _ := s.Resolve(list.ElementType); element.Map != nil {
				if f, _ := element.Map.FindField(key); f.Default != nil {
					def = fmt.Sprintf("=%#v", f.Default)
				}
			}
			words = append(words, key+def)
		}
		return strings.Join(words, " ")
	}
	return ""
}
