package kube_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

func TestPatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		media types.PatchType
		patch string
		want  string // the data, as JSON
	}{
		{"JSON", types.JSONPatchType, `[{"op":"add","path":"/data/l","value":"2"},{"op":"remove","path":"/data/k"}]`, `{"l":"2"}`},
		{"merge", types.MergePatchType, `{"data":{"k":null,"l":"2"}}`, `{"l":"2"}`},
		{"strategic merge", types.StrategicMergePatchType, `{"data":{"l":"2"}}`, `{"k":"1","l":"2"}`},
		{"strategic merge with a directive", types.StrategicMergePatchType, `{"data":{"$patch":"replace","l":"2"}}`, `{"l":"2"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := apitest.NewCluster(t)
			c.Store(t, apitest.ConfigMap("a", "1"))
			got, err := c.Client(t).CoreV1().ConfigMaps("default").Patch(context.Background(), "a", tt.media, []byte(tt.patch), metav1.PatchOptions{})
			if err != nil {
				t.Fatal(err)
			}
			data, _ := json.Marshal(got.Data)
			if diff := cmp.Diff(tt.want, string(data)); diff != "" || got.ResourceVersion != "3" {
				t.Errorf("resourceVersion %s (-want +got):\n%s", got.ResourceVersion, diff)
			}
		})
	}
}

// An update that changes nothing creates no revision.
func TestUpdateOfNothing(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	maps := c.Client(t).CoreV1().ConfigMaps("default")
	made, err := maps.Create(context.Background(), apitest.ConfigMap("a", "1"), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := c.Revision()
	if _, err := maps.Update(context.Background(), made.DeepCopy(), metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	for media, patch := range map[types.PatchType]string{
		types.MergePatchType: `{"data":{"k":"1"}}`,
		types.JSONPatchType:  `[{"op":"remove","path":"/metadata/managedFields/0/time"}]`,
	} {
		got, err := maps.Patch(context.Background(), "a", media, []byte(patch), metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(made, got); diff != "" || c.Revision() != before {
			t.Errorf("%s: revision %d, was %d (-want +got):\n%s", patch, c.Revision(), before, diff)
		}
	}
}

// Errors, and updates that change nothing, are decided against the newest version even if the
// replica's mirror lags, so that they are consistent with the answers of other replicas.
func TestWritesBehind(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name            string
		changed, gone   bool // since the replica's version
		again           bool // recreated with the same name
		method, revised string
		want            int
	}{
		{"another version of what is gone", false, true, false, http.MethodPut, "1000", http.StatusNotFound},
		{"the version of what is gone", false, true, false, http.MethodPut, "", http.StatusNotFound},
		{"the version of what is another", false, true, true, http.MethodPut, "", http.StatusConflict},
		{"nothing new in what has changed", true, false, false, http.MethodPut, "", http.StatusConflict},
		{"a removal of what is another", false, true, true, http.MethodDelete, "", http.StatusOK},
		{"a removal of what is gone", false, true, false, http.MethodDelete, "", http.StatusNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, ctx := apitest.NewCluster(t), context.Background()
			maps := c.Client(t).CoreV1().ConfigMaps("default")
			made, err := maps.Create(ctx, apitest.ConfigMap("a", "1"), metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			key := object.Key{Resource: "configmaps", Namespace: "default", Name: "a"}
			old := c.Get(key)
			if tt.changed {
				next := made.DeepCopy()
				next.Data["k"] = "2"
				_, err = maps.Update(ctx, next, metav1.UpdateOptions{})
			}
			if tt.gone {
				err = maps.Delete(ctx, "a", metav1.DeleteOptions{})
			}
			if tt.again {
				_, err = maps.Create(ctx, apitest.ConfigMap("a", "3"), metav1.CreateOptions{})
			}
			if err != nil {
				t.Fatal(err)
			}
			c.Behind = map[object.Key]*object.Version{key: old}
			if tt.method == http.MethodDelete {
				err = maps.Delete(ctx, "a", metav1.DeleteOptions{})
			} else {
				sent := made.DeepCopy()
				if sent.UID = ""; tt.revised != "" {
					sent.ResourceVersion, sent.Data["k"] = tt.revised, "4"
				}
				_, err = maps.Update(ctx, sent, metav1.UpdateOptions{})
			}
			got := http.StatusOK
			var status apierrors.APIStatus
			if errors.As(err, &status) {
				got = int(status.Status().Code)
			}
			if got != tt.want {
				t.Errorf("%d, want %d: %v", got, tt.want, err)
			}
		})
	}
}

// A write that loses a race is retried if it names no resourceVersion, otherwise it is a conflict.
func TestRaces(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		request  string
		body     string
		media    string
		wantCode int
		wantData string
	}{
		{"an unconditional update", "PUT", `{"metadata":{"name":"a"},"data":{"k":"2"}}`, "application/json", 200, `{"k":"2"}`},
		{"an update of a version", "PUT", `{"metadata":{"name":"a","resourceVersion":"2"},"data":{"k":"2"}}`, "application/json", 409, `{"other":"x"}`},
		{"a patch", "PATCH", `{"data":{"k":"2"}}`, string(types.MergePatchType), 200, `{"k":"2","other":"x"}`},
		{"a patch of a version", "PATCH", `{"metadata":{"resourceVersion":"2"},"data":{"k":"2"}}`, string(types.MergePatchType), 409, `{"other":"x"}`},
		{"a deletion", "DELETE", ``, "application/json", 200, `gone`},
		{"a deletion of a version", "DELETE", `{"preconditions":{"resourceVersion":"2"}}`, "application/json", 409, `{"other":"x"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := apitest.NewCluster(t)
			c.Store(t, apitest.ConfigMap("a", "1"))
			c.BeforeWrite = func(ch store.Change) {
				c.BeforeWrite = nil
				quicker := apitest.ConfigMap("a", "")
				quicker.Data = map[string]string{"other": "x"}
				if _, err := c.Write(context.Background(), store.Change{Verb: object.Updated, Type: ch.Type, Old: ch.Old, New: quicker}); err != nil {
					t.Error(err)
				}
			}
			res := c.Do(t, tt.request+" "+apitest.ConfigMapsPath+"/a", tt.body, "Content-Type: "+tt.media)
			data := "gone"
			if v := c.Get(object.Key{Resource: "configmaps", Namespace: "default", Name: "a"}); v != nil {
				doc, _ := json.Marshal(v.Object().(*corev1.ConfigMap).Data)
				data = string(doc)
			}
			if res.Code != tt.wantCode || data != tt.wantData {
				t.Errorf("answered %d, data %s; want %d, %s\n%s", res.Code, data, tt.wantCode, tt.wantData, res.Body)
			}
		})
	}
}

