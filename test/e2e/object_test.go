package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/yaml"
)

var (
	pods        = corev1.SchemeGroupVersion.WithResource("pods")
	configMaps  = corev1.SchemeGroupVersion.WithResource("configmaps")
	events      = corev1.SchemeGroupVersion.WithResource("events")
	replicaSets = appsv1.SchemeGroupVersion.WithResource("replicasets")
	deployments = appsv1.SchemeGroupVersion.WithResource("deployments")
)

// listPath returns the path of a namespace's objects of one resource.
func listPath(resource schema.GroupVersionResource, namespace string) string {
	root := "/apis/" + resource.Group
	if resource.Group == "" {
		root = "/api"
	}
	return root + "/" + resource.Version + "/namespaces/" + namespace + "/" + resource.Resource
}

// create posts a manifest to the path of its kind.
func (f *front) create(namespace, manifest string) answer {
	f.Helper()
	var head metav1.TypeMeta
	if err := yaml.Unmarshal([]byte(manifest), &head); err != nil {
		f.Fatal(err)
	}
	path := "/api/v1/namespaces"
	if namespace != "" {
		path = listPath(head.GroupVersionKind().GroupVersion().WithResource(strings.ToLower(head.Kind)+"s"), namespace)
	}
	return judged(f.send(http.MethodPost, path, "application/yaml", manifest))
}

// patch merges a JSON document into an object.
func (f *front) patch(resource schema.GroupVersionResource, namespace, name, merged string) answer {
	f.Helper()
	return judged(f.send(http.MethodPatch, listPath(resource, namespace)+"/"+name, string(types.MergePatchType), merged))
}

// remove deletes an object with these options, as JSON; "" sends no body.
func (f *front) remove(resource schema.GroupVersionResource, namespace, name, options string) answer {
	f.Helper()
	contentType := ""
	if options != "" {
		contentType = "application/json"
	}
	return judged(f.send(http.MethodDelete, listPath(resource, namespace)+"/"+name, contentType, options))
}

// judged returns an answer without the object, if it has one.
func judged(code int, body []byte) answer {
	a := answer{Code: code}
	var about metav1.TypeMeta
	var s metav1.Status
	switch err := json.Unmarshal(body, &about); {
	case err != nil:
		a.Message = string(body)
	case about.Kind != "Status": // an object
	case json.Unmarshal(body, &s) == nil && s.Status != metav1.StatusSuccess:
		a.Reason, a.Message = s.Reason, s.Message
	}
	return a
}

// must fails the test unless the request succeeded.
func (f *front) must(a answer) {
	f.Helper()
	if a.Code >= 300 {
		f.Fatalf("refused: %+v", a)
	}
}

// read gets an object; ok is false if it does not exist.
func read[T any](f *front, resource schema.GroupVersionResource, namespace, name string) (o T, ok bool) {
	f.Helper()
	code, body := f.send(http.MethodGet, listPath(resource, namespace)+"/"+name, "", "")
	if code == http.StatusNotFound {
		return o, false
	}
	if code != http.StatusOK {
		f.Fatalf("GET %s %s: %d %s", resource.Resource, name, code, body)
	}
	if err := json.Unmarshal(body, &o); err != nil {
		f.Fatal(err)
	}
	return o, true
}

// get gets an existing object.
func get[T any](f *front, resource schema.GroupVersionResource, namespace, name string) T {
	f.Helper()
	o, ok := read[T](f, resource, namespace, name)
	if !ok {
		f.Fatalf("there is no %s %s", resource.Resource, name)
	}
	return o
}

// await follows a namespace's objects of one resource until they are as wanted, and returns them by
// name. It fails the test if that takes longer than patience.
func await[T any](f *front, resource schema.GroupVersionResource, namespace string, so func([]T) bool) []T {
	f.Helper()
	client := f.dynamic.Resource(resource).Namespace(namespace)
	list, err := client.List(f.Context(), metav1.ListOptions{})
	if err != nil {
		f.Fatal(err)
	}
	follow, err := client.Watch(f.Context(), metav1.ListOptions{ResourceVersion: list.GetResourceVersion()})
	if err != nil {
		f.Fatal(err)
	}
	defer follow.Stop()
	there := map[string]T{}
	for i := range list.Items {
		there[list.Items[i].GetName()] = typed[T](f, &list.Items[i])
	}
	late := time.After(patience)
	for {
		now := sorted(there)
		if so(now) {
			return now
		}
		select {
		case <-late:
			f.Fatalf("the %s have not become as wanted:\n%s", resource.Resource, brief(now))
		case e, ok := <-follow.ResultChan():
			o, isObject := e.Object.(*unstructured.Unstructured)
			if !ok || !isObject {
				f.Fatalf("the watch ended: %+v", e)
			}
			if there[o.GetName()] = typed[T](f, o); e.Type == watch.Deleted {
				delete(there, o.GetName())
			}
		}
	}
}

