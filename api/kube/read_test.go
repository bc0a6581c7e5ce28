package kube_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/internal/object"
)

// page formats a list: its names, then its revision and continue token.
func page(t *testing.T, body string) (string, string) {
	t.Helper()
	var list struct {
		Metadata metav1.ListMeta                `json:"metadata"`
		Items    []metav1.PartialObjectMetadata `json:"items"`
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	var names []string
	for _, i := range list.Items {
		names = append(names, i.Namespace+"/"+i.Name)
	}
	rest := "?"
	if n := list.Metadata.RemainingItemCount; n != nil {
		rest = fmt.Sprint(*n)
	}
	if list.Metadata.Continue == "" {
		rest = "0"
	}
	return fmt.Sprintf("%s at %s, %s remain", strings.Join(names, " "), list.Metadata.ResourceVersion, rest), list.Metadata.Continue
}

// listed returns a cluster with the ConfigMaps a to e, where c is in another namespace, and a later
// change.
func listed(t *testing.T) *apitest.Cluster {
	c := apitest.NewCluster(t)
	c.Store(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "other"}})
	for i, name := range []string{"a", "b", "c", "d", "e"} {
		m := apitest.ConfigMap(name, "1")
		m.Labels = map[string]string{"odd": fmt.Sprint(i%2 == 0)}
		if name == "c" {
			m.Namespace = "other"
		}
		c.Store(t, m)
	}
	return c
}

