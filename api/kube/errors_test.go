package kube_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/api/kube/wire"
)

// Each rejected request is answered with exactly this Status and changes nothing.
func TestErrors(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 254)
	tests := []struct {
		name, request, body string
		headers             []string
		want                string
	}{
		{name: "malformed JSON", request: "POST " + apitest.ConfigMapsPath, body: `{"metadata":{`,
			want: `400 BadRequest the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input ({"metadata":{)`},
		{name: "malformed JSON that says its kind", request: "POST " + apitest.ConfigMapsPath, body: `{"kind":"ConfigMap","apiVersion":"v1"`,
			want: `400 BadRequest the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; ` +
				`json parse error: unexpected end of JSON input ({"kind":"ConfigMap","apiVersio ...)`},
		{name: "empty body", request: "POST " + apitest.ConfigMapsPath, body: ``,
			want: `400 BadRequest the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`},
		{name: "malformed YAML", request: "POST " + apitest.ConfigMapsPath, body: "metadata: [", headers: []string{apitest.YAMLBody},
			want: `400 BadRequest the object provided is unrecognized (must be of type ConfigMap): yaml: line 1: did not find expected node content (6d657461646174613a205b)`},
		{name: "wrong type", request: "POST " + apitest.ConfigMapsPath, body: `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x"},"data":[]}`,
			want: `400 BadRequest ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string`},
		{name: "another kind", request: "POST " + apitest.ConfigMapsPath, body: `{"kind":"Secret","apiVersion":"v1","metadata":{"name":"x"}}`,
			want: `400 BadRequest Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion`},
		{name: "unknown kind", request: "POST " + apitest.ConfigMapsPath, body: `{"kind":"Foo","apiVersion":"v1","metadata":{"name":"x"}}`,
			want: `400 BadRequest Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"`},
		{name: "unknown field, strictly", request: "POST " + apitest.ConfigMapsPath + "?fieldValidation=Strict",
			body: `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x"},"foo":1,"data":{"a":"1","a":"2"}}`,
			want: `400 BadRequest ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "foo", duplicate field "data.a"`},
		{name: "unknown field in YAML, strictly", request: "POST " + apitest.ConfigMapsPath + "?fieldValidation=Strict",
			body:    "kind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\nfoo: 1\ndata:\n  a: one\n  a: two\n",
			headers: []string{apitest.YAMLBody},
			want: `400 BadRequest ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:
  line 7: key "a" already set in map, unknown field "foo"`},
		{name: "bad directive", request: "POST " + apitest.ConfigMapsPath + "?fieldValidation=Maybe", body: `{"metadata":{"name":"x"}}`,
			want: `422 Invalid CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"
about CreateOptions.meta.k8s.io "", retry after 0s
cause FieldValueNotSupported fieldValidation`},
		{name: "bad dryRun", request: "POST " + apitest.ConfigMapsPath + "?dryRun=Some", body: `{"metadata":{"name":"x"}}`,
			want: `422 Invalid CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"
about CreateOptions.meta.k8s.io "", retry after 0s
cause FieldValueNotSupported dryRun`},
		{name: "long field manager", request: "POST " + apitest.ConfigMapsPath + "?fieldManager=" + strings.Repeat("m", 129), body: `{"metadata":{"name":"x"}}`,
			want: `422 Invalid CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes
about CreateOptions.meta.k8s.io "", retry after 0s
cause FieldValueTooLong fieldManager`},
		{name: "no name", request: "POST " + apitest.ConfigMapsPath, body: `{}`,
			want: `422 Invalid ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required
about ConfigMap "", retry after 0s
cause FieldValueRequired metadata.name`},
		{name: "name too long", request: "POST " + apitest.ConfigMapsPath, body: `{"metadata":{"name":"` + long + `"}}`,
			want: "422 Invalid ConfigMap \"" + long + "\" is invalid: metadata.name: Invalid value: \"" + long +
				"\": must be no more than 253 characters\nabout ConfigMap \"" + long +
				"\", retry after 0s\ncause FieldValueInvalid metadata.name"},
		{name: "other namespace", request: "POST " + apitest.ConfigMapsPath, body: `{"metadata":{"name":"x","namespace":"other"}}`,
			want: `400 BadRequest the namespace of the provided object does not match the namespace sent on the request`},
		{name: "missing namespace", request: "POST /api/v1/namespaces/nowhere/configmaps", body: `{"metadata":{"name":"x"}}`,
			want: `404 NotFound namespaces "nowhere" not found
about namespaces "nowhere", retry after 0s`},
		{name: "terminating namespace", request: "POST /api/v1/namespaces/ending/configmaps", body: `{"metadata":{"name":"x"}}`,
			want: `403 Forbidden configmaps "x" is forbidden: unable to create new content in namespace ending because it is being terminated
about configmaps "x", retry after 0s
cause NamespaceTerminating metadata.namespace`},
		{name: "unknown priority class", request: "POST /api/v1/namespaces/default/pods", body: `{"metadata":{"name":"x"},"spec":{"priorityClassName":"lead","containers":[]}}`,
			want: `403 Forbidden pods "x" is forbidden: no PriorityClass with name lead was found
about pods "x", retry after 0s`},
		{name: "unknown priority class, no name yet", request: "POST /api/v1/namespaces/default/pods", body: `{"metadata":{"generateName":"x-"},"spec":{"priorityClassName":"lead","containers":[]}}`,
			want: `403 Forbidden pods "x-" is forbidden: no PriorityClass with name lead was found
about pods "x-", retry after 0s`},
		{name: "second default priority class", request: "POST /apis/scheduling.k8s.io/v1/priorityclasses", body: `{"metadata":{"name":"x"},"globalDefault":true}`,
			want: `403 Forbidden priorityclasses.scheduling.k8s.io "x" is forbidden: PriorityClass base is already marked as default. Only one default can exist
about priorityclasses.scheduling.k8s.io "x", retry after 0s`},
		{name: "second default priority class, by an update", request: "PUT /apis/scheduling.k8s.io/v1/priorityclasses/other", body: `{"metadata":{"name":"other"},"globalDefault":true}`,
			want: `403 Forbidden priorityclasses.scheduling.k8s.io "other" is forbidden: PriorityClass base is already marked as default. Only one default can exist
about priorityclasses.scheduling.k8s.io "other", retry after 0s`},
		{name: "resourceVersion set", request: "POST " + apitest.ConfigMapsPath, body: `{"metadata":{"name":"x","resourceVersion":"1"}}`,
			want: `500  resourceVersion should not be set on objects to be created`},
		{name: "exists", request: "POST " + apitest.ConfigMapsPath, body: `{"metadata":{"name":"there"}}`,
			want: `409 AlreadyExists configmaps "there" already exists
about configmaps "there", retry after 0s`},
		{name: "unknown media type", request: "POST " + apitest.ConfigMapsPath, body: `<x/>`, headers: []string{"Content-Type: text/xml"},
			want: `415 UnsupportedMediaType the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf`},
		{name: "unwanted media type", request: "GET " + apitest.ConfigMapsPath, headers: []string{"Accept: text/html"},
			want: "406 NotAcceptable 406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, " +
				"application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"},
		{name: "unwanted parameter", request: "GET " + apitest.ConfigMapsPath, headers: []string{"Accept: application/json;sv=v2"},
			want: `406 NotAcceptable only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf`},
		{name: "protobuf of a table", request: "GET " + apitest.ConfigMapsPath, headers: []string{"Accept: application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1"},
			want: `406 NotAcceptable only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf`},
		{name: "body too large", request: "POST " + apitest.ConfigMapsPath, body: `{"metadata":{"name":"x"},"data":{"a":"` + strings.Repeat("x", wire.MaxBodyBytes) + `"}}`,
			want: `413 RequestEntityTooLarge Request entity too large: limit is 3145728`},
		{name: "unknown path", request: "GET /api/v1/foos",
			want: `404 NotFound the server could not find the requested resource`},
		{name: "unknown method", request: "POST " + apitest.ConfigMapsPath + "/there", body: `{}`,
			want: `405 MethodNotAllowed the server does not allow this method on the requested resource`},
		{name: "not found", request: "GET " + apitest.ConfigMapsPath + "/nothing",
			want: `404 NotFound configmaps "nothing" not found
about configmaps "nothing", retry after 0s`},
		{name: "get, bad resourceVersion", request: "GET " + apitest.ConfigMapsPath + "/there?resourceVersion=x",
			want: `500  resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax`},
		{name: "get, future resourceVersion", request: "GET " + apitest.ConfigMapsPath + "/there?resourceVersion=1000",
			want: `504 Timeout Timeout: Too large resource version: 1000, current: 6
about  "", retry after 1s
cause ResourceVersionTooLarge `},
		{name: "update, other name", request: "PUT " + apitest.ConfigMapsPath + "/there", body: `{"metadata":{"name":"x"}}`,
			want: `400 BadRequest the name of the object (x) does not match the name on the URL (there)`},
		{name: "update, no name", request: "PUT " + apitest.ConfigMapsPath + "/there", body: `{}`,
			want: `400 BadRequest the name of the object (there based on URL) was undeterminable: name must be provided`},
		{name: "update, not found", request: "PUT " + apitest.ConfigMapsPath + "/x", body: `{"metadata":{"name":"x"}}`,
			want: `404 NotFound configmaps "x" not found
about configmaps "x", retry after 0s`},
		{name: "update, stale", request: "PUT " + apitest.ConfigMapsPath + "/there", body: `{"metadata":{"name":"there","resourceVersion":"1"}}`,
			want: `409 Conflict Operation cannot be fulfilled on configmaps "there": the object has been modified; please apply your changes to the latest version and try again
about configmaps "there", retry after 0s`},
		{name: "update, other uid", request: "PUT " + apitest.ConfigMapsPath + "/there", body: `{"metadata":{"name":"there","uid":"other"}}`,
			want: `409 Conflict Operation cannot be fulfilled on configmaps "there": StorageError: invalid object, Code: 4, ` +
				`Key: /registry/configmaps/default/there, ResourceVersion: 0, ` +
				`AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: u
about configmaps "there", retry after 0s`},
		{name: "update, no number as resourceVersion", request: "PUT " + apitest.ConfigMapsPath + "/there", body: `{"metadata":{"name":"there","resourceVersion":"x"}}`,
			want: `500  strconv.ParseUint: parsing "x": invalid syntax`},
		{name: "update, immutable", request: "PUT " + apitest.ConfigMapsPath + "/fixed", body: `{"metadata":{"name":"fixed"},"data":{"a":"1"}}`,
			want: "422 Invalid ConfigMap \"fixed\" is invalid: [immutable: Forbidden: " +
				"field is immutable when `immutable` is set, data: Forbidden: field is immutable when `immutable` is set]\n" +
				"about ConfigMap \"fixed\", retry after 0s\ncause FieldValueForbidden immutable\ncause FieldValueForbidden data"},
		{name: "patch, unknown type", request: "PATCH " + apitest.ConfigMapsPath + "/there", body: `{}`, headers: []string{"Content-Type: application/json"},
			want: `415 UnsupportedMediaType 415: Unsupported Media Type`},
		{name: "patch, apply", request: "PATCH " + apitest.ConfigMapsPath + "/there?fieldManager=x", body: `{}`, headers: []string{"Content-Type: application/apply-patch+yaml"},
			want: `400 BadRequest invalid object type: /, Kind=`},
		{name: "patch, not found", request: "PATCH " + apitest.ConfigMapsPath + "/x", body: `{}`, headers: []string{apitest.MergePatch},
			want: `404 NotFound configmaps "x" not found
about configmaps "x", retry after 0s`},
		{name: "JSON patch, malformed", request: "PATCH " + apitest.ConfigMapsPath + "/there", body: `{}`, headers: []string{apitest.JSONPatch},
			want: `400 BadRequest error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp`},
		{name: "JSON patch, failing test", request: "PATCH " + apitest.ConfigMapsPath + "/there", body: `[{"op":"test","path":"/data/a","value":"2"}]`, headers: []string{apitest.JSONPatch},
			want: `422 Invalid the server rejected our request due to an error in our request`},
		{name: "JSON patch, too many operations", request: "PATCH " + apitest.ConfigMapsPath + "/there",
			body: "[" + strings.Repeat(`{"op":"test","path":"/kind","value":"ConfigMap"},`, 10000) +
				`{"op":"test","path":"/kind","value":"ConfigMap"}]`,
			headers: []string{apitest.JSONPatch},
			want:    `413 RequestEntityTooLarge Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001`},
		{name: "merge patch, malformed", request: "PATCH " + apitest.ConfigMapsPath + "/there", body: `{`, headers: []string{apitest.MergePatch},
			want: `400 BadRequest error decoding patch: unexpected end of JSON input`},
		{name: "merge patch, wrong type", request: "PATCH " + apitest.ConfigMapsPath + "/there", body: `{"data":"x"}`, headers: []string{apitest.MergePatch},
			want: `422 Invalid  "" is invalid: patch: Invalid value: ` +
				`"{\"apiVersion\":\"v1\",\"data\":\"x\",\"kind\":\"ConfigMap\",` +
				`\"metadata\":{\"resourceVersion\":\"3\",\"name\":\"there\",\"namespace\":\"default\",\"uid\":\"u\"}}": ` +
				`json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string
cause FieldValueInvalid patch`},
		{name: "merge patch, unknown field", request: "PATCH " + apitest.ConfigMapsPath + "/there?fieldValidation=Strict", body: `{"foo":"x"}`, headers: []string{apitest.MergePatch},
			want: `422 Invalid  "" is invalid: patch: Invalid value: ` +
				`"{\"apiVersion\":\"v1\",\"data\":{\"a\":\"1\"},\"foo\":\"x\",\"kind\":\"ConfigMap\",` +
				`\"metadata\":{\"resourceVersion\":\"3\",\"name\":\"there\",\"namespace\":\"default\",\"uid\":\"u\"}}": ` +
				`strict decoding error: unknown field "foo"
cause FieldValueInvalid patch`},
		{name: "merge patch, other resourceVersion", request: "PATCH " + apitest.ConfigMapsPath + "/there", body: `{"metadata":{"resourceVersion":"1"}}`, headers: []string{apitest.MergePatch},
			want: `409 Conflict Operation cannot be fulfilled on configmaps "there": the object has been modified; please apply your changes to the latest version and try again
about configmaps "there", retry after 0s`},
		{name: "merge patch, other uid", request: "PATCH " + apitest.ConfigMapsPath + "/there", body: `{"metadata":{"uid":"other"}}`, headers: []string{apitest.MergePatch},
			want: `422 Invalid ConfigMap "there" is invalid: metadata.uid: Invalid value: "other": field is immutable
about ConfigMap "there", retry after 0s
cause FieldValueInvalid metadata.uid
cause FieldValueInvalid metadata.uid`},
		{name: "merge patch, other name", request: "PATCH " + apitest.ConfigMapsPath + "/there", body: `{"metadata":{"name":"x"}}`, headers: []string{apitest.MergePatch},
			want: `400 BadRequest the name of the object (x) does not match the name on the URL (there)`},
		{name: "strategic merge patch, malformed", request: "PATCH " + apitest.ConfigMapsPath + "/there", body: `[]`, headers: []string{apitest.StrategicPatch},
			want: `400 BadRequest json: cannot unmarshal array into Go value of type map[string]interface {}`},
		{name: "strategic merge patch, bad directive", request: "PATCH " + apitest.ConfigMapsPath + "/there", body: `{"data":{"$patch":"x"}}`, headers: []string{apitest.StrategicPatch},
			want: `500  unknown patch type: x in map: map[$patch:x]`},
		{name: "list, bad label selector", request: "GET " + apitest.ConfigMapsPath + "?labelSelector=a%3D%3D%3Db",
			want: `400 BadRequest unable to parse requirement: found '=', expected: identifier`},
		{name: "list, bad field selector", request: "GET " + apitest.ConfigMapsPath + "?fieldSelector=x",
			want: `400 BadRequest invalid selector: 'x'; can't understand 'x'`},
		{name: "list, unknown field", request: "GET " + apitest.ConfigMapsPath + "?fieldSelector=data.a%3D1",
			want: `400 BadRequest "data.a" is not a known field selector: only "metadata.name", "metadata.namespace"`},
		{name: "list, unknown field of a kind with its own", request: "GET /api/v1/namespaces/default/events?fieldSelector=data.a%3D1",
			want: `400 BadRequest field label not supported: data.a`},
		{name: "list, bad limit", request: "GET " + apitest.ConfigMapsPath + "?limit=x",
			want: `400 BadRequest strconv.ParseInt: parsing "x": invalid syntax`},
		{name: "list, bad continue", request: "GET " + apitest.ConfigMapsPath + "?continue=x",
			want: `400 BadRequest invalid continue token: continue key is not valid: illegal base64 data at input byte 0`},
		{name: "list, match without resourceVersion", request: "GET " + apitest.ConfigMapsPath + "?resourceVersionMatch=Exact",
			want: `422 Invalid ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided
about ListOptions.meta.k8s.io "", retry after 0s
cause FieldValueForbidden resourceVersionMatch`},
		{name: "list, exactly 0", request: "GET " + apitest.ConfigMapsPath + "?resourceVersionMatch=Exact&resourceVersion=0",
			want: `422 Invalid ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"
about ListOptions.meta.k8s.io "", retry after 0s
cause FieldValueForbidden resourceVersionMatch`},
		{name: "list, unknown match", request: "GET " + apitest.ConfigMapsPath + "?resourceVersionMatch=Foo&resourceVersion=1",
			want: `422 Invalid ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Foo": supported values: "Exact", "NotOlderThan", ""
about ListOptions.meta.k8s.io "", retry after 0s
cause FieldValueNotSupported resourceVersionMatch`},
		{name: "list, exactly in the future", request: "GET " + apitest.ConfigMapsPath + "?resourceVersionMatch=Exact&resourceVersion=1000",
			want: `504 Timeout Timeout: Too large resource version: 1000, current: 6
cause ResourceVersionTooLarge `},
		{name: "list, sendInitialEvents", request: "GET " + apitest.ConfigMapsPath + "?sendInitialEvents=true",
			want: `422 Invalid ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list
about ListOptions.meta.k8s.io "", retry after 0s
cause FieldValueForbidden sendInitialEvents`},
		{name: "watch, sendInitialEvents without match", request: "GET " + apitest.ConfigMapsPath + "?watch=true&sendInitialEvents=true",
			want: `422 Invalid ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan
about ListOptions.meta.k8s.io "", retry after 0s
cause FieldValueForbidden resourceVersionMatch`},
		{name: "watch, match without sendInitialEvents", request: "GET " + apitest.ConfigMapsPath + "?watch=true&resourceVersionMatch=NotOlderThan&resourceVersion=1",
			want: `422 Invalid ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided
about ListOptions.meta.k8s.io "", retry after 0s
cause FieldValueForbidden resourceVersionMatch`},
		{name: "delete, not found", request: "DELETE " + apitest.ConfigMapsPath + "/x",
			want: `404 NotFound configmaps "x" not found
about configmaps "x", retry after 0s`},
		{name: "delete, other uid", request: "DELETE " + apitest.ConfigMapsPath + "/there", body: `{"preconditions":{"uid":"other"}}`,
			want: `409 Conflict Operation cannot be fulfilled on ConfigMap "there": ` +
				`the UID in the precondition (other) does not match the UID in record (u). ` +
				`The object might have been deleted and then recreated
about ConfigMap "there", retry after 0s`},
		{name: "delete, other resourceVersion", request: "DELETE " + apitest.ConfigMapsPath + "/there", body: `{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"resourceVersion":"1"}}`,
			want: `409 Conflict Operation cannot be fulfilled on ConfigMap "there": ` +
				`the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (3). ` +
				`The object might have been modified
about ConfigMap "there", retry after 0s`},
		{name: "delete, bad policy", request: "DELETE " + apitest.ConfigMapsPath + "/there?propagationPolicy=Sideways",
			want: `422 Invalid DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"
about DeleteOptions.meta.k8s.io "", retry after 0s
cause FieldValueNotSupported propagationPolicy`},
		{name: "delete, two policies", request: "DELETE " + apitest.ConfigMapsPath + "/there?propagationPolicy=Orphan&orphanDependents=true",
			want: `422 Invalid DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set
about DeleteOptions.meta.k8s.io "", retry after 0s
cause FieldValueInvalid propagationPolicy`},
		{name: "delete, other options", request: "DELETE " + apitest.ConfigMapsPath + "/there", body: `{"kind":"ConfigMap","apiVersion":"v1"}`,
			want: `400 BadRequest no kind "ConfigMap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"`},
		{name: "delete, immortal namespace", request: "DELETE /api/v1/namespaces/default",
			want: `403 Forbidden namespaces "default" is forbidden: this namespace may not be deleted
about namespaces "default", retry after 0s`},
	}
	c := apitest.NewCluster(t)
	c.Store(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ending"}, Status: corev1.NamespaceStatus{Phase: corev1.NamespaceTerminating}})
	c.Store(t, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "there", Namespace: "default", UID: "u"}, Data: map[string]string{"a": "1"}})
	c.Store(t, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "fixed", Namespace: "default", UID: "v"}, Immutable: new(true)})
	c.Store(t, &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "base", UID: "w"}, GlobalDefault: true})
	c.Store(t, &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "other", UID: "x"}, PreemptionPolicy: new(corev1.PreemptLowerPriority)})
	before := c.Revision()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := c.Do(t, tt.request, tt.body, tt.headers...)
			var got metav1.Status
			if err := json.Unmarshal([]byte(res.Body), &got); err != nil {
				t.Fatalf("no Status: %v\n%s", err, res.Body)
			}
			if diff := cmp.Diff(tt.want, apitest.FormatStatus(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if res.Code != int(got.Code) || got.Kind != "Status" || got.APIVersion != "v1" || got.Status != metav1.StatusFailure {
				t.Errorf("answered %d with %s", res.Code, res.Body)
			}
			if after := c.Revision(); after != before {
				t.Errorf("the revision went from %d to %d", before, after)
			}
		})
	}
}