func TestGenerateName(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	maps := c.Client(t).CoreV1().ConfigMaps("default")
	for _, taken := range []string{"a-00001", "a-00002"} {
		c.Store(t, apitest.ConfigMap(taken, ""))
	}
	wanted := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "a-"}}
	got, err := maps.Create(context.Background(), wanted, metav1.CreateOptions{})
	if err != nil || got.Name != "a-00003" {
		t.Errorf("got %q, %v; want a-00003", got.Name, err)
	}
	for _, taken := range []string{"a-00004", "a-00005", "a-00006", "a-00007", "a-00008", "a-00009", "a-00010", "a-00011"} {
		c.Store(t, apitest.ConfigMap(taken, ""))
	}
	_, err = maps.Create(context.Background(), wanted, metav1.CreateOptions{})
	if want := `configmaps "a-00011" already exists, the server was not able to generate a unique name for the object`; err == nil || err.Error() != want {
		t.Errorf("after eight taken names: %v, want %q", err, want)
	}
	long := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: strings.Repeat("b", 100)}}
	if got, err := maps.Create(context.Background(), long, metav1.CreateOptions{}); err != nil || got.Name != strings.Repeat("b", 58)+"00012" {
		t.Errorf("a long base gave %q, %v", got.Name, err)
	}
}