// All pages are read at the revision of the first one.
func TestPages(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, path string
		want       []string
	}{
		{"a namespace", apitest.ConfigMapsPath + "?limit=2", []string{"default/a default/b at 7, 2 remain", "default/d default/e at 7, 0 remain"}},
		{"all namespaces", "/api/v1/configmaps?limit=3", []string{"default/a default/b default/d at 7, 2 remain", "default/e other/c at 7, 0 remain"}},
		{"by label", "/api/v1/configmaps?limit=2&labelSelector=odd%3Dtrue", []string{"default/a default/e at 7, ? remain", "other/c at 7, 0 remain"}},
		{"cluster-scoped", "/api/v1/namespaces?limit=1", []string{"/default at 7, 1 remain", "/other at 7, 0 remain"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := listed(t)
			var got []string
			next := ""
			for {
				res := c.Do(t, "GET "+tt.path+"&continue="+next, "")
				if res.Code != 200 {
					t.Fatalf("answered %d %s", res.Code, res.Body)
				}
				var printed string
				printed, next = page(t, res.Body)
				got = append(got, printed)
				if next == "" {
					break
				}
				c.Store(t, apitest.ConfigMap(fmt.Sprintf("d%d", len(got)), "late"))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A page whose revision has been compacted, or would have been in Kubernetes, is rejected with a
// token that continues at the newest revision.
func TestExpiredPage(t *testing.T) {
	t.Parallel()
	t.Run("compacted", func(t *testing.T) {
		t.Parallel()
		c := expiredPage(t, func(c *apitest.Cluster) { c.Compact(8) })
		res := c.Do(t, "GET "+apitest.ConfigMapsPath+"?resourceVersion=7&resourceVersionMatch=Exact", "")
		if !strings.Contains(res.Body, "The resourceVersion for the provided list is too old.") || res.Code != 410 {
			t.Errorf("an exact list of a compacted revision: %d %s", res.Code, res.Body)
		}
	})
	t.Run("old", func(t *testing.T) {
		t.Parallel()
		c := expiredPage(t, func(c *apitest.Cluster) { c.ExpiredBefore = 8 })
		first, next := page(t, c.Do(t, "GET "+apitest.ConfigMapsPath+"?limit=3&resourceVersion=7&resourceVersionMatch=Exact", "").Body)
		rest, _ := page(t, c.Do(t, "GET "+apitest.ConfigMapsPath+"?limit=3&continue="+next, "").Body)
		want := "default/a default/b default/d at 7, 1 remain, default/e at 7, 0 remain"
		if got := first + ", " + rest; got != want {
			t.Errorf("an exact list of an old revision: %s", got)
		}
	})
}

// expiredPage begins a list, makes its revision expire, and continues it in the way that the answer
// offers.
func expiredPage(t *testing.T, expire func(*apitest.Cluster)) *apitest.Cluster {
	t.Helper()
	c := listed(t)
	_, next := page(t, c.Do(t, "GET "+apitest.ConfigMapsPath+"?limit=2", "").Body)
	c.Store(t, apitest.ConfigMap("d1", "late"))
	expire(c)
	res := c.Do(t, "GET "+apitest.ConfigMapsPath+"?limit=2&continue="+next, "")
	var status metav1.Status
	if err := json.Unmarshal([]byte(res.Body), &status); err != nil || res.Code != 410 || status.Reason != metav1.StatusReasonExpired || status.Continue == "" {
		t.Fatalf("answered %d %s", res.Code, res.Body)
	}
	got, _ := page(t, c.Do(t, "GET "+apitest.ConfigMapsPath+"?limit=5&continue="+status.Continue, "").Body)
	if want := "default/d default/d1 default/e at 8, 0 remain"; got != want {
		t.Errorf("continued with %q, want %q", got, want)
	}
	return c
}

func TestListRevisionsAndSelectors(t *testing.T) {
	t.Parallel()
	c := listed(t)
	c.Store(t, apitest.ConfigMap("f", "1"))
	tests := []struct{ name, query, want string }{
		{"now", "", "default/a default/b default/d default/e default/f at 8, 0 remain"},
		{"any", "resourceVersion=0", "default/a default/b default/d default/e default/f at 8, 0 remain"},
		{"not older", "resourceVersion=4&resourceVersionMatch=NotOlderThan", "default/a default/b default/d default/e default/f at 8, 0 remain"},
		{"not older, by default", "resourceVersion=4", "default/a default/b default/d default/e default/f at 8, 0 remain"},
		{"exact", "resourceVersion=4&resourceVersionMatch=Exact", "default/a default/b at 4, 0 remain"},
		{"exact, by limit", "resourceVersion=4&limit=9", "default/a default/b at 4, 0 remain"},
		{"by name", "fieldSelector=metadata.name%3Db", "default/b at 8, 0 remain"},
		{"by other names", "fieldSelector=metadata.name!%3Db", "default/a default/d default/e default/f at 8, 0 remain"},
		{"by another namespace", "fieldSelector=metadata.namespace%3Dother", " at 8, 0 remain"},
		{"by label", "labelSelector=odd+in+(false)", "default/b default/d at 8, 0 remain"},
		{"by both", "labelSelector=odd%3Dfalse&fieldSelector=metadata.name%3Da", " at 8, 0 remain"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, _ := page(t, c.Do(t, "GET "+apitest.ConfigMapsPath+"?"+tt.query, "").Body)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	got, _ := page(t, c.Do(t, "GET /api/v1/configmaps?fieldSelector=metadata.namespace%3Dother", "").Body)
	if want := "other/c at 8, 0 remain"; got != want {
		t.Errorf("over all namespaces, by namespace: %q, want %q", got, want)
	}
}

func TestRepresentations(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	c.Store(t, apitest.ConfigMap("a", "1"))
	const (
		whole   = `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"2","name":"a","namespace":"default","uid":"uid-a"},"data":{"k":"1"}}`
		partial = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"default","uid":"uid-a","resourceVersion":"2"}}`
		object  = "GET " + apitest.ConfigMapsPath + "/a"
		list    = "GET " + apitest.ConfigMapsPath
	)
	tests := []struct {
		name, request, header string
		wantType, want        string
	}{
		{"JSON", object, "Accept: application/json", "application/json", whole},
		{"JSON rather than protobuf", object, "Accept: application/vnd.kubernetes.protobuf;q=0.1, application/json;q=0.9", "application/json", whole},
		{"anything", object, "Accept: text/html, */*;q=0.1", "application/json", whole},
		{
			"YAML", object, "Accept: application/yaml", "application/yaml",
			"apiVersion: v1\ndata:\n  k: \"1\"\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: default\n" +
				"  resourceVersion: \"2\"\n  uid: uid-a",
		},
		{
			"indented", list + "?fieldSelector=metadata.name%3Dx&pretty=true", "", "application/json",
			"{\n  \"kind\": \"ConfigMapList\",\n  \"apiVersion\": \"v1\",\n  \"metadata\": {\n    \"resourceVersion\": \"2\"\n" +
				"  },\n  \"items\": []\n}",
		},
		{
			"indented for curl", list + "?fieldSelector=metadata.name%3Dx", "User-Agent: curl/8", "application/json",
			"{\n  \"kind\": \"ConfigMapList\",\n  \"apiVersion\": \"v1\",\n  \"metadata\": {\n    \"resourceVersion\": \"2\"\n" +
				"  },\n  \"items\": []\n}",
		},
		{
			"list", list, "", "application/json",
			`{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"2"},"items":[` +
				strings.Replace(whole, `"kind":"ConfigMap","apiVersion":"v1",`, "", 1) + `]}`,
		},
		{"metadata", object, apitest.AsPartial, "application/json", partial},
		{"list of metadata", list, apitest.AsList, "application/json", `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"2"},"items":[` + partial + `]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := c.Do(t, tt.request, "", tt.header)
			if diff := cmp.Diff(tt.want, strings.TrimSpace(res.Body)); diff != "" || res.Code != 200 || res.Header.Get("Content-Type") != tt.wantType {
				t.Errorf("answered %d as %s (-want +got):\n%s", res.Code, res.Header.Get("Content-Type"), diff)
			}
		})
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	c.Store(t, apitest.ConfigMap("a", "1"))
	for query, want := range map[string]string{
		"":                        `[a 1 <unknown>] {"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"2","name":"a","namespace":"default","uid":"uid-a"}}`,
		"?includeObject=None":     `[a 1 <unknown>] null`,
		"?includeObject=Metadata": `[a 1 <unknown>] {"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"2","name":"a","namespace":"default","uid":"uid-a"}}`,
		"?includeObject=Object":   `[a 1 <unknown>] {"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"2","name":"a","namespace":"default","uid":"uid-a"},"data":{"k":"1"}}`,
	} {
		for _, path := range []string{apitest.ConfigMapsPath, apitest.ConfigMapsPath + "/a"} {
			t.Run(path+query, func(t *testing.T) {
				t.Parallel()
				res := c.Do(t, "GET "+path+query, "", apitest.AsTable)
				var table metav1.Table
				if err := json.Unmarshal([]byte(res.Body), &table); err != nil || len(table.Rows) != 1 {
					t.Fatalf("%v: %s", err, res.Body)
				}
				raw, _ := json.Marshal(table.Rows[0].Object)
				if got := fmt.Sprint(table.Rows[0].Cells) + " " + string(raw); got != want || table.ResourceVersion != "2" || len(table.ColumnDefinitions) != 3 {
					t.Errorf("got %s\nwant %s\nin %s", got, want, res.Body)
				}
			})
		}
	}
	res := c.Do(t, "GET "+apitest.ConfigMapsPath+"?includeObject=Some", "", apitest.AsTable)
	if want := "Unable to convert to Table as requested: includeObject: Invalid value: "; res.Code != 400 || !strings.Contains(res.Body, want) {
		t.Errorf("an unknown includeObject: %d %s", res.Code, res.Body)
	}
}

// Events of events.k8s.io are those of the core group in another form, for reads and writes.
func TestViews(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	ctx, client := context.Background(), c.Client(t)
	made, err := client.EventsV1().Events("default").Create(ctx, &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: "e"}, EventTime: metav1.NowMicro(), ReportingController: "example.com/c", ReportingInstance: "i",
		Action: "Do", Reason: "Why", Note: "so", Type: "Normal", Regarding: corev1.ObjectReference{Namespace: "default", Kind: "Pod", Name: "p"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	core, err := client.CoreV1().Events("default").List(ctx, metav1.ListOptions{FieldSelector: "involvedObject.name=p"})
	if err != nil || len(core.Items) != 1 || core.Items[0].Message != "so" {
		t.Errorf("the core group has %+v, %v", core, err)
	}
	list, err := client.EventsV1().Events("").List(ctx, metav1.ListOptions{FieldSelector: "regarding.name=p"})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("events.k8s.io has %+v, %v", list, err)
	}
	if diff := cmp.Diff(made, &list.Items[0]); diff != "" {
		t.Errorf("listed (-created +got):\n%s", diff)
	}
}

// Without the database, possibly stale data is not served from memory, and /readyz fails.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	c.Unavailable = true
	for _, request := range []string{"GET " + apitest.ConfigMapsPath, "GET " + apitest.ConfigMapsPath + "/a", "DELETE " + apitest.ConfigMapsPath + "/a", "GET " + apitest.ConfigMapsPath + "?watch=true"} {
		res := c.Do(t, request, "")
		if want := "the database cannot be reached"; res.Code != 503 || !strings.Contains(res.Body, want) || res.Header.Get("Retry-After") != "1" {
			t.Errorf("%s was answered with %d %v %s", request, res.Code, res.Header, res.Body)
		}
	}
}

