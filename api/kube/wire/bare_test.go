package wire_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/apitest"
)

// With omitManagedFields, a read returns everything but managedFields, in every format.
func TestOmitManagedFields(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	fields := []metav1.ManagedFieldsEntry{{Manager: "a-manager", Operation: "Update", APIVersion: "v1", FieldsType: "FieldsV1",
		FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:data":{"f:a-field":{},"k:{\"name\":\"x\"}":{}}}`)}}}
	cm := apitest.ConfigMap("a", "1")
	cm.ManagedFields, cm.Labels = fields, map[string]string{"managedFields": "kept"}
	c.Store(t, cm)
	event := &corev1.Event{InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "x"}, Reason: "Why", Type: "Normal"}
	event.Namespace, event.Name, event.UID, event.ManagedFields = "default", "e", "uid-e", fields
	c.Store(t, event)
	const (
		events  = "/apis/events.k8s.io/v1/namespaces/default/events"
		initial = "watch=true&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan"
		asYAML  = "Accept: application/yaml"
	)
	for _, row := range []struct{ path, query, accept string }{
		{apitest.ConfigMapsPath + "/a", "", ""},
		{apitest.ConfigMapsPath + "/a", "pretty=true", ""},
		{apitest.ConfigMapsPath + "/a", "", asYAML},
		{apitest.ConfigMapsPath + "/a", "", "Accept: " + apitest.Protobuf},
		{apitest.ConfigMapsPath + "/a", "", apitest.AsPartial},
		{apitest.ConfigMapsPath + "/a", "", apitest.AsTable},
		{apitest.ConfigMapsPath, "", ""},
		{apitest.ConfigMapsPath, "limit=1", "Accept: " + apitest.Protobuf},
		{apitest.ConfigMapsPath, "", asYAML},
		{apitest.ConfigMapsPath, "", apitest.AsList},
		{apitest.ConfigMapsPath, "", apitest.AsTable},
		{apitest.ConfigMapsPath, "includeObject=Object", apitest.AsTable},
		{apitest.ConfigMapsPath, "", "Accept: " + apitest.Protobuf + ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"},
		{apitest.ConfigMapsPath, initial, ""},
		{apitest.ConfigMapsPath, initial, apitest.AsTable},
		{apitest.ConfigMapsPath, initial, apitest.AsPartial},
		{apitest.ConfigMapsPath, initial, "Accept: " + apitest.Protobuf + ";stream=watch"},
		{events, "", ""},
		{events + "/e", "", ""},
		{events + "/e", "", "Accept: " + apitest.Protobuf},
		{events, "", apitest.AsTable},
		{events, "includeObject=Object", apitest.AsTable},
	} {
		t.Run(row.accept+" "+row.path+"?"+row.query, func(t *testing.T) {
			t.Parallel()
			get := func(omit string) string {
				res := c.Do(t, "GET "+row.path+"?"+row.query+"&omitManagedFields="+omit, "", row.accept)
				if res.Code != 200 {
					t.Fatalf("answers %d: %s", res.Code, res.Body)
				}
				return res.Body
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
	res := c.Do(t, "PUT "+apitest.ConfigMapsPath+"/a?omitManagedFields=true",
		`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","labels":{"a":"b"}}}`)
	if !strings.Contains(res.Body, "managedFields\":[") {
		t.Errorf("a write answers %d: %s", res.Code, res.Body)
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
