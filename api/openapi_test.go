package api_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/api/kube/discovery"
	"github.com/rowlock/rowlock/api/kube/openapi"
	"github.com/rowlock/rowlock/internal/kind/builtin"
)

// The document of all operations has unique operation IDs, no dangling references, and every kind
// of the catalogue.
func TestOpenAPIYAML(t *testing.T) {
	t.Parallel()
	doc, err := api.OpenAPIYAML(nil)
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := yaml.Unmarshal(doc, &root); err != nil {
		t.Fatal(err)
	}

	ids := map[string]string{}
	for path, item := range root["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			at := method + " " + path
			id, _ := op.(map[string]any)["operationId"].(string)
			if other, taken := ids[id]; taken || id == "" {
				t.Errorf("%s and %s both have the id %q", at, other, id)
			}
			ids[id] = at
		}
	}
	for _, want := range []string{"listCoreV1NamespacedConfigMap", "readCoreV1Namespace", "replaceCoreV1NamespaceFinalize", "patchAppsV1NamespacedDeploymentScale", "getReadyz", "getAPIVersions"} {
		if ids[want] == "" {
			t.Errorf("there is no operation %s", want)
		}
	}

	var missing []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok && lookUp(root, ref) == nil {
				missing = append(missing, ref)
			}
			for _, child := range v {
				walk(child)
			}
		case []any:
			for _, child := range v {
				walk(child)
			}
		}
	}
	walk(root)
	if len(missing) > 0 {
		t.Errorf("dangling references: %v", missing)
	}
	if s := lookUp(root, "#/components/schemas/io.k8s.api.apps.v1.Deployment"); s == nil || lookUp(root, "#/components/schemas/io.k8s.api.apps.v1.Deployment/properties/apiVersion") == nil {
		t.Errorf("the schema of Deployment does not inline its TypeMeta: %v", s)
	}
	for _, odd := range []string{"TypeMeta", "VolumeSource"} {
		if strings.Contains(string(doc), fmt.Sprintf("\n        %s:", odd)) {
			t.Errorf("%s is a property of something", odd)
		}
	}
}

// lookUp resolves a reference in the document.
func lookUp(doc map[string]any, ref string) any {
	var at any = doc
	for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		m, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = m[part]
	}
	return at
}

// BenchmarkNew measures the registration of all operations, which is part of every start.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		apitest.NewHandler()
	}
}

// Kubernetes' documents, which kubectl uses for explain and validation, are served for every kind.
func TestKubernetesDocuments(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	index := c.Do(t, "GET /openapi/v3", "")
	for _, path := range []string{"api/v1", "apis/apps/v1"} {
		if !strings.Contains(index.Body, `"`+path+`"`) {
			t.Errorf("the index lacks %s: %d %s", path, index.Code, index.Body)
		}
		if res := c.Do(t, "GET /openapi/v3/"+path, ""); res.Code != 200 || !strings.Contains(res.Body, "x-kubernetes-group-version-kind") {
			t.Errorf("%s was answered with %d", path, res.Code)
		}
	}
	if res := c.Do(t, "GET /openapi/v2", ""); res.Code != 200 || !strings.Contains(res.Body, "io.k8s.api.apps.v1.Deployment") {
		t.Errorf("/openapi/v2 was answered with %d", res.Code)
	}
}

// TestETags_AreThoseOfTheDocuments: those that are part of the program are up to date.
func TestETags_AreThoseOfTheDocuments(t *testing.T) {
	t.Parallel()
	want, err := openapi.ETags(discovery.Served(builtin.Catalogue()))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("etags.json")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("api/etags.json is stale: run make generate (-want +got):\n%s", diff)
	}
}

// A path may have a trailing slash.
func TestTrailingSlash(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	for _, path := range []string{"/api", "/apis", "/api/v1/namespaces", "/api/v1/namespaces/default"} {
		with, without := c.Do(t, "GET "+path+"/", ""), c.Do(t, "GET "+path, "")
		if with.Code != 200 || with.Body != without.Body {
			t.Errorf("%s/ was answered with %d %s", path, with.Code, with.Body)
		}
	}
}
