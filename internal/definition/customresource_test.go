package definition_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/test/history"
)

const (
	definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	widgetsPath     = "/apis/example.com/v1/namespaces/%s/widgets"
)

// define creates a definition of widgets and waits until it is established.
func define(s *clustertest.Site) {
	s.T.Helper()
	s.Do("POST", definitionsPath, `{"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
		"names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},
		"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
			"spec":{"type":"object","properties":{"size":{"type":"integer","default":3}}}}}}}]}}`)
	s.Until("the definition is established", func() bool {
		code, answer := s.Try("GET", "/apis/example.com/v1", "")
		return code == http.StatusOK && strings.Contains(string(answer), `"widgets"`)
	})
}

// widget creates one with additional metadata, and returns its uid.
func widget(s *clustertest.Site, namespace, name, more string) string {
	s.T.Helper()
	var o struct{ Metadata struct{ UID string } }
	if err := json.Unmarshal(s.Do("POST", fmt.Sprintf(widgetsPath, namespace), `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"`+name+`"`+more+`},"spec":{}}`), &o); err != nil {
		s.T.Fatal(err)
	}
	return o.Metadata.UID
}

// TestSnapshot_CustomResources: snapshots and forks contain a definition and its objects, even if
// the objects are older than the definition's last change, and continue with them.
func TestSnapshot_CustomResources(t *testing.T) {
	t.Parallel()
	source := clustertest.Open(t, pgtest.NewURL(t))
	define(source)
	source.Pause()
	source.Do("POST", "/api/v1/namespaces/default/resourcequotas", `{"metadata":{"name":"few"},"spec":{"hard":{"count/widgets.example.com":"2"}}}`)
	widget(source, "default", "a", "")
	definition := source.Do("GET", definitionsPath+"/widgets.example.com", "")
	source.Do("PUT", definitionsPath+"/widgets.example.com", strings.Replace(string(definition), `"default":3`, `"default":4`, 1))
	source.Advance("1s")
	read := func(s *clustertest.Site) map[string]string {
		return map[string]string{
			"definitions": string(s.Do("GET", definitionsPath, "")), "widgets": string(s.Do("GET", "/apis/example.com/v1/widgets", "")),
			"quotas": string(s.Do("GET", "/api/v1/resourcequotas", "")),
		}
	}
	want := read(source)
	source.Do("POST", "/rowlock/v1/snapshots", `{"name":"one"}`)
	file := source.Do("GET", "/rowlock/v1/snapshots/one/file", "")
	loaded := clustertest.Open(t, pgtest.NewURL(t))
	loaded.Do("PUT", "/rowlock/v1/snapshots/given/file", string(file))
	loaded.Do("POST", "/rowlock/v1/snapshots/given/load", `{}`)
	for what, s := range map[string]*clustertest.Site{"loaded": loaded, "a fork": source.Fork("copy", "")} {
		clustertest.Same(t, what, want, read(s))
		widget(s, "default", "b", "")
		message := s.Refused(http.StatusForbidden, "POST", fmt.Sprintf(widgetsPath, "default"),
			`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"c"}}`)
		if !strings.Contains(message, "exceeded quota: few") {
			t.Errorf("%s: %s", what, message)
		}
		s.Do("DELETE", definitionsPath+"/widgets.example.com", "")
		s.Advance("1s")
		s.Gone(definitionsPath + "/widgets.example.com")
	}
	if diff := cmp.Diff(want, read(source)); diff != "" {
		t.Errorf("what copies do comes to the source:\n%s", diff)
	}
}