// awaitOne follows one object until it is as wanted.
func awaitOne[T any](f *front, resource schema.GroupVersionResource, namespace, name string, so func(*T) bool) (found *T) {
	f.Helper()
	await(f, resource, namespace, func(all []T) bool {
		i := slices.Index(names(all), name)
		if i < 0 {
			return false
		}
		found = &all[i]
		return so(found)
	})
	return found
}

// came returns the names of the objects that were created after a revision, from a watch of one
// second.
func came(f *front, resource schema.GroupVersionResource, namespace, since string) (created []string) {
	f.Helper()
	for _, e := range history[metav1.PartialObjectMetadata](f, resource, namespace, since) {
		if e.kind == watch.Added {
			created = append(created, e.object.Name)
		}
	}
	return created
}

// change is an event of a watch.
type change[T any] struct {
	kind   watch.EventType
	object T
}

// history returns the changes of a namespace's objects from a revision to now. It watches
// repeatedly until a bookmark is as new as now: a busy server may end a watch before it has sent
// everything.
func history[T any](f *front, resource schema.GroupVersionResource, namespace, since string) (changes []change[T]) {
	f.Helper()
	client := f.dynamic.Resource(resource).Namespace(namespace)
	list, err := client.List(f.Context(), metav1.ListOptions{Limit: 1})
	if err != nil {
		f.Fatal(err)
	}
	now := numbered(f, list.GetResourceVersion())
	late := time.Now().Add(patience)
	for seconds := int64(3); time.Now().Before(late); seconds *= 2 {
		// The bookmark comes two seconds before the end, unless the server has not begun to send by
		// then.
		follow, err := client.Watch(f.Context(), metav1.ListOptions{ResourceVersion: since, AllowWatchBookmarks: true, TimeoutSeconds: &seconds})
		if err != nil {
			f.Fatal(err)
		}
		defer follow.Stop()
		for e := range follow.ResultChan() {
			o, ok := e.Object.(*unstructured.Unstructured)
			if !ok {
				f.Fatalf("the watch ended: %+v", e)
			}
			if since = o.GetResourceVersion(); e.Type != watch.Bookmark {
				changes = append(changes, change[T]{e.Type, typed[T](f, o)})
			} else if numbered(f, since) >= now {
				return changes
			}
		}
	}
	f.Fatalf("no watch has come to revision %d", now)
	return nil
}

// numbered returns a resourceVersion as a number.
func numbered(f *front, resourceVersion string) uint64 {
	f.Helper()
	n, err := strconv.ParseUint(resourceVersion, 10, 64)
	if err != nil {
		f.Fatal(err)
	}
	return n
}

func typed[T any](f *front, u *unstructured.Unstructured) (o T) {
	f.Helper()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &o); err != nil {
		f.Fatal(err)
	}
	return o
}

func sorted[T any](objects map[string]T) []T {
	out := make([]T, 0, len(objects))
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		out = append(out, objects[name])
	}
	return out
}

func brief[T any](objects []T) string {
	text, err := yaml.Marshal(objects)
	if err != nil {
		return fmt.Sprint(objects)
	}
	return string(text)
}

func nameOf(o any) string {
	if m, ok := o.(metav1.Object); ok {
		return m.GetName()
	}
	return ""
}

// names returns the names of objects, in order.
func names[T any](objects []T) []string {
	out := make([]string, len(objects))
	for i := range objects {
		out[i] = nameOf(&objects[i])
	}
	return out
}

// ready reports whether a Pod is ready and not terminating.
func ready(p corev1.Pod) bool {
	return p.DeletionTimestamp == nil && slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// allReady wants exactly n Pods, all of them ready.
func allReady(n int) func([]corev1.Pod) bool {
	return func(all []corev1.Pod) bool {
		return len(all) == n && !slices.ContainsFunc(all, func(p corev1.Pod) bool { return !ready(p) })
	}
}

// ownedBy reports whether the controller of a Pod has this uid.
func ownedBy(p corev1.Pod, uid types.UID) bool {
	ref := metav1.GetControllerOf(&p)
	return ref != nil && ref.UID == uid
}

// replicaSet returns the manifest of a ReplicaSet of nginx Pods; spec is added to that of its Pods.
func replicaSet(name string, replicas int, spec string) string {
	return workload("ReplicaSet", name, replicas, spec)
}

// deployment returns the manifest of such a Deployment.
func deployment(name string, replicas int, spec string) string {
	return workload("Deployment", name, replicas, spec)
}

func workload(kind, name string, replicas int, spec string) string {
	return fmt.Sprintf(`
apiVersion: apps/v1
kind: %s
metadata: {name: %s}
spec:
  replicas: %d
  selector: {matchLabels: {app: %s}}
  template:
    metadata: {labels: {app: %s}}
    spec:
      containers: [{name: nginx, image: "nginx:1.14.2"}]
      %s
`, kind, name, replicas, name, name, spec)
}
