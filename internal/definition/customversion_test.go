package definition_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

const gadgetsPath = "/apis/example.com/%s/namespaces/default/gadgets"

// TestCustomResources_InAnotherVersion: a write through a version loses fields that this version
// lacks, even in other parts of the object, and uses that version's defaults. An apply or a scale
// that changes nothing does not increment the generation, whatever the defaults are.
func TestCustomResources_InAnotherVersion(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Do("POST", definitionsPath, `{"metadata":{"name":"gadgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
		"names":{"plural":"gadgets","singular":"gadget","kind":"Gadget","listKind":"GadgetList"},"versions":[
		{"name":"v1beta1","served":true,"storage":false,
			"subresources":{"status":{},"scale":{"specReplicasPath":".spec.size","statusReplicasPath":".status.replicas"}},
			"schema":{"openAPIV3Schema":{"type":"object","properties":{
			"spec":{"type":"object","properties":{"size":{"type":"integer"},"mode":{"type":"string","default":"slow"}}},
			"status":{"type":"object","properties":{"phase":{"type":"string"}}}}}}},
		{"name":"v1","served":true,"storage":true,
			"subresources":{"status":{},"scale":{"specReplicasPath":".spec.size","statusReplicasPath":".status.replicas"}},
			"schema":{"openAPIV3Schema":{"type":"object","properties":{
			"spec":{"type":"object","properties":{"size":{"type":"integer"},"colour":{"type":"string"}}},
			"status":{"type":"object","properties":{"phase":{"type":"string"},"count":{"type":"integer"},"state":{"type":"string","default":"idle"}}}}}}}]}}`)
	s.Until("the definition is established", func() bool {
		code, answer := s.Try("GET", "/apis/example.com/v1", "")
		return code == http.StatusOK && strings.Contains(string(answer), `"gadgets"`)
	})
	old, current := strings.ReplaceAll(gadgetsPath, "%s", "v1beta1"), strings.ReplaceAll(gadgetsPath, "%s", "v1")
	s.Do("POST", current, `{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"null"},"spec":{"size":1}}`)
	if message := send(s, "PATCH", current+"/null/status?fieldManager=m", "application/apply-patch+yaml", `{"apiVersion":"example.com/v1","kind":"Gadget","status":null}`); message != "" {
		t.Error(message)
	}
	if answer := string(s.Do("GET", current+"/null", "")); strings.Contains(answer, `"status":null`) {
		t.Errorf("a null was stored: %s", answer)
	}
	if message := send(s, "PATCH", current+"/null/status", "application/merge-patch+json", `{"kind":"Other","status":{"phase":"New"}}`); message != "" {
		t.Error(message)
	}
	if answer := string(s.Do("GET", current+"/null", "")); !strings.Contains(answer, `"status":{"phase":"New","state":"idle"}`) {
		t.Errorf("the status of a body of another kind: %s", answer)
	}
	document := string(s.Do("GET", "/openapi/v3/apis/example.com/v1", ""))
	if strings.Contains(document, `protobuf":{"schema":{"$ref":"#/components/schemas/com.example`) ||
		strings.Contains(document, "stream=watch") || strings.Contains(document, "*/*") ||
		!strings.Contains(document, "application/yaml") {
		t.Errorf("OpenAPI has media types that are not for custom resources: %.2000s", document)
	}
	const apply, merge = "application/apply-patch+yaml", "application/merge-patch+json"
	whole := `{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"NAME"},"spec":{"size":1,"colour":"red"}}`
	for _, c := range []struct {
		name, path, media, body string
		want                    map[string]any
		generation              int64
	}{
		{"applied", "", apply, `{"apiVersion":"example.com/v1beta1","kind":"Gadget","spec":{"size":1}}`, map[string]any{"size": 1.0}, 1},
		{"changed", "", apply, `{"apiVersion":"example.com/v1beta1","kind":"Gadget","spec":{"size":2}}`, map[string]any{"size": 2.0}, 2},
		{"patched", "", merge, `{}`, map[string]any{"size": 1.0}, 2}, // it has a default
		{"scaled", "/scale", merge, `{"spec":{"replicas":1}}`, map[string]any{"size": 1.0}, 1},
		{"reported", "/status", merge, `{"status":{"phase":"Done"}}`, map[string]any{"size": 1.0}, 1},
	} {
		s.Do("POST", current, strings.ReplaceAll(whole, "NAME", c.name))
		send(s, "PATCH", current+"/"+c.name+"/status", merge, `{"status":{"phase":"New","count":3}}`)
		query := "?fieldManager=m"
		if c.media == apply {
			query += "&force=true"
		}
		if message := send(s, "PATCH", old+"/"+c.name+c.path+query, c.media, c.body); message != "" {
			t.Errorf("%s: %s", c.name, message)
		}
		var got struct {
			Metadata     struct{ Generation int64 }
			Spec, Status map[string]any
		}
		if err := json.Unmarshal(s.Do("GET", current+"/"+c.name, ""), &got); err != nil {
			t.Fatal(err)
		}
		if got.Metadata.Generation != c.generation || !cmp.Equal(c.want, got.Spec) || got.Status["count"] != nil || got.Status["phase"] == nil {
			t.Errorf("%s: generation %d, spec %v, status %v; want %d and %v", c.name, got.Metadata.Generation, got.Spec, got.Status, c.generation, c.want)
		}
	}
}