// TestCustomResources_Dependents: the garbage collector and the deletion of a namespace treat
// custom resources like all objects, and a quota that is older than the definition counts them.
func TestCustomResources_Dependents(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	s := clustertest.Open(t, url)
	s.Do("POST", "/api/v1/namespaces", `{"metadata":{"name":"team"}}`)
	s.Do("POST", "/api/v1/namespaces/team/resourcequotas", `{"metadata":{"name":"few"},"spec":{"hard":{"count/widgets.example.com":"3"}}}`)
	define(s)
	owned := func(kind, apiVersion, name, uid string) string {
		return fmt.Sprintf(`,"ownerReferences":[{"apiVersion":%q,"kind":%q,"name":%q,"uid":%q}]`, apiVersion, kind, name, uid)
	}
	owner := widget(s, "team", "owner", "")
	widget(s, "team", "child", owned("Widget", "example.com/v1", "owner", owner))
	s.Do("POST", "/api/v1/namespaces/team/configmaps", `{"metadata":{"name":"note"`+owned("Widget", "example.com/v1", "owner", owner)+`}}`)
	widget(s, "team", "free", "")
	used := func(n string) func() bool {
		return func() bool {
			var q struct {
				Status struct{ Used map[string]string }
			}
			s.Get("/api/v1/namespaces/team/resourcequotas/few", &q)
			return q.Status.Used["count/widgets.example.com"] == n
		}
	}
	s.Until("three are counted", used("3"))
	s.Refused(http.StatusForbidden, "POST", fmt.Sprintf(widgetsPath, "team"), `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"fourth"}}`)
	s.Do("DELETE", fmt.Sprintf(widgetsPath, "team")+"/owner", "")
	for _, path := range []string{fmt.Sprintf(widgetsPath, "team") + "/child", "/api/v1/namespaces/team/configmaps/note"} {
		s.Gone(path)
	}
	s.Until("one is counted", used("1"))
	s.Do("DELETE", "/api/v1/namespaces/team", "")
	s.Gone("/api/v1/namespaces/team")
	s.Gone(fmt.Sprintf(widgetsPath, "team") + "/free")
	for _, v := range history.Quotas(clustertest.Log(t, url)) {
		t.Error(v)
	}
}

// TestCustomResources_Past: lists and discovery of an earlier revision know the kinds of that
// revision, on a replica that was running then and on one that was not. A watch ends with the
// change of its definition, after sending everything before it.
func TestCustomResources_Past(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	s := clustertest.Open(t, url)
	define(s)
	changed := s.Watch("/apis/example.com/v1/widgets?resourceVersion=1")
	widget(s, "default", "a", "")
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	s.Get("/apis/example.com/v1/widgets", &list)
	definition := s.Do("GET", definitionsPath+"/widgets.example.com", "")
	s.Do("PUT", definitionsPath+"/widgets.example.com", strings.Replace(string(definition), `"default":3`, `"default":4`, 1))
	events := func(watch *bufio.Scanner) (all []string) {
		for watch.Scan() {
			var e struct {
				Type   string
				Object struct{ Metadata struct{ Name string } }
			}
			if err := json.Unmarshal(watch.Bytes(), &e); err != nil {
				t.Fatal(err)
			}
			all = append(all, e.Type+" "+e.Object.Metadata.Name)
		}
		return all
	}
	if diff := cmp.Diff([]string{"ADDED a"}, events(changed)); diff != "" {
		t.Errorf("a watch whose definition changed: %s", diff)
	}
	gone := s.Watch("/apis/example.com/v1/widgets?resourceVersion=" + list.Metadata.ResourceVersion)
	s.Do("DELETE", definitionsPath+"/widgets.example.com", "")
	if diff := cmp.Diff([]string{"DELETED a"}, events(gone)); diff != "" {
		t.Errorf("a watch whose definition went: %s", diff)
	}
	s.Gone(definitionsPath + "/widgets.example.com")
	late := clustertest.Open(t, url)
	exactly := "?resourceVersionMatch=Exact&resourceVersion="
	for what, s := range map[string]*clustertest.Site{"there": s, "late": late} {
		if got := string(s.Do("GET", "/apis/example.com/v1/widgets"+exactly+list.Metadata.ResourceVersion, "")); !strings.Contains(got, `"size":3`) {
			t.Errorf("%s: the widgets at that revision are %s", what, got)
		}
		if got := string(s.Do("GET", "/apis/example.com/v1"+exactly+list.Metadata.ResourceVersion, "")); !strings.Contains(got, `"name":"widgets"`) {
			t.Errorf("%s: the kinds at that revision are %s", what, got)
		}
		describedExactly(s, what, exactly+list.Metadata.ResourceVersion)
		if got := string(s.Do("GET", "/openapi/v2"+exactly+"1", "")); strings.Contains(got, "com.example.v1.Widget") {
			t.Errorf("%s: the first revision's document has widgets", what)
		}
		s.Refused(http.StatusGatewayTimeout, "GET", "/openapi/v3"+exactly+"1000000", "")
		if got := string(s.Do("GET", "/apis"+exactly+"1", "")); strings.Contains(got, "example.com") {
			t.Errorf("%s: the groups of the first revision are %s", what, got)
		}
		s.Refused(http.StatusGatewayTimeout, "GET", "/apis"+exactly+"1000000", "")
		s.Refused(http.StatusBadRequest, "GET", "/apis"+exactly+"x", "")
		if code, _ := s.Try("GET", "/apis/example.com/v1/widgets"+exactly+"1", ""); code != http.StatusNotFound {
			t.Errorf("%s: before the definition there were widgets: %d", what, code)
		}
	}
}

