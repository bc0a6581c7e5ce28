package clients

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	metav1apply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// The sample controller keeps a Deployment for every ConfigMap "site": it applies what it wants,
// owns what it creates, reports in an annotation, and has a finalizer.
const (
	siteManager   = "site-operator"
	siteLabel     = "example.com/is-site"
	siteFinalizer = "example.com/site"
	readyReplicas = "example.com/ready"
)

type siteReconciler struct {
	client.Client
	recorder events.EventRecorder
	farewell *sync.Map // the sites whose finalizer has run
}

func (r *siteReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var site corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !site.DeletionTimestamp.IsZero() {
		r.farewell.Store(site.Name, true)
		controllerutil.RemoveFinalizer(&site, siteFinalizer)
		return ctrl.Result{}, client.IgnoreNotFound(r.Update(ctx, &site))
	}
	if controllerutil.AddFinalizer(&site, siteFinalizer) {
		return ctrl.Result{}, r.Update(ctx, &site) // this triggers another reconcile
	}
	want, err := deploymentOf(&site)
	if err != nil {
		r.recorder.Eventf(&site, nil, corev1.EventTypeWarning, "BadSite", "Reconcile", "%v", err)
		return ctrl.Result{}, nil
	}
	if err := r.Apply(ctx, want, client.FieldOwner(siteManager), client.ForceOwnership); err != nil {
		return ctrl.Result{}, err
	}
	var have appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &have); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // the cache will have it later
	}
	before := site.DeepCopy()
	metav1.SetMetaDataAnnotation(&site.ObjectMeta, readyReplicas, strconv.Itoa(int(have.Status.ReadyReplicas)))
	return ctrl.Result{}, r.Patch(ctx, &site, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
}

// deploymentOf returns the Deployment that a site asks for.
func deploymentOf(site *corev1.ConfigMap) (*appsv1apply.DeploymentApplyConfiguration, error) {
	replicas, err := strconv.ParseInt(site.Data["replicas"], 10, 32)
	if err != nil {
		return nil, fmt.Errorf("replicas: %w", err)
	}
	labels := map[string]string{"site": site.Name}
	owner := metav1apply.OwnerReference().WithAPIVersion("v1").WithKind("ConfigMap").WithName(site.Name).WithUID(site.UID).
		WithController(true).WithBlockOwnerDeletion(true)
	return appsv1apply.Deployment(site.Name, site.Namespace).WithOwnerReferences(owner).WithLabels(labels).
		WithSpec(appsv1apply.DeploymentSpec().WithReplicas(int32(replicas)).WithSelector(metav1apply.LabelSelector().WithMatchLabels(labels)).
			WithTemplate(corev1apply.PodTemplateSpec().WithLabels(labels).
				WithSpec(corev1apply.PodSpec().WithContainers(corev1apply.Container().WithName("web").WithImage("nginx:1.28"))))), nil
}

// sites distinguishes them from other ConfigMaps, such as those that every namespace has.
var sites = predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetLabels()[siteLabel] != "" })

// operator is one process of the controller; another may wait for its lease.
type operator struct {
	client   client.Client
	farewell sync.Map
	elected  <-chan struct{}
	stop     func()
}

func startOperator(t *testing.T, namespace string) *operator {
	t.Helper()
	ctrllog.SetLogger(logr.Discard())
	lease, renew, retry := 3*time.Second, 2*time.Second, 200*time.Millisecond
	mgr, err := ctrl.NewManager(config(t), ctrl.Options{
		Cache:          cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		LeaderElection: true, LeaderElectionID: "site-operator", LeaderElectionNamespace: namespace, LeaderElectionReleaseOnCancel: true,
		LeaseDuration: &lease, RenewDeadline: &renew, RetryPeriod: &retry,
		Metrics: server.Options{BindAddress: "0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := &operator{client: mgr.GetClient(), elected: mgr.Elected()}
	r := &siteReconciler{Client: mgr.GetClient(), recorder: mgr.GetEventRecorder(siteManager), farewell: &o.farewell}
	again := true
	if err := ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}, builder.WithPredicates(sites)).Owns(&appsv1.Deployment{}).
		WithOptions(controller.Options{SkipNameValidation: &again}).Complete(r); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	o.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the manager: %v", err)
		}
	})
	t.Cleanup(o.stop)
	return o
}

