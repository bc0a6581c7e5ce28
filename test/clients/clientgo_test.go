package clients

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/pager"
)

const (
	mediaJSON     = "application/json"
	mediaProtobuf = "application/vnd.kubernetes.protobuf"
)

// spoken counts the media types of answers.
type spoken struct {
	mu    sync.Mutex
	types map[string]int
}

// listen makes a client with the config record the answers' media types.
func (s *spoken) listen(c *rest.Config) {
	s.types = map[string]int{}
	c.Wrap(func(next http.RoundTripper) http.RoundTripper { return listener{s, next} })
}

// only checks that all answers with objects had one media type.
func (s *spoken) only(t *testing.T, want string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.types) != 1 || s.types[want] == 0 {
		t.Errorf("answers came as %v, want only %s", s.types, want)
	}
}

type listener struct {
	*spoken
	next http.RoundTripper
}

func (l listener) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := l.next.RoundTrip(req)
	if err == nil {
		media, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
		l.mu.Lock()
		l.types[media]++
		l.mu.Unlock()
	}
	return res, err
}

// TestTypedClient: the typed client does its daily work in both encodings: writes, reads, errors,
// scale, apply, informers.
func TestTypedClient(t *testing.T) {
	t.Parallel()
	for name, media := range map[string]string{"json": mediaJSON, "protobuf": mediaProtobuf} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var heard spoken
			c := config(t)
			c.ContentType, c.AcceptContentTypes = media, media
			heard.listen(c)
			client, err := kubernetes.NewForConfig(c)
			if err != nil {
				t.Fatal(err)
			}
			typedWalk(t, client, newNamespace(t, client, "typed-"+name))
			heard.only(t, media)
		})
	}
}

