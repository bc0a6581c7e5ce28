package api_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// With omitManagedFields, a read returns everything but managedFields, in every format.
func TestOmitManagedFields(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	fields := []metav1.ManagedFieldsEntry{{Manager: "a-manager", Operation: "Update", APIVersion: "v1", FieldsType: "FieldsV1",
		FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:data":{"f:a-field":{},"k:{\"name\":\"x\"}":{}}}`)}}}
	cm := configMap("a", "1")
	cm.ManagedFields, cm.Labels = fields, map[string]string{"managedFields": "kept"}
	c.store(t, cm)
	event := &corev1.Event{InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "x"}, Reason: "Why", Type: "Normal"}
	event.Namespace, event.Name, event.UID, event.ManagedFields = "default", "e", "uid-e", fields
	c.store(t, event)
	const (
		events  = "/apis/events.k8s.io/v1/namespaces/default/events"
		initial = "watch=true&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan"
		asYAML  = "Accept: application/yaml"
	)
	for _, row := range []struct{ path, query, accept string }{
		{configMaps + "/a", "", ""},
		{configMaps + "/a", "pretty=true", ""},
		{configMaps + "/a", "", asYAML},
		{configMaps + "/a", "", "Accept: " + mediaProtobuf},
		{configMaps + "/a", "", asPartial},
		{configMaps + "/a", "", asTable},
		{configMaps, "", ""},
		{configMaps, "limit=1", "Accept: " + mediaProtobuf},
		{configMaps, "", asYAML},
		{configMaps, "", asList},
		{configMaps, "", asTable},
		{configMaps, "includeObject=Object", asTable},
		{configMaps, "", "Accept: " + mediaProtobuf + ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"},
		{configMaps, initial, ""},
		{configMaps, initial, asTable},
		{configMaps, initial, asPartial},
		{configMaps, initial, "Accept: " + mediaProtobuf + ";stream=watch"},
		{events, "", ""},
		{events + "/e", "", ""},
		{events + "/e", "", "Accept: " + mediaProtobuf},
		{events, "", asTable},
		{events, "includeObject=Object", asTable},
	} {
		t.Run(row.accept+" "+row.path+"?"+row.query, func(t *testing.T) {
			t.Parallel()
			get := func(omit string) string {
				res := c.do(t, "GET "+row.path+"?"+row.query+"&omitManagedFields="+omit, "", row.accept)
				if res.code != 200 {
					t.Fatalf("answers %d: %s", res.code, res.body)
				}
				return res.body
			}
			whole, bare := get("false"), get("true")
			if !strings.Contains(whole, "a-manager") || strings.Contains(bare, "a-manager") || strings.Contains(bare, "a-field") {
				t.Fatalf("with managedFields\n%s\nand without\n%s", whole, bare)
			}
			if strings.Contains(row.accept, "yaml") || strings.Contains(row.accept, "protobuf") {
				return
			}
			if diff := cmp.Diff(lines(t, whole, true), lines(t, bare, false)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if res := c.do(t, "PUT "+configMaps+"/a?omitManagedFields=true", `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","labels":{"a":"b"}}}`); !strings.Contains(res.body, "managedFields\":[") {
		t.Errorf("a write answers %d: %s", res.code, res.body)
	}
}

// lines returns the JSON values of an answer, without managedFields if strip is set.
func lines(t *testing.T, body string, strip bool) (all []any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(body))
	for d.More() {
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%v: %s", err, url.QueryEscape(body))
		}
		if strip {
			v = stripped(v)
		}
		all = append(all, v)
	}
	return all
}

func stripped(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = stripped(v[i])
		}
	case map[string]any:
		if _, list := v["managedFields"].([]any); list {
			delete(v, "managedFields")
		}
		for k := range v {
			v[k] = stripped(v[k])
		}
	}
	return v
}
