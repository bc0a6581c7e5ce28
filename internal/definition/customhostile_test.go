package definition_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// defining returns the body that defines widgets with a schema.
func defining(schema string) string {
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
		"names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},
		"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":` + schema + `}}]}}`
}

// TestCustomResources_HostileSchemas: schemas that would take for ever are refused with a reason,
// and one of a megabyte is served.
func TestCustomResources_HostileSchemas(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	nest := func(depth int) string {
		return strings.Repeat(`{"type":"object","properties":{"a":`, depth) + `{"type":"string"}` + strings.Repeat("}}", depth)
	}
	for _, c := range []struct{ name, schema, want string }{
		{"refers to itself", `{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}`, "$ref is not supported"},
		{"is deeper than JSON may be", nest(6_000), "exceeded max depth"},
		{"has a pattern as large as a book", `{"type":"object","properties":{"a":{"type":"string","pattern":"(` + strings.Repeat("ab?", 1_000) + `){1000}"}}}`, "the patterns are too large"},
		{"has a rule that compares each with each with each", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},
			"x-kubernetes-validations":[{"rule":"self.all(x, self.all(y, self.all(z, x == y || y == z)))"}]}}}`, "estimated rule cost exceeds budget by factor of"},
		{"has a rule that is not an expression", `{"type":"object","x-kubernetes-validations":[{"rule":"` + strings.Repeat("(", 5_000) + `"}]}`, "recursion limit exceeded"},
	} {
		if answer := send(s, "POST", definitionsPath, "application/json", defining(c.schema)); !strings.Contains(answer, c.want) {
			t.Errorf("a schema that %s: %.300s … %s", c.name, answer, answer[max(0, len(answer)-300):])
		}
	}
	var large strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&large, `"field%d":{"type":"integer","default":%d,"description":%q},`, i, i, strings.Repeat("x", 160))
	}
	s.Do("POST", definitionsPath, defining(`{"type":"object","properties":{"spec":{"type":"object","properties":{`+strings.TrimSuffix(large.String(), ",")+`}}}}`))
	s.Until("the definition is established", func() bool {
		code, answer := s.Try("GET", "/apis/example.com/v1", "")
		return code == http.StatusOK && strings.Contains(string(answer), `"widgets"`)
	})
	widget(s, "default", "a", "")
	if answer := s.Do("GET", fmt.Sprintf(widgetsPath, "default")+"/a", ""); !strings.Contains(string(answer), `"field4999":4999`) {
		t.Errorf("the object lacks defaults: %.300s", answer)
	}
}

// TestCustomResources_NullLabels: a label without a value is empty in the result of an apply, as
// upstream has it.
func TestCustomResources_NullLabels(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	define(s)
	path := fmt.Sprintf(widgetsPath, "default") + "/a"
	const applied = `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","labels":{"a":null,"b":"c"}},"spec":{}}`
	if message := send(s, "PATCH", path+"?fieldManager=m", "application/apply-patch+yaml", applied); message != "" {
		t.Fatal(message)
	}
	if answer := string(s.Do("GET", path, "")); !strings.Contains(answer, `"labels":{"a":"","b":"c"}`) {
		t.Errorf("the object is %s", answer)
	}
}
