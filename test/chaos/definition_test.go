package chaos_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

const (
	definitionPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	widgetPath     = "/apis/example.com/v1/namespaces/default/widgets"
	// widgetVersion is the only version of widgets, with a default.
	widgetVersion = `[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
		"spec":{"type":"object","default":{},"properties":{"size":{"type":"integer","default":1}}}}}}}]`
	largerVersion = `[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
		"spec":{"type":"object","default":{},"properties":{"size":{"type":"integer","default":2}}}}}}}]`
)

// Clients of three processes write objects of a definition that is changed and then deleted, and
// two of the processes are killed meanwhile. Acknowledged writes are in the log, every object has
// its definition, and nothing is left of either. ROWLOCK_CUSTOM_RESOURCES objects are written
// before the deletion.
func TestKill_DefinitionGoes(t *testing.T) {
	n := int64(amount(t, "ROWLOCK_CUSTOM_RESOURCES", 150))
	c := newClients(newFleet(t, pgtest.NewURL(t), 3))
	do(c, "customresourcedefinitions.apiextensions.k8s.io", raw(http.MethodPost, definitionPath, `{"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com",
		"scope":"Namespaced","names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},"versions":`+widgetVersion+`}}`))
	eventually(t, "every replica serves widgets", func() bool {
		for _, r := range c.replicas {
			if r.client.CoreV1().RESTClient().Get().AbsPath("/apis/example.com/v1").Do(t.Context()).Error() != nil {
				return false
			}
		}
		return true
	})
	var written, larger atomic.Int64
	var writers sync.WaitGroup
	for range 6 {
		writers.Go(func() { c.writeWidgets(&written, &larger) })
	}
	reaches := func(count int64) {
		t.Helper()
		eventually(t, "clients write", func() bool { return written.Load() >= count || t.Failed() })
	}
	reaches(n / 3)
	do(c, "customresourcedefinitions.apiextensions.k8s.io", raw(http.MethodPatch, definitionPath+"/widgets.example.com", `{"spec":{"versions":`+largerVersion+`}}`))
	eventually(t, "widgets have the default of the changed definition", func() bool { return larger.Load() > n/3 || t.Failed() })
	moments := []time.Time{c.replicas[0].kill()}
	reaches(n)
	survivor := c.replicas[2].client.CoreV1().RESTClient()
	if err := survivor.Delete().AbsPath(definitionPath + "/widgets.example.com").Do(t.Context()).Error(); err != nil {
		t.Fatal(err)
	}
	moments = append(moments, c.replicas[1].kill())
	writers.Wait()
	eventually(t, "the definition is gone", func() bool {
		return apierrors.IsNotFound(survivor.Get().AbsPath(definitionPath + "/widgets.example.com").Do(t.Context()).Error())
	})
	h := c.judge()
	takeover(t, h, moments)
}

// raw sends a request to a path, and reads the object in the answer.
func raw(method, path, body string) func(context.Context, kubernetes.Interface) (*unstructured.Unstructured, error) {
	return func(ctx context.Context, client kubernetes.Interface) (*unstructured.Unstructured, error) {
		req := client.CoreV1().RESTClient().Verb(method).AbsPath(path).Body([]byte(body)).SetHeader("Content-Type", "application/json")
		if method == http.MethodPatch {
			req.SetHeader("Content-Type", string(types.MergePatchType))
		}
		answer, err := req.Do(ctx).Raw()
		if err != nil {
			return nil, err
		}
		u := &unstructured.Unstructured{}
		return u, u.UnmarshalJSON(answer)
	}
}

// writeWidgets creates widgets one after another until their definition is deleted. It counts them,
// and those that have the default of the changed definition.
func (c *clients) writeWidgets(written, larger *atomic.Int64) {
	create := raw(http.MethodPost, widgetPath, `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"generateName":"w-"}}`)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		client := c.any()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		u, err := create(ctx, client)
		cancel()
		switch {
		case err == nil:
			c.acknowledge("widgets.example.com", metav1.Object(u))
			written.Add(1)
			if size, _, _ := unstructured.NestedInt64(u.Object, "spec", "size"); size == 2 {
				larger.Add(1)
			}
		case apierrors.IsNotFound(err), apierrors.IsForbidden(err), apierrors.IsMethodNotSupported(err):
			return
		case !c.refusals.Retryable(err):
			c.t.Errorf("a client was told what is not a reason to try again: %v", err)
			return
		}
	}
	c.t.Error("the definition did not go")
}