func typedWalk(t *testing.T, client kubernetes.Interface, namespace string) {
	ctx := t.Context()
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	pods := factory.Core().V1().Pods().Lister()
	deployments := factory.Apps().V1().Deployments().Lister()
	factory.Core().V1().Pods().Informer()
	factory.Apps().V1().Deployments().Informer()
	factory.StartWithContext(ctx)
	factory.WaitForCacheSync(ctx.Done())
	ready := func(n int32) func() bool {
		return func() bool {
			d, err := deployments.Deployments(namespace).Get("web")
			if err != nil || d.Status.ReadyReplicas != n || d.Status.Replicas != n || d.Status.ObservedGeneration != d.Generation {
				return false
			}
			list, err := pods.Pods(namespace).List(labels.Everything())
			return err == nil && int32(len(list)) == n
		}
	}

	api := client.AppsV1().Deployments(namespace)
	if _, err := api.Create(ctx, web(namespace, 4), metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict}); err != nil {
		t.Fatal(err)
	}
	within(t, "the informers see 4 ready Pods", ready(4))
	if _, err := api.Create(ctx, web(namespace, 4), metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
		t.Errorf("creating it again: %v", err)
	}
	wrong := web(namespace, -1)
	wrong.Name = "wrong"
	if _, err := api.Create(ctx, wrong, metav1.CreateOptions{}); !apierrors.IsInvalid(err) || !apierrors.HasStatusCause(err, metav1.CauseTypeFieldValueInvalid) {
		t.Errorf("creating it with -1 replicas: %v", err)
	}

	scale, err := api.GetScale(ctx, "web", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	scale.Spec.Replicas = 2
	if _, err := api.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	within(t, "the informers see 2 ready Pods", ready(2))
	if _, err := api.Patch(ctx, "web", types.StrategicMergePatchType, []byte(`{"spec":{"replicas":3}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	within(t, "the informers see 3 ready Pods", ready(3))

	applyOwn(t, client, namespace)

	if err := api.DeleteCollection(ctx, metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationForeground)}, metav1.ListOptions{LabelSelector: "app=web"}); err != nil {
		t.Fatal(err)
	}
	within(t, "the informers see nothing any more", func() bool {
		d, err := deployments.Deployments(namespace).List(labels.Everything())
		p, err2 := pods.Pods(namespace).List(labels.Everything())
		return err == nil && err2 == nil && len(d)+len(p) == 0
	})
	if _, err := api.Get(ctx, "web", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("reading what is gone: %v", err)
	}
}

// applyOwn extracts what a manager owns from an object, and applies it changed.
func applyOwn(t *testing.T, client kubernetes.Interface, namespace string) {
	t.Helper()
	const manager = "labeller"
	ctx, api := t.Context(), client.AppsV1().Deployments(namespace)
	options := metav1.ApplyOptions{FieldManager: manager}
	if _, err := api.Apply(ctx, appsv1apply.Deployment("web", namespace).WithLabels(map[string]string{"tier": "front", "zone": "a"}), options); err != nil {
		t.Fatal(err)
	}
	d, err := api.Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	own, err := appsv1apply.ExtractDeployment(d, manager)
	if err != nil {
		t.Fatal(err)
	}
	if own.Spec != nil || len(own.Labels) != 2 {
		t.Errorf("the manager owns %+v, want two labels", own)
	}
	delete(own.Labels, "zone")
	if d, err = api.Apply(ctx, own, options); err != nil {
		t.Fatal(err)
	}
	if d.Labels["zone"] != "" || d.Labels["tier"] != "front" || d.Labels["app"] != "web" {
		t.Errorf("labels %v, want zone gone and those of others as they were", d.Labels)
	}
	conflicting := appsv1apply.Deployment("web", namespace).WithSpec(appsv1apply.DeploymentSpec().WithReplicas(9))
	if _, err := api.Apply(ctx, conflicting, options); !apierrors.IsConflict(err) || !apierrors.HasStatusCause(err, metav1.CauseTypeFieldManagerConflict) {
		t.Errorf("applying what another owns: %v", err)
	}
}

// TestMetadataClient: the metadata client only gets metadata, which it requests as protobuf.
func TestMetadataClient(t *testing.T) {
	t.Parallel()
	client, err := kubernetes.NewForConfig(config(t))
	if err != nil {
		t.Fatal(err)
	}
	namespace := newNamespace(t, client, "metadata")
	var heard spoken
	c := config(t)
	heard.listen(c)
	meta, err := metadata.NewForConfig(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, gvr := t.Context(), corev1.SchemeGroupVersion.WithResource("configmaps")
	factory := metadatainformer.NewFilteredSharedInformerFactory(meta, 0, namespace, nil)
	lister := factory.ForResource(gvr).Lister()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "large", Annotations: map[string]string{"a": "b"}}, Data: map[string]string{"k": strings.Repeat("x", 1<<20)}}
	if _, err := client.CoreV1().ConfigMaps(namespace).Create(ctx, cm, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	within(t, "the metadata comes", func() bool {
		o, err := lister.ByNamespace(namespace).Get("large")
		if err != nil {
			return false
		}
		m, ok := o.(*metav1.PartialObjectMetadata)
		return ok && m.Annotations["a"] == "b"
	})
	list, err := meta.Resource(gvr).Namespace(namespace).List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=large"})
	if err != nil || len(list.Items) != 1 || list.Items[0].Annotations["a"] != "b" {
		t.Errorf("listed %+v, %v", list, err)
	}
	heard.only(t, mediaProtobuf)
}

// TestDynamicClient: the dynamic client reads and writes unknown kinds: every served kind can be
// listed and watched, also page by page.
func TestDynamicClient(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), config(t)
	client, err := kubernetes.NewForConfig(c)
	if err != nil {
		t.Fatal(err)
	}
	dyn, err := dynamic.NewForConfig(c)
	if err != nil {
		t.Fatal(err)
	}
	lists, err := discovery.ServerPreferredResources(client.Discovery())
	if err != nil {
		t.Fatal(err)
	}
	groups, err := restmapper.GetAPIGroupResources(client.Discovery())
	if err != nil {
		t.Fatal(err)
	}
	mapper := restmapper.NewDiscoveryRESTMapper(groups)
	listed := discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list"}}, lists)
	gvrs, err := discovery.GroupVersionResources(listed)
	if err != nil || len(gvrs) < 20 {
		t.Fatalf("%d kinds can be listed, %v", len(gvrs), err)
	}
	for gvr := range gvrs {
		list, err := dyn.Resource(gvr).List(ctx, metav1.ListOptions{Limit: 5})
		if err != nil {
			t.Errorf("%s: %v", gvr, err)
			continue
		}
		if gvk, err := mapper.KindFor(gvr); err != nil || list.GetKind() != gvk.Kind+"List" {
			t.Errorf("%s: a %s of kind %s, %v", gvr, list.GetKind(), gvk, err)
		}
	}

	namespace := newNamespace(t, client, "dynamic")
	maps := dyn.Resource(corev1.SchemeGroupVersion.WithResource("configmaps")).Namespace(namespace)
	for range 25 {
		cm := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"generateName": "page-", "labels": map[string]any{"n": "1"}},
		}}
		if _, err := maps.Create(ctx, cm, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	pages := pager.New(pager.SimplePageFunc(func(o metav1.ListOptions) (runtime.Object, error) { return maps.List(ctx, o) }))
	pages.PageSize = 10
	n := 0
	err = pages.EachListItem(ctx, metav1.ListOptions{LabelSelector: "n=1"}, func(runtime.Object) error { n++; return nil })
	if err != nil || n != 25 {
		t.Errorf("pages of %d objects, %v, want 25", n, err)
	}
}

// newNamespace creates a namespace in which Pods may be created.
func newNamespace(t *testing.T, client kubernetes.Interface, name string) string {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := client.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	within(t, "the namespace has its account", func() bool {
		_, err := client.CoreV1().ServiceAccounts(name).Get(t.Context(), "default", metav1.GetOptions{})
		return err == nil
	})
	return name
}

// web makes a Deployment of nginx.
func web(namespace string, replicas int32) *appsv1.Deployment {
	app := map[string]string{"app": "web"}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: namespace, Labels: app},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: app},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: app},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "nginx", Image: "nginx:1.28"}}},
			},
		},
	}
}