// TestCustomResources_Documents: the OpenAPI documents of custom resources say what upstream's say:
// no discovery, no group of its own, a scale of their kind, and shared schemas without the defaults
// of list items.
func TestCustomResources_Documents(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Do("POST", definitionsPath, `{"metadata":{"name":"gadgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
		"names":{"plural":"gadgets","singular":"gadget","kind":"Gadget","listKind":"GadgetList"},"versions":[
		{"name":"v1","served":true,"storage":true,"subresources":{"scale":{"specReplicasPath":".spec.size","statusReplicasPath":".status.replicas"}},
			"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"size":{"type":"integer"}}}}}}}]}}`)
	var index struct{ Paths map[string]any }
	s.Until("the index has the document", func() bool {
		s.Get("/openapi/v3", &index)
		return index.Paths["apis/example.com/v1"] != nil
	})
	if index.Paths["apis/example.com"] != nil || index.Paths["apis/apps"] == nil {
		t.Errorf("the index has these documents of groups: %v", index.Paths)
	}
	var document struct {
		Info  struct{ Title string }
		Paths map[string]struct {
			Put *struct {
				Kind struct{ Group, Version, Kind string } `json:"x-kubernetes-group-version-kind"`
			}
			Parameters []struct{ Name, Description string }
		}
		Components struct {
			SecuritySchemes map[string]any
			Schemas         map[string]struct {
				Properties map[string]struct{ Items map[string]any }
			}
		}
	}
	s.Get("/openapi/v3/apis/example.com/v1", &document)
	const all = "/apis/example.com/v1/gadgets"
	const one = "/apis/example.com/v1/namespaces/{namespace}/gadgets"
	paths := slices.Sorted(maps.Keys(document.Paths))
	if diff := cmp.Diff([]string{all, one, one + "/{name}", one + "/{name}/scale"}, paths); diff != "" {
		t.Fatalf("paths (-want +got):\n%s", diff)
	}
	scale := document.Paths[one+"/{name}/scale"]
	if k := scale.Put.Kind; k.Group != "example.com" || k.Kind != "Gadget" || scale.Parameters[0].Description != "name of the Gadget" {
		t.Errorf("the scale is one of %v, with the parameters %v", k, scale.Parameters)
	}
	owners := document.Components.Schemas["io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"].Properties["ownerReferences"].Items
	if document.Info.Title != "Kubernetes CRD Swagger" || len(document.Components.SecuritySchemes) > 0 || owners["$ref"] == nil || owners["default"] != nil {
		t.Errorf("info %v, security %v, owners %v", document.Info, document.Components.SecuritySchemes, owners)
	}
}
