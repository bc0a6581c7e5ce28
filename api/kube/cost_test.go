package kube_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
)

// repeated joins n copies of piece, each formatted with its index.
func repeated(n int, piece string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(piece, "#", fmt.Sprint(i))
	}
	return strings.Join(all, ",")
}

// The time to reject an object grows only linearly with its number of errors, and the size of the
// answer is bounded.
func TestCost_ManyErrors(t *testing.T) {
	t.Parallel()
	const asJSON = "Content-Type: application/json"
	tests := []struct{ name, path, body string }{
		{"containers", apitest.PodsPath, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[` + repeated(60_000, `{}`) + `]}}`},
		{"keys", apitest.ConfigMapsPath, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{` + repeated(10_000, `"!#":""`) + `}}`},
		{"labels", apitest.ConfigMapsPath, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{` + repeated(10_000, `"!#":"!"`) + `}}}`},
		{"requirements", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", `{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{` +
			`"nonResourceAttributes":{},"resourceAttributes":{"labelSelector":{"requirements":[` + repeated(20_000, `{"key":"!","operator":"X"}`) + `]}}}}`},
	}
	c := apitest.NewCluster(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := c.Do(t, "POST "+tt.path, tt.body, asJSON)
			var status metav1.Status
			if err := json.Unmarshal([]byte(res.Body), &status); err != nil {
				t.Fatal(err)
			}
			if res.Code != http.StatusUnprocessableEntity || len(res.Body) > 256<<10 || len(status.Details.Causes) > 101 {
				t.Errorf("answered %d with %d bytes and %d causes: %.300s", res.Code, len(res.Body), len(status.Details.Causes), res.Body)
			}
		})
	}
}

// Patches that would take quadratic time are rejected before they are applied; realistic ones are
// not.
func TestCost_Patches(t *testing.T) {
	t.Parallel()
	const jsonPatch = "Content-Type: application/json-patch+json"
	containers := func(items string) string { return `{"spec":{"containers":[` + items + `]}}` }
	finalizers := func(n int) string {
		return `{"metadata":{"finalizers":[` + repeated(n, `"example.com/f#"`) + `]}}`
	}
	port := `{"name":"p#","port":#}`
	tests := []struct {
		name, path, body, header string
		code                     int
	}{
		{"many containers", apitest.PodsPath + "/victim", containers(repeated(2500, `{"name":"c#"}`)), apitest.StrategicPatch, 413},
		{"the order of many containers", apitest.PodsPath + "/victim", `{"spec":{"$setElementOrder/containers":[` + repeated(2500, `{"name":"c#"}`) + `]}}`, apitest.StrategicPatch, 413},
		{"one container many times, which gets longer", apitest.PodsPath + "/victim", containers(repeated(1000, `{"name":"c","env":[{"name":"e#"}]}`)), apitest.StrategicPatch, 413},
		{"many finalizers", apitest.PodsPath + "/victim", finalizers(3000), apitest.StrategicPatch, 413},
		{"one more port of many", "/api/v1/namespaces/default/services/many", `{"spec":{"ports":[` + repeated(1, port) + `]}}`, apitest.StrategicPatch, 413},
		{
			"fifty variables of twenty containers", apitest.PodsPath + "/victim?dryRun=All",
			containers(repeated(20, `{"name":"c#","image":"i","env":[`+repeated(50, `{"name":"e#"}`)+`]}`)),
			apitest.StrategicPatch, 422,
		},
		{"many arguments", apitest.PodsPath + "/victim?dryRun=All", containers(`{"name":"c","args":[` + repeated(20_000, `"a"`) + `]}`), apitest.StrategicPatch, 422},
		{"finalizers", apitest.PodsPath + "/victim?dryRun=All", finalizers(1000), apitest.StrategicPatch, 200},
		{"a note", "/api/v1/namespaces/default/services/many?dryRun=All", `{"metadata":{"annotations":{"a":"b"}}}`, apitest.StrategicPatch, 200},
		{
			"operations that shift a long list", "/api/v1/namespaces/default/services/many",
			`[` +
				repeated(10_000,
					`{"op":"add","path":"/metadata/finalizers/0","value":"a"},{"op":"remove","path":"/metadata/finalizers/0"}`) + `]`,
			jsonPatch, 413,
		},
		{
			"many operations", apitest.PodsPath + "/victim?dryRun=All",
			`[{"op":"add","path":"/metadata/finalizers","value":[]},` +
				repeated(9_999, `{"op":"add","path":"/metadata/finalizers/0","value":"example.com/f"}`) + `]`,
			jsonPatch, 200,
		},
	}
	c := apitest.NewCluster(t)
	victim := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"victim"},"spec":{"containers":[{"name":"c","image":"nginx"}]}}`
	if res := c.Do(t, "POST "+apitest.PodsPath, victim, "Content-Type: application/json"); res.Code != http.StatusCreated {
		t.Fatalf("the Pod was not created: %s", res.Body)
	}
	many := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "many", UID: "many"}}
	for i := range 2500 {
		many.Spec.Ports = append(many.Spec.Ports, corev1.ServicePort{Name: fmt.Sprintf("p%d", i), Port: int32(i + 1), Protocol: corev1.ProtocolTCP})
	}
	c.Store(t, many)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if res := c.Do(t, "PATCH "+tt.path, tt.body, tt.header); res.Code != tt.code {
				t.Errorf("answered %d %.300s; want %d", res.Code, res.Body, tt.code)
			}
		})
	}
}

// A Service checks each node port at most once, however many it needs. Asking for more than exist
// is a client error; finding all of them in use is not.
func TestCost_NodePorts(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	full := false
	c := apitest.NewCluster(t, func(d *api.Deps) {
		d.Kube.Holder = func(key string) types.UID {
			asked.Add(1)
			if full && strings.HasPrefix(key, "nodeport/") {
				return "somebody"
			}
			return ""
		}
	})
	create := func(ports int) apitest.Answer {
		asked.Store(0)
		body := `{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{"type":"NodePort","ports":[` + repeated(ports, `{"name":"p#","port":1#}`) + `]}}`
		return c.Do(t, "POST /api/v1/namespaces/default/services?dryRun=All", body, "Content-Type: application/json")
	}
	res := create(2768)
	var made corev1.Service
	if err := json.Unmarshal([]byte(res.Body), &made); err != nil || res.Code != http.StatusCreated {
		t.Fatalf("answered %d %.300s, %v", res.Code, res.Body, err)
	}
	seen := map[int32]bool{}
	for _, p := range made.Spec.Ports {
		seen[p.NodePort] = true
	}
	if len(seen) != 2768 {
		t.Errorf("%d ports on nodes", len(seen))
	}
	if n := asked.Load(); n > 2768+10 {
		t.Errorf("it took %d questions", n)
	}
	if res := create(2769); res.Code != http.StatusUnprocessableEntity || !strings.Contains(res.Body, "spec.ports: Too many: 2769: must have at most 2768 items") {
		t.Errorf("answered %d %.300s", res.Code, res.Body)
	}
	full = true
	if res := create(1); res.Code != http.StatusInternalServerError || !strings.Contains(res.Body, "Internal error occurred: failed to allocate a nodePort: range is full") {
		t.Errorf("answered %d %.300s", res.Code, res.Body)
	}
}