// A dry run is validated and answered like a real request, and stores nothing.
func TestDryRun(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	c.Store(t, apitest.ConfigMap("a", "1"))
	before := c.Revision()
	tests := []struct {
		name, request, body string
		wantCode            int
		want                string
	}{
		{
			"create", "POST " + apitest.ConfigMapsPath, `{"metadata":{"name":"b"}}`, 201,
			`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b","namespace":"default",` +
				`"uid":"00000000-0000-0000-0000-000000000001","creationTimestamp":"2026-01-02T03:04:05Z"}}`,
		},
		{"create what exists", "POST " + apitest.ConfigMapsPath, `{"metadata":{"name":"a"}}`, 409, ``},
		{"create what is invalid", "POST " + apitest.ConfigMapsPath, `{"metadata":{"name":"A"}}`, 422, ``},
		{
			"update", "PUT " + apitest.ConfigMapsPath + "/a", `{"metadata":{"name":"a"}}`, 200,
			`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"2","name":"a","namespace":"default",` +
				`"uid":"uid-a"}}`,
		},
		{"delete", "DELETE " + apitest.ConfigMapsPath + "/a", ``, 200, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"a","kind":"configmaps","uid":"uid-a"}}`},
		{"delete collection", "DELETE " + apitest.ConfigMapsPath, ``, 200, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := c.Do(t, tt.request+"?dryRun=All", tt.body)
			if res.Code != tt.wantCode || tt.want != "" && strings.TrimSpace(res.Body) != tt.want {
				t.Errorf("answered %d %s", res.Code, res.Body)
			}
			if after := c.Revision(); after != before {
				t.Errorf("the revision went from %d to %d", before, after)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	owner := `{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"o"}`
	const jobs = "/apis/batch/v1/namespaces/default/jobs"
	const orphans = `299 - "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning"`
	tests := []struct {
		name, request, body, media string
		want                       []string
	}{
		{"unknown and repeated fields", "POST " + apitest.ConfigMapsPath, `{"metadata":{"name":"b"},"foo":1,"data":{"a":"1","a":"2"}}`, "application/json",
			[]string{`299 - "unknown field \"foo\""`, `299 - "duplicate field \"data.a\""`}},
		{"ignored", "POST " + apitest.ConfigMapsPath + "?fieldValidation=Ignore", `{"metadata":{"name":"c"},"foo":1}`, "application/json", nil},
		{"a patch", "PATCH " + apitest.ConfigMapsPath + "/a", `{"foo":1}`, string(types.MergePatchType), []string{`299 - "unknown field \"foo\""`}},
		{"owners given twice", "POST " + apitest.ConfigMapsPath, `{"metadata":{"name":"d","ownerReferences":[` + owner + `,` + owner + `]}}`, "application/json",
			[]string{
				`299 - ".metadata.ownerReferences contains duplicate entries; ` +
					`API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; ` +
					`please fix your requests; duplicate UID(s) observed: o"`,
			}},
		{"a Job deleted without a policy", "DELETE " + jobs + "/pi", "", "application/json", []string{orphans}},
		{"with one", "DELETE " + jobs + "/pi?propagationPolicy=Orphan", "", "application/json", nil},
		{"all Jobs", "DELETE " + jobs, "", "application/json", []string{orphans}},
	}
	c := apitest.NewCluster(t)
	c.Store(t, apitest.ConfigMap("a", "1"))
	c.Store(t, &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "pi", Namespace: "default", UID: "uid-pi"}})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := c.Do(t, tt.request, tt.body, "Content-Type: "+tt.media)
			if diff := cmp.Diff(tt.want, res.Header["Warning"]); diff != "" || res.Code >= 300 {
				t.Errorf("answered %d %s (-want +got):\n%s", res.Code, res.Body, diff)
			}
		})
	}
}

// A deleted object with a finalizer stays until an update removes the last finalizer.
func TestFinalizers(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	held := apitest.ConfigMap("a", "1")
	held.Finalizers = []string{"example.com/hold"}
	c.Store(t, held)
	res := c.Do(t, "DELETE "+apitest.ConfigMapsPath+"/a", "")
	want := `{"kind":"ConfigMap","apiVersion":"v1",` +
		`"metadata":{"resourceVersion":"3","name":"a","namespace":"default","uid":"uid-a",` +
		`"deletionTimestamp":"2026-01-02T03:04:05Z","deletionGracePeriodSeconds":0,"finalizers":["example.com/hold"]},` +
		`"data":{"k":"1"}}`
	if res.Code != 200 || strings.TrimSpace(res.Body) != want {
		t.Errorf("the deletion was answered with %d %s", res.Code, res.Body)
	}
	if res := c.Do(t, "DELETE "+apitest.ConfigMapsPath+"/a", ""); res.Code != 200 || c.Revision() != 3 {
		t.Errorf("asking again was answered with %d, and the revision is %d", res.Code, c.Revision())
	}
	if res := c.Do(t, "POST "+apitest.ConfigMapsPath, `{"metadata":{"name":"a"}}`); !strings.Contains(res.Body, `object is being deleted: configmaps \"a\" already exists`) {
		t.Errorf("the name was free: %s", res.Body)
	}
	res = c.Do(t, "PATCH "+apitest.ConfigMapsPath+"/a", `{"metadata":{"finalizers":null}}`, apitest.MergePatch)
	if res.Code != 200 || c.Get(object.Key{Resource: "configmaps", Namespace: "default", Name: "a"}) != nil {
		t.Errorf("the last finalizer went with %d %s, and the object stays", res.Code, res.Body)
	}
}

