package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/api"
	"google.golang.org/protobuf/encoding/protowire"
)

const podsPath = "/api/v1/namespaces/default/pods"

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
		{"a vast quantity", "POST " + podsPath, pod(`"1e2147483647"`), asJSON, 400, "quantities must match"},
		{"a tiny quantity", "POST " + podsPath, pod(`"1E-999999999"`), asJSON, 400, "quantities must match"},
		{"a vast number", "POST " + podsPath, pod(`1e2147483647`), asJSON, 400, "quantities must match"},
		{"a long quantity", "POST " + podsPath, pod(`"` + strings.Repeat("9", 100_000) + `"`), asJSON, 400, "quantities must match"},
		{"a vast quantity in YAML", "POST " + podsPath, pod(`"1e2147483647"`), yamlBody, 400, "quantities must match"},
		{"a vast quantity in protobuf", "POST " + podsPath, protobufPod, "Content-Type: application/vnd.kubernetes.protobuf", 400, "quantities must match"},
		{"a vast quantity in a merge patch", "PATCH " + podsPath + "/victim", `{"spec":{"overhead":{"cpu":"1e2147483647"}}}`, mergePatch, 422, "quantities must match"},
		{"a vast quantity in a strategic patch", "PATCH " + podsPath + "/victim", `{"spec":{"overhead":{"cpu":"1e2147483647"}}}`, strategic, 422, "quantities must match"},
		{"what only looks like one", "POST " + configMaps, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"hash"},"data":{"a":"12e4567890"}}`, asJSON, 201, "12e4567890"},
		{"a list as a merge key", "PATCH " + podsPath + "/victim", `{"spec":{"containers":[{"name":[1]}]}}`, strategic, 400, "cannot apply the patch"},
		{"a map as a merge key", "PATCH " + podsPath + "/victim", `{"spec":{"containers":[{"name":{"a":1}}]}}`, strategic, 400, "cannot apply the patch"},
		{"a deep patch", "PATCH " + podsPath + "/victim", strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000), mergePatch, 400, "exceeded max depth"},
		{"aliases of a long string", "POST " + configMaps, "a: &a " + strings.Repeat("x", 1_000_000) + "\nb: [" + strings.Repeat("*a, ", 300) + "*a]\n", yamlBody, 400, "excessive aliasing"},
		{"aliases in what is applied", "PATCH " + podsPath + "/victim?fieldManager=x", "a: &a " + strings.Repeat("x", 1_000_000) + "\nb: [" + strings.Repeat("*a, ", 300) + "*a]\n", applied, 400, "excessive aliasing"},
		{"a billion laughs applied", "PATCH " + podsPath + "/victim?fieldManager=x", laughs(), applied, 400, "excessive aliasing"},
		{"deep brackets applied", "PATCH " + podsPath + "/victim?fieldManager=x", strings.Repeat("[", 9000), applied, 400, "exceeded max depth"},
		{"a deep list applied", "PATCH " + podsPath + "/victim?fieldManager=x", "a:\n" + strings.Repeat("- ", 100_000) + "x", applied, 400, "exceeded max depth"},
		{"a vast quantity applied", "PATCH " + podsPath + "/victim?fieldManager=x", pod(`"1e2147483647"`), applied, 400, "quantities must match"},
		{"a set of many applied", "PATCH " + configMaps + "/a?fieldManager=x", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":[` + strings.Repeat(`"example.com/a",`, 20_000) + `"example.com/b"` + `]}}`, applied, 413, "no list and no map"},
		{"many small containers", "POST " + podsPath, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"many"},"spec":{"containers":[` + strings.Repeat("{},", 500_000) + `{}]}}`, asJSON, 413, "all lists and maps together"},
		{"many small containers in YAML", "POST " + podsPath, "apiVersion: v1\nkind: Pod\nmetadata: {name: many}\nspec:\n  containers:\n" + strings.Repeat("  - {}\n", 250_000), yamlBody, 413, "all lists and maps together"},
		{"many small containers in protobuf", "POST " + podsPath, manyContainers(500_000), "Content-Type: application/vnd.kubernetes.protobuf", 413, "all lists and maps together"},
		{"many finalizers", "POST " + configMaps, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"many","finalizers":[` + strings.Repeat(`"a",`, 500_000) + `"a"]}}`, asJSON, 413, "all lists and maps together"},
		{"many containers in a merge patch", "PATCH " + podsPath + "/victim", `{"spec":{"containers":[` + strings.Repeat("{},", 500_000) + `{}]}}`, mergePatch, 413, "all lists and maps together"},
		{"many commas in a text", "POST " + configMaps, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"commas"},"data":{"a":"` + strings.Repeat(",", 900_000) + `"}}`, asJSON, 201, "commas"},
		{"another kind with a field twice", "POST " + configMaps, `{"apiVersion":"v1","kind":"Secret","kind":"Secret","metadata":{"name":"a"}}`, asJSON, 400, "converting (v1.Secret) to (core.ConfigMap)"},
	}
	c := newCluster(t)
	victim := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"victim"},"spec":{"containers":[{"name":"c","image":"nginx"}]}}`
	if res := c.do(t, "POST "+podsPath, victim, asJSON); res.code != http.StatusCreated {
		t.Fatalf("the Pod was not created: %s", res.body)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			started := time.Now()
			res := c.do(t, tt.request, tt.body, tt.header)
			if res.code != tt.code || !strings.Contains(res.body, tt.says) {
				t.Errorf("answered %d %.300s; want %d, %q", res.code, res.body, tt.code, tt.says)
			}
			if took := time.Since(started); took > patience {
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
	res := newCluster(t).do(t, "POST "+configMaps, body, "Content-Type: application/json")
	if took := time.Since(started); res.code != http.StatusCreated || took > patience {
		t.Errorf("answered %d %.300s after %v", res.code, res.body, took)
	}
}

// A client that never finishes its body gets an answer at the deadline.
func TestHostileSlowBody(t *testing.T) {
	t.Parallel()
	c := newCluster(t, func(d *api.Deps) { d.Limits.BodyTimeout = 100 * time.Millisecond })
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // read only
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "POST "+configMaps+" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), `"reason":"BadRequest"`) {
		t.Errorf("answered %d %s, %v; want 400", res.StatusCode, body, err)
	}
}

// An HTTP/2 watch without events outlives the timeout for slow clients.
func TestIdleWatchOverHTTP2(t *testing.T) {
	t.Parallel()
	const slow = 200 * time.Millisecond
	c := newCluster(t, func(d *api.Deps) { d.Kube.SlowAfter = slow })
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	server := httptest.NewUnstartedServer(c.handler)
	server.Config.Protocols = protocols
	server.Start()
	t.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{Protocols: protocols}}
	t.Cleanup(client.CloseIdleConnections)

	res, err := client.Get(server.URL + "/api/v1/pods?watch=1&timeoutSeconds=1")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	if res.ProtoMajor != 2 {
		t.Fatalf("spoke %s", res.Proto)
	}
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Errorf("the watch did not last its second: %v", err)
	}
}

// A watch may have a timeout of more seconds than a duration can hold.
func TestWatchForAges(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	res, err := http.Get(c.url + "/api/v1/pods?watch=1&timeoutSeconds=9223372036854775807")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	if res.StatusCode != http.StatusOK {
		t.Errorf("answered %s", res.Status)
	}
}