func TestDynamicClient(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	c.Store(t, apitest.ConfigMap("a", "1"))
	maps := c.Dynamic(t).Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("default")
	got, err := maps.Get(context.Background(), "a", metav1.GetOptions{})
	if err != nil || got.GetUID() != "uid-a" {
		t.Errorf("got %v, %v", got, err)
	}
	if err := maps.Delete(context.Background(), "a", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := maps.Get(context.Background(), "a", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("after its deletion: %v", err)
	}
	if v := c.Get(object.Key{Resource: "configmaps", Namespace: "default", Name: "a"}); v != nil {
		t.Errorf("it still exists: %s", v.Body())
	}
}

// Usage of Pods is computed on demand. It can be read and listed only.
func TestMetrics(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	p := apitest.Pod("p")
	p.Labels = map[string]string{"app": "web"}
	p.Annotations = map[string]string{"emulation.rowlock.io/cpu-usage": "250m", "emulation.rowlock.io/memory-usage": "64Mi"}
	p.Status.Phase = corev1.PodRunning
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: p.Spec.Containers[0].Name, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(apitest.Now.AddDate(0, 0, -1))}},
	}}
	c.Store(t, p)
	c.Store(t, apitest.Pod("waits"))
	const all, one = "GET /apis/metrics.k8s.io/v1beta1/pods", "GET /apis/metrics.k8s.io/v1beta1/namespaces/default/pods"
	for _, tt := range []struct {
		request string
		names   []string
	}{
		{all, []string{"p"}}, {one, []string{"p"}}, {one + "?labelSelector=app%3Dweb", []string{"p"}}, {one + "?labelSelector=app%3Dx", nil},
		{one + "?fieldSelector=metadata.name%3Dp", []string{"p"}}, {one + "?fieldSelector=metadata.name%3Dq", nil}, {"GET /apis/metrics.k8s.io/v1beta1/namespaces/x/pods", nil},
	} {
		var list metav1.PartialObjectMetadataList
		if err := json.Unmarshal([]byte(c.Do(t, tt.request, "").Body), &list); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, item := range list.Items {
			names = append(names, item.Name)
		}
		if diff := cmp.Diff(tt.names, names); diff != "" || list.Kind != "PodMetricsList" {
			t.Errorf("%s: %s (-want +got):\n%s", tt.request, list.Kind, diff)
		}
	}
	for request, want := range map[string]int{
		one + "/p": 200, one + "/waits": 404, one + "/nope": 404, one + "?watch=true": 405, one + "?fieldSelector=spec.nodeName%3Dx": 400,
		"DELETE" + one[3:] + "/p": 405, "POST" + one[3:]: 405, "GET /apis/metrics.k8s.io/v1beta1/nodes": 200, "GET /apis/metrics.k8s.io/v1beta1/nodes/x": 404,
	} {
		if res := c.Do(t, request, ""); res.Code != want {
			t.Errorf("%s: %d %s, want %d", request, res.Code, res.Body, want)
		}
	}
}
