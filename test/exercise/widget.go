package exercise

import (
	"context"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
)

const (
	definitionsOf  = "customresourcedefinitions.apiextensions.k8s.io"
	definitionPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	widgetsOf      = "widgets.campaign.example.com"
	widgetPath     = "/apis/campaign.example.com/v1/namespaces/" + storm + "/widgets"
	widget         = `{"apiVersion":"campaign.example.com/v1","kind":"Widget","metadata":{"generateName":"w-"},"spec":{"size":1}}`
	definition     = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"` + widgetsOf + `"},
		"spec":{"group":"campaign.example.com","scope":"Namespaced","names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},
		"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object",
		"properties":{"size":{"type":"integer"}}}}}}}]}}`
)

// raw sends a request to a path and reads the object in the answer.
func raw(method, path, body string) func(context.Context, kubernetes.Interface) (*unstructured.Unstructured, error) {
	return func(ctx context.Context, client kubernetes.Interface) (*unstructured.Unstructured, error) {
		req := client.CoreV1().RESTClient().Verb(method).AbsPath(path).SetHeader("Content-Type", "application/json")
		if body != "" {
			req = req.Body([]byte(body))
		}
		done := req.Do(ctx)
		answer, _ := done.Raw()
		if err := done.Error(); err != nil { // it reads the Status that Raw ignores
			return nil, err
		}
		u := &unstructured.Unstructured{}
		return u, u.UnmarshalJSON(answer)
	}
}

// remove sends a deletion, whose answer may not have the object.
func remove(path string) func(context.Context, kubernetes.Interface) (*metav1.ObjectMeta, error) {
	return func(ctx context.Context, client kubernetes.Interface) (*metav1.ObjectMeta, error) {
		return &metav1.ObjectMeta{}, client.CoreV1().RESTClient().Delete().AbsPath(path).Do(ctx).Error()
	}
}

// defineWidgets creates and deletes a definition, while others write its objects.
func defineWidgets(a *actor) {
	do(a, definitionsOf, exists, raw(http.MethodPost, definitionPath, definition))
	a.rest(20 * time.Second)
	if a.IntN(2) == 0 {
		a.undefineWidgets()
	}
}

func (a *actor) undefineWidgets() { do(a, definitionsOf, gone, remove(definitionPath+"/"+widgetsOf)) }

// undefined accepts the errors of writing an object that may not be served: before it is, or while
// the definition or the namespace is deleted.
func undefined(err error) bool {
	return apierrors.IsNotFound(err) || apierrors.IsForbidden(err) || apierrors.IsMethodNotSupported(err) || apierrors.IsConflict(err)
}

// writeWidgets creates custom resources, and deletes some of them.
func writeWidgets(a *actor) {
	a.rest(500 * time.Millisecond)
	w, ok := do(a, widgetsOf, undefined, raw(http.MethodPost, widgetPath, widget))
	if ok && a.IntN(3) > 0 {
		a.rest(time.Second)
		do(a, widgetsOf, undefined, remove(widgetPath+"/"+w.GetName()))
	}
}
