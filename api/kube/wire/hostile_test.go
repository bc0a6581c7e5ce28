package wire_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/rowlock/rowlock/api/apitest"
)

// laughs returns YAML of ten levels, each of which references the previous one ten times (billion
// laughs).
func laughs() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 9 {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	return b.String()
}

// manyContainers returns a protobuf Pod with n empty containers.
func manyContainers(n int) string {
	field := func(number protowire.Number, value string) string {
		return string(protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), value))
	}
	pod := field(1, field(1, "many")) + field(2, strings.Repeat(field(2, ""), n))
	return "k8s\x00" + field(1, field(1, "v1")+field(2, "Pod")) + field(2, pod)
}

// Small bodies that would cost the server seconds, gigabytes or a panic are rejected at once as
// client errors.
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	const asJSON = "Content-Type: application/json"
	pod := func(quantity string) string {
		return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"q"},"spec":{"containers":[{"name":"c","image":"nginx",` +
			`"resources":{"requests":{"cpu":` + quantity + `}}}]}}`
	}
	const applied = "Content-Type: application/apply-patch+yaml"
	const protobufPod = "k8s\x00\x0a\x09\x0a\x02v1\x12\x03Pod\x12\x12\x12\x10\x0a\x0e1e-02147483647"
	tests := []struct {
		name, request, body, header string
		code                        int
		says                        string
	}{
		{"a vast quantity", "POST " + apitest.PodsPath, pod(`"1e2147483647"`), asJSON, 400, "quantities must match"},
		{"a tiny quantity", "POST " + apitest.PodsPath, pod(`"1E-999999999"`), asJSON, 400, "quantities must match"},
		{"a vast number", "POST " + apitest.PodsPath, pod(`1e2147483647`), asJSON, 400, "quantities must match"},
		{"a long quantity", "POST " + apitest.PodsPath, pod(`"` + strings.Repeat("9", 100_000) + `"`), asJSON, 400, "quantities must match"},
		{"a vast quantity in YAML", "POST " + apitest.PodsPath, pod(`"1e2147483647"`), apitest.YAMLBody, 400, "quantities must match"},
		{"a vast quantity in protobuf", "POST " + apitest.PodsPath, protobufPod, "Content-Type: application/vnd.kubernetes.protobuf", 400, "quantities must match"},
		{"a vast quantity in a merge patch", "PATCH " + apitest.PodsPath + "/victim", `{"spec":{"overhead":{"cpu":"1e2147483647"}}}`, apitest.MergePatch, 422, "quantities must match"},
		{"a vast quantity in a strategic patch", "PATCH " + apitest.PodsPath + "/victim", `{"spec":{"overhead":{"cpu":"1e2147483647"}}}`, apitest.StrategicPatch, 422, "quantities must match"},
		{"what only looks like one", "POST " + apitest.ConfigMapsPath, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"hash"},"data":{"a":"12e4567890"}}`, asJSON, 201, "12e4567890"},
		{"a list as a merge key", "PATCH " + apitest.PodsPath + "/victim", `{"spec":{"containers":[{"name":[1]}]}}`, apitest.StrategicPatch, 400, "cannot apply the patch"},
		{"a map as a merge key", "PATCH " + apitest.PodsPath + "/victim", `{"spec":{"containers":[{"name":{"a":1}}]}}`, apitest.StrategicPatch, 400, "cannot apply the patch"},
		{"a deep patch", "PATCH " + apitest.PodsPath + "/victim", strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000), apitest.MergePatch, 400, "exceeded max depth"},
		{
			"aliases of a long string", "POST " + apitest.ConfigMapsPath,
			"a: &a " + strings.Repeat("x", 1_000_000) + "\nb: [" + strings.Repeat("*a, ", 300) + "*a]\n", apitest.YAMLBody, 400,
			"excessive aliasing",
		},
		{
			"aliases in what is applied", "PATCH " + apitest.PodsPath + "/victim?fieldManager=x",
			"a: &a " + strings.Repeat("x", 1_000_000) + "\nb: [" + strings.Repeat("*a, ", 300) + "*a]\n", applied, 400,
			"excessive aliasing",
		},
		{"a billion laughs applied", "PATCH " + apitest.PodsPath + "/victim?fieldManager=x", laughs(), applied, 400, "excessive aliasing"},
		{"deep brackets applied", "PATCH " + apitest.PodsPath + "/victim?fieldManager=x", strings.Repeat("[", 9000), applied, 400, "exceeded max depth"},
		{"a deep list applied", "PATCH " + apitest.PodsPath + "/victim?fieldManager=x", "a:\n" + strings.Repeat("- ", 100_000) + "x", applied, 400, "exceeded max depth"},
		{"a vast quantity applied", "PATCH " + apitest.PodsPath + "/victim?fieldManager=x", pod(`"1e2147483647"`), applied, 400, "quantities must match"},
		{
			"a set of many applied", "PATCH " + apitest.ConfigMapsPath + "/a?fieldManager=x",
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":[` +
				strings.Repeat(`"example.com/a",`, 20_000) + `"example.com/b"` + `]}}`,
			applied, 413, "no list and no map",
		},
		{
			"many small containers", "POST " + apitest.PodsPath,
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"many"},"spec":{"containers":[` +
				strings.Repeat("{},", 500_000) + `{}]}}`,
			asJSON, 413, "all lists and maps together",
		},
		{
			"many small containers in YAML", "POST " + apitest.PodsPath,
			"apiVersion: v1\nkind: Pod\nmetadata: {name: many}\nspec:\n  containers:\n" + strings.Repeat("  - {}\n", 250_000),
			apitest.YAMLBody, 413, "all lists and maps together",
		},
		{"many small containers in protobuf", "POST " + apitest.PodsPath, manyContainers(500_000), "Content-Type: application/vnd.kubernetes.protobuf", 413, "all lists and maps together"},
		{
			"many finalizers", "POST " + apitest.ConfigMapsPath,
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"many","finalizers":[` + strings.Repeat(`"a",`, 500_000) +
				`"a"]}}`,
			asJSON, 413, "all lists and maps together",
		},
		{
			"many containers in a merge patch", "PATCH " + apitest.PodsPath + "/victim",
			`{"spec":{"containers":[` + strings.Repeat("{},", 500_000) + `{}]}}`, apitest.MergePatch, 413,
			"all lists and maps together",
		},
		{
			"many commas in a text", "POST " + apitest.ConfigMapsPath,
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"commas"},"data":{"a":"` + strings.Repeat(",", 900_000) +
				`"}}`,
			asJSON, 201, "commas",
		},
		{
			"another kind with a field twice", "POST " + apitest.ConfigMapsPath,
			`{"apiVersion":"v1","kind":"Secret","kind":"Secret","metadata":{"name":"a"}}`, asJSON, 400,
			"converting (v1.Secret) to (core.ConfigMap)",
		},
	}
	c := apitest.NewCluster(t)
	victim := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"victim"},"spec":{"containers":[{"name":"c","image":"nginx"}]}}`
	if res := c.Do(t, "POST "+apitest.PodsPath, victim, asJSON); res.Code != http.StatusCreated {
		t.Fatalf("the Pod was not created: %s", res.Body)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			started := time.Now()
			res := c.Do(t, tt.request, tt.body, tt.header)
			if res.Code != tt.code || !strings.Contains(res.Body, tt.says) {
				t.Errorf("answered %d %.300s; want %d, %q", res.Code, res.Body, tt.code, tt.says)
			}
			if took := time.Since(started); took > apitest.Patience {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// Comparing owner references takes linear time. Quadratic time would be an hour for these.
func TestHostileOwners(t *testing.T) {
	t.Parallel()
	refs := make([]string, 30_000)
	for i := range refs {
		refs[i] = fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","name":"p%d","uid":"u"}`, i)
	}
	body := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","ownerReferences":[` + strings.Join(refs, ",") + `]}}`
	started := time.Now()
	res := apitest.NewCluster(t).Do(t, "POST "+apitest.ConfigMapsPath, body, "Content-Type: application/json")
	if took := time.Since(started); res.Code != http.StatusCreated || took > apitest.Patience {
		t.Errorf("answered %d %.300s after %v", res.Code, res.Body, took)
	}
}