// describedExactly checks that the widgets of an earlier revision, whose size defaults to 3, are in
// that revision's OpenAPI documents.
func describedExactly(s *clustertest.Site, what, query string) {
	s.T.Helper()
	var index struct {
		Paths map[string]struct{ ServerRelativeURL string }
	}
	s.Get("/openapi/v3"+query, &index)
	if path := index.Paths["apis/example.com/v1"].ServerRelativeURL; !strings.Contains(string(s.Do("GET", path, "")), `"default":3`) {
		s.T.Errorf("%s: %s does not describe the widgets of that revision", what, path)
	}
	if !strings.Contains(string(s.Do("GET", "/openapi/v2"+query, "")), "com.example.v1.Widget") {
		s.T.Errorf("%s: that revision's document has no widgets", what)
	}
	if code, _ := s.Try("GET", "/openapi/v3/apis/example.com/v1", ""); code != http.StatusNotFound {
		s.T.Errorf("%s: the document of now is answered with %d", what, code)
	}
}

// TestCustomResources_DefinitionGoesWhileTheyCome: clients of two replicas write objects of a
// definition that is deleted, and the replica that deletes it stops at once. No object is left
// without a definition, and none is created after it.
func TestCustomResources_DefinitionGoesWhileTheyCome(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	first, second := clustertest.Open(t, url), clustertest.Open(t, url)
	define(first)
	second.Until("the other replica serves it", func() bool {
		code, _ := second.Try("GET", "/apis/example.com/v1/widgets", "")
		return code == http.StatusOK
	})
	var wg sync.WaitGroup
	started := make(chan struct{}, 6)
	write := func(s *clustertest.Site, prefix string) {
		wg.Go(func() {
			defer func() { started <- struct{}{} }()
			for i := range 500 {
				if i == 10 {
					started <- struct{}{}
				}
				code, answer := s.Try("POST", fmt.Sprintf(widgetsPath, "default"), fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"%s-%d"}}`, prefix, i))
				switch code {
				case http.StatusCreated:
				case http.StatusMethodNotAllowed, http.StatusForbidden, http.StatusNotFound:
					return
				default:
					t.Errorf("%s-%d: %d %s", prefix, i, code, answer)
					return
				}
			}
		})
	}
	third := clustertest.Open(t, url)
	write(second, "a")
	write(second, "b")
	write(third, "c")
	for range 3 {
		<-started
	}
	first.Do("DELETE", definitionsPath+"/widgets.example.com", "")
	first.Close()
	wg.Wait()
	second.Gone(definitionsPath + "/widgets.example.com")
	for _, v := range history.Definitions(clustertest.Log(t, url)) {
		t.Error(v)
	}
}

// TestCustomResources_OfAnotherKind: the object's kind, version and uid in a request are checked,
// and the answers are upstream's.
func TestCustomResources_OfAnotherKind(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	define(s)
	widget(s, "default", "a", "")
	path := fmt.Sprintf(widgetsPath, "default") + "/a"
	var made struct {
		Metadata struct{ ResourceVersion string }
	}
	if err := json.Unmarshal(s.Do("GET", path, ""), &made); err != nil {
		t.Fatal(err)
	}
	revision := made.Metadata.ResourceVersion
	const merge, patch = "application/merge-patch+json", "application/json-patch+json"
	for _, c := range []struct{ method, media, body, want string }{
		{"PATCH", merge, `{"kind":"Gadget"}`, `Gadget.example.com "a" is invalid: kind: Invalid value: "Gadget": must be Widget`},
		{"PATCH", merge, `{"apiVersion":"v1"}`, `Widget "a" is invalid: apiVersion: Invalid value: "v1": must be example.com/v1`},
		{"PATCH", merge, `{"apiVersion":null}`, `Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'`},
		{"PATCH", patch, `[{"op":"remove","path":"/apiVersion"}]`, `Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'`},
		{"PATCH", patch, `[{"op":"replace","path":"/metadata","value":{}},{"op":"remove","path":"/apiVersion"}]`, `the name of the object (a based on URL) was undeterminable: name must be provided`},
		{"PATCH", patch, `[{"op":"remove","path":"/kind"}]`, `Object 'Kind' is missing in '{"apiVersion":"example.com/v1","metadata":{"creationTimestamp":`},
		{
			"PUT", "application/json",
			`{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"a","resourceVersion":"REVISION"}}`,
			`Gadget.example.com "a" is invalid: kind: Invalid value: "Gadget": must be Widget`,
		},
		{
			"PUT", "application/json", `{"apiVersion":"example.com/v9","kind":"Widget","metadata":{"name":"a"},"spec":{}}`,
			`the API version in the data (example.com/v9) does not match the expected API version (example.com/v1)`,
		},
		{"PUT", "application/json", `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","uid":"other"}}`, `Key: /registry/example.com/widgets/default/a, `},
	} {
		if answer := send(s, c.method, path, c.media, strings.ReplaceAll(c.body, "REVISION", revision)); !strings.Contains(answer, c.want) {
			t.Errorf("%s: the answer is %s, want %s", c.body, answer, c.want)
		}
	}
	// For an unknown version, all fields are unknown.
	answer := send(s, "PUT", path+"?fieldValidation=Strict", "application/json",
		`{"apiVersion":"example.com/v9","kind":"Widget","metadata":{"name":"a"},"spec":{}}`)
	if !strings.HasSuffix(answer, `strict decoding error: unknown field "spec"`) {
		t.Errorf("a version that is not there: %s", answer)
	}
	// A missing version is reported before repeated fields.
	answer = send(s, "PUT", path+"?fieldValidation=Strict", "application/json",
		`{"kind":"Widget","metadata":{"name":"a"},"spec":{"size":1,"size":2}}`)
	if answer != "Object 'apiVersion' is missing in 'object has no apiVersion field'" {
		t.Errorf("no version and a repeated field: %s", answer)
	}
	// The object in the text has its fields ordered by name.
	answer = send(s, "PATCH", path+"?fieldValidation=Strict", merge, `{"spec":{"unknown":1}}`)
	at := -1
	for _, name := range []string{`apiVersion`, `kind`, `metadata`, `creationTimestamp`, `generation`, `managedFields`, `name`, `namespace`, `resourceVersion`, `uid`, `spec`, `size`} {
		next := strings.Index(answer[at+1:], name+`\":`)
		if next < 0 {
			t.Fatalf("%s is not where it belongs: %s", name, answer)
		}
		at += 1 + next
	}
}

// send returns the message in the answer to a request with a body of a media type.
func send(s *clustertest.Site, method, path, media, body string) string {
	s.T.Helper()
	req, err := http.NewRequestWithContext(s.T.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.T.Fatal(err)
	}
	req.Header.Set("Content-Type", media)
	res, err := s.Client.Do(req)
	if err != nil {
		s.T.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // it is only read
	var status struct{ Message string }
	if err := json.NewDecoder(res.Body).Decode(&status); err != nil {
		s.T.Fatal(err)
	}
	return status.Message
}