// TestControllerRuntime: a controller made with controller-runtime finds everything that it relies
// on: caches over watches, apply, optimistic locks, owners, finalizers, events, and a lease that
// another process takes over.
func TestControllerRuntime(t *testing.T) {
	t.Parallel()
	const namespace = "operator"
	c, err := client.New(config(t), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if err := c.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}); err != nil {
		t.Fatal(err)
	}
	first := startOperator(t, namespace)
	within(t, "the first operator leads", func() bool { return closed(first.elected) })
	second := startOperator(t, namespace)

	isSite := map[string]string{siteLabel: "yes"}
	key := client.ObjectKey{Namespace: namespace, Name: "shop"}
	site := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: key.Name, Namespace: namespace, Labels: isSite}, Data: map[string]string{"replicas": "2"}}
	if err := c.Create(ctx, site); err != nil {
		t.Fatal(err)
	}
	reports := func(n string) func() bool {
		return func() bool { return c.Get(ctx, key, site) == nil && site.Annotations[readyReplicas] == n }
	}
	within(t, "two Pods are reported ready", reports("2"))

	// Another client's change of what the operator owns is undone, and what it does not own is
	// unchanged.
	var d appsv1.Deployment
	if err := c.Get(ctx, key, &d); err != nil {
		t.Fatal(err)
	}
	theirs := d.DeepCopy()
	theirs.Spec.Replicas = new(int32(5))
	theirs.Spec.MinReadySeconds = 1
	if err := c.Patch(ctx, theirs, client.MergeFrom(&d)); err != nil {
		t.Fatal(err)
	}
	within(t, "two replicas are wanted again", func() bool { return c.Get(ctx, key, &d) == nil && *d.Spec.Replicas == 2 })
	if d.Spec.MinReadySeconds != 1 {
		t.Errorf("minReadySeconds is %d, and nobody but its owner may change it", d.Spec.MinReadySeconds)
	}

	if err := c.Delete(ctx, &d); err != nil {
		t.Fatal(err)
	}
	within(t, "another Deployment stands for the one that was deleted", func() bool {
		var now appsv1.Deployment
		return c.Get(ctx, key, &now) == nil && now.UID != d.UID && now.Status.ReadyReplicas == 2
	})

	// The second takes over and continues.
	if closed(second.elected) {
		t.Fatal("two operators lead")
	}
	first.stop()
	within(t, "the second operator leads", func() bool { return closed(second.elected) })
	within(t, "three are wanted", func() bool {
		if err := c.Get(ctx, key, site); err != nil {
			return false
		}
		site.Data["replicas"] = "3"
		err := c.Update(ctx, site)
		if err != nil && !apierrors.IsConflict(err) {
			t.Fatal(err)
		}
		return err == nil
	})
	within(t, "three Pods are reported ready", reports("3"))

	bad := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "bad", Namespace: namespace, Labels: isSite}, Data: map[string]string{"replicas": "many"}}
	if err := c.Create(ctx, bad); err != nil {
		t.Fatal(err)
	}
	within(t, "an event tells of the bad site", func() bool {
		var list eventsv1.EventList
		return c.List(ctx, &list, client.InNamespace(namespace), client.MatchingFields{"reason": "BadSite"}) == nil && len(list.Items) > 0
	})

	if err := c.Delete(ctx, site, client.PropagationPolicy(metav1.DeletePropagationBackground)); err != nil {
		t.Fatal(err)
	}
	within(t, "the site, its Deployment and its Pods are gone", func() bool {
		var pods corev1.PodList
		return apierrors.IsNotFound(c.Get(ctx, key, site)) && apierrors.IsNotFound(c.Get(ctx, key, &d)) &&
			c.List(ctx, &pods, client.InNamespace(namespace), client.MatchingLabels{"site": key.Name}) == nil && len(pods.Items) == 0
	})
	if _, done := second.farewell.Load(key.Name); !done {
		t.Error("the finalizer has not run")
	}
}

// within waits until a condition holds.
func within(t *testing.T, what string, holds func() bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, patience, true, func(context.Context) (bool, error) { return holds(), nil })
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