func TestDeleteCollection(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	for _, name := range []string{"a", "b", "c"} {
		m := apitest.ConfigMap(name, "1")
		m.Labels = map[string]string{"keep": name}
		c.Store(t, m)
	}
	maps := c.Client(t).CoreV1().ConfigMaps("default")
	if err := maps.DeleteCollection(context.Background(), metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "keep!=b"}); err != nil {
		t.Fatal(err)
	}
	left, err := maps.List(context.Background(), metav1.ListOptions{})
	if err != nil || len(left.Items) != 1 || left.Items[0].Name != "b" {
		t.Errorf("%v is left, %v; want b", left.Items, err)
	}
}

// /status updates the status only, the main resource everything else; /scale updates the replicas.
func TestSubresources(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	ctx, deployments := context.Background(), c.Client(t).AppsV1().Deployments("default")
	d, err := deployments.Create(ctx, apitest.Deployment("web", 2), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	changed := d.DeepCopy()
	changed.Spec.Replicas, changed.Status.Replicas = new(int32(5)), 7
	got, err := deployments.UpdateStatus(ctx, changed, metav1.UpdateOptions{})
	if err != nil || *got.Spec.Replicas != 2 || got.Status.Replicas != 7 || got.Generation != 1 {
		t.Errorf("after a status update: replicas %d, status.replicas %d, generation %d, %v", *got.Spec.Replicas, got.Status.Replicas, got.Generation, err)
	}
	changed.ResourceVersion, changed.Status.Replicas = "", 9
	got, err = deployments.Update(ctx, changed, metav1.UpdateOptions{})
	if err != nil || *got.Spec.Replicas != 5 || got.Status.Replicas != 7 || got.Generation != 2 {
		t.Errorf("after an update: replicas %d, status.replicas %d, generation %d, %v", *got.Spec.Replicas, got.Status.Replicas, got.Generation, err)
	}
	scale, err := deployments.GetScale(ctx, "web", metav1.GetOptions{})
	if err != nil || scale.Spec.Replicas != 5 || scale.ResourceVersion != got.ResourceVersion {
		t.Fatalf("scale %+v, %v", scale, err)
	}
	stale := scale.DeepCopy()
	scale.Spec.Replicas = 3
	if scale, err = deployments.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{}); err != nil || scale.Spec.Replicas != 3 {
		t.Errorf("scaled to %+v, %v", scale, err)
	}
	if _, err := deployments.UpdateScale(ctx, "web", stale, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		t.Errorf("a stale scale: %v", err)
	}
	stale.ResourceVersion, stale.Spec.Replicas = "", -1
	_, err = deployments.UpdateScale(ctx, "web", stale, metav1.UpdateOptions{})
	if want := `Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`; err == nil || err.Error() != want {
		t.Errorf("a negative scale: %v", err)
	}
	res := c.Do(t, "PATCH /apis/apps/v1/namespaces/default/deployments/web/scale", `{"spec":{"replicas":1}}`, apitest.MergePatch)
	if d, _ := deployments.Get(ctx, "web", metav1.GetOptions{}); res.Code != 200 || *d.Spec.Replicas != 1 || d.Generation != 4 {
		t.Errorf("patched the scale with %d %s: replicas %d, generation %d", res.Code, res.Body, *d.Spec.Replicas, d.Generation)
	}
}

// A namespace disappears when /finalize removes its last finalizer from the spec.
func TestNamespaceFinalize(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	ctx, namespaces := context.Background(), c.Client(t).CoreV1().Namespaces()
	if _, err := namespaces.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "n"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := namespaces.Delete(ctx, "n", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	n, err := namespaces.Get(ctx, "n", metav1.GetOptions{})
	if err != nil || n.Status.Phase != corev1.NamespaceTerminating {
		t.Fatalf("after its deletion the namespace is %s, %v", n.Status.Phase, err)
	}
	n.Spec.Finalizers = nil
	if _, err := namespaces.Finalize(ctx, n, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := namespaces.Get(ctx, "n", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("after it was finalized: %v", err)
	}
}
