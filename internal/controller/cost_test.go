package controller_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/autoscaling"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	servicekind "github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/garbagecollector"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// emptyLog is the log of an empty database.
type emptyLog struct{ mirror.Log }

func (emptyLog) Revision(context.Context) (newest, compacted object.Revision, err error) {
	return 0, 0, nil
}
func (emptyLog) Heads(context.Context, types.UID, int) ([]*object.Version, error) { return nil, nil }
func (emptyLog) After(context.Context, object.Revision, int) ([]*object.Version, error) {
	return nil, nil
}
func (emptyLog) Holds(context.Context, object.Revision, types.UID, time.Time) (bool, error) {
	return true, nil
}

// cost is what one sync touches.
type cost struct {
	Visits, Decodes int64 // versions that the view returned, and bodies decoded
	Writes          int   // objects that the plan changes, events and wakeups included
}

// costWorld is a cluster in memory: the objects that the syncs are about, and a number of others.
type costWorld struct {
	t      *testing.T
	mirror *mirror.Mirror
	world  world.World
	visits *atomic.Int64

	longest *atomic.Int64 // the most versions visited during one Read
	made    []*object.Version
	kinds   map[string]*kind.Kind // by the Go types of their objects
}

func newCostWorld(t *testing.T, beside int) *costWorld {
	t.Helper()
	c := &costWorld{t: t, visits: &atomic.Int64{}, longest: &atomic.Int64{}, kinds: map[string]*kind.Kind{}}
	c.world = world.World{
		Kinds: builtin.Catalogue(), Images: emulator.NewCatalogue(), Nodes: world.NewNodes(), Expiry: world.NewExpiry(), Tally: world.NewTally(), EndedPods: 5,
	}
	for _, k := range c.world.Kinds.Stored() {
		c.kinds[fmt.Sprintf("%T", k.New())] = k
	}
	c.mirror = mirror.New(emptyLog{}, mirror.Config{
		Indexes: mirror.Indexes(), Observers: []mirror.Observer{c.world.Nodes, c.world.Expiry, c.world.Tally}, Visits: c.visits, Longest: c.longest, Poll: time.Hour, MaxStale: time.Hour,
	}, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = c.mirror.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	eventually(t, "the mirror is loaded", func() bool { return c.mirror.Ready() == nil })
	c.own()
	c.beside(beside)
	c.mirror.Committed(c.made)
	return c
}

// add adds an object; its name is its uid if it has none.
func (c *costWorld) add(o object.Object) {
	c.t.Helper()
	k := c.kinds[fmt.Sprintf("%T", o)]
	if o.GetUID() == "" {
		o.SetUID(types.UID(k.Plural + "/" + o.GetName()))
	}
	if created := o.GetCreationTimestamp(); created.IsZero() {
		o.SetCreationTimestamp(metav1.Time{Time: start})
	}
	v := &object.Version{
		Type: &k.Type, Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(),
		Revision: object.Revision(len(c.made) + 1), Verb: object.Created, At: start,
	}
	body, err := object.Encode(v.Type, o)
	if err != nil {
		c.t.Fatal(err)
	}
	v.SetBody(body)
	c.made = append(c.made, v)
}

// commit adds objects to a cluster that has some already.
func (c *costWorld) commit(add func()) {
	c.made = nil
	add()
	for i, v := range c.made {
		v.Revision = c.mirror.Revision() + object.Revision(i+1)
	}
	c.mirror.Committed(c.made)
}

func meta(namespace, name string, owner ...metav1.OwnerReference) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name, OwnerReferences: owner}
}

func controlledBy(kind, name string) metav1.OwnerReference {
	plural := map[string]string{
		"ReplicaSet": "replicasets", "Deployment": "deployments", "Job": "jobs", "CronJob": "cronjobs",
		"DaemonSet": "daemonsets", "ReplicationController": "replicationcontrollers", "StatefulSet": "statefulsets",
	}[kind]
	version := "apps/v1"
	switch kind {
	case "Job", "CronJob":
		version = "batch/v1"
	case "ReplicationController":
		version = "v1"
	}
	return metav1.OwnerReference{APIVersion: version, Kind: kind, Name: name, UID: types.UID(plural + "/" + name), Controller: new(true), BlockOwnerDeletion: new(true)}
}

// pod adds a running Pod.
func (c *costWorld) pod(m metav1.ObjectMeta, node, app string, shape ...func(*corev1.Pod)) {
	pod := &corev1.Pod{ObjectMeta: m}
	pod.Labels = map[string]string{"app": app}
	pod.Spec.NodeName, pod.Spec.Containers = node, []corev1.Container{{Name: "c", Image: "nginx"}}
	pod.Status = corev1.PodStatus{Phase: corev1.PodRunning, PodIP: fmt.Sprintf("10.%d.%d.%d", len(c.made)>>16&255, len(c.made)>>8&255, len(c.made)&255)}
	pod.Status.StartTime = &metav1.Time{Time: start}
	for _, f := range shape {
		f(pod)
	}
	podkind.Kind.Default(pod)
	c.add(pod)
}

func selecting(app string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
}

func template(app string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": app}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx"}}},
	}
}

// own adds what is synced: objects of each kind that has a controller, and what belongs to them.
func (c *costWorld) own() {
	now := metav1.Time{Time: start}
	c.add(&corev1.Namespace{ObjectMeta: meta("", "default"), Spec: corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{"kubernetes"}}})
	ending := &corev1.Namespace{ObjectMeta: meta("", "ending"), Spec: corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{"kubernetes"}}}
	ending.DeletionTimestamp = &now
	c.add(ending)
	for i := range 3 {
		c.add(&corev1.ConfigMap{ObjectMeta: meta("ending", fmt.Sprint("c-", i))})
	}
	c.add(nodelifecycle.DefaultNode(1, nil, start))
	out := nodelifecycle.DefaultNode(2, nil, start)
	out.Spec.Taints = []corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoExecute}}
	c.add(out)
	for i := range 20 {
		c.add(nodelifecycle.DefaultNode(100+i, nil, start))
	}
	c.add(&appsv1.Deployment{ObjectMeta: meta("default", "web"), Spec: appsv1.DeploymentSpec{Replicas: new(int32(3)), Selector: selecting("web"), Template: template("web")}})
	c.add(&appsv1.ReplicaSet{
		ObjectMeta: meta("default", "web", controlledBy("Deployment", "web")),
		Spec:       appsv1.ReplicaSetSpec{Replicas: new(int32(2)), Selector: selecting("web"), Template: template("web")},
	})
	for i := range 3 {
		c.pod(meta("default", fmt.Sprint("web-", i), controlledBy("ReplicaSet", "web")), "node-1", "web")
	}
	old := template("old")
	c.add(&corev1.ReplicationController{ObjectMeta: meta("default", "old"), Spec: corev1.ReplicationControllerSpec{Replicas: new(int32(2)), Selector: map[string]string{"app": "old"}, Template: &old}})
	c.pod(meta("default", "old-0", controlledBy("ReplicationController", "old")), "node-1", "old")
	db := &appsv1.StatefulSet{ObjectMeta: meta("default", "db"), Spec: appsv1.StatefulSetSpec{Replicas: new(int32(3)), Selector: selecting("db"), Template: template("db")}}
	db.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{{ObjectMeta: meta("", "data")}}
	apps.StatefulSet.Default(db)
	c.add(db)
	c.pod(meta("default", "db-0", controlledBy("StatefulSet", "db")), "node-1", "db")
	c.add(&corev1.PersistentVolumeClaim{ObjectMeta: meta("default", "data-db-0")})
	c.pod(meta("default", "evicted"), "node-2", "evicted")
	c.pod(meta("default", "waiting"), "", "waiting", func(p *corev1.Pod) { p.Status = corev1.PodStatus{Phase: corev1.PodPending} })
	c.pod(meta("default", "device"), "", "device", func(p *corev1.Pod) {
		p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "device", ResourceClaimTemplateName: new("device")}}
	})
	c.add(&resourcev1.ResourceClaimTemplate{ObjectMeta: meta("default", "device")})
	used := &resourcev1.ResourceClaim{ObjectMeta: meta("default", "device")}
	used.Status.Allocation = &resourcev1.AllocationResult{}
	used.Status.ReservedFor = []resourcev1.ResourceClaimConsumerReference{{Resource: "pods", Name: "gone", UID: "gone"}}
	c.add(used)
	for i := range 7 {
		c.pod(meta("default", fmt.Sprint("ended-", i)), "node-1", "ended", func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded })
	}
	c.add(&appsv1.DaemonSet{ObjectMeta: meta("default", "daemon"), Spec: appsv1.DaemonSetSpec{Selector: selecting("daemon"), Template: template("daemon")}})
	c.pod(meta("default", "daemon-0", controlledBy("DaemonSet", "daemon")), "node-1", "daemon")
	c.pod(meta("default", "daemon-1", controlledBy("DaemonSet", "daemon")), "node-gone", "daemon")
	c.add(&batchv1.Job{
		ObjectMeta: meta("default", "job"),
		Spec: batchv1.JobSpec{
			Parallelism: new(int32(1)), Completions: new(int32(2)), BackoffLimit: new(int32(1)), Selector: selecting("job"),
			Template: template("job"),
		},
	})
	c.pod(meta("default", "job-0", controlledBy("Job", "job")), "node-1", "job", func(p *corev1.Pod) { p.Finalizers = []string{batchv1.JobTrackingFinalizer} })
	c.add(&batchv1.CronJob{ObjectMeta: meta("default", "cron"), Spec: batchv1.CronJobSpec{Schedule: "* * * * *"}})
	service := &corev1.Service{ObjectMeta: meta("default", "web"), Spec: corev1.ServiceSpec{Selector: map[string]string{"app": "web"}, Ports: []corev1.ServicePort{{Port: 80}}}}
	service.Spec.ClusterIP, service.Spec.ClusterIPs = "10.96.7.7", []string{"10.96.7.7"}
	servicekind.Kind.Default(service)
	c.add(service)
	c.add(&corev1.Service{ObjectMeta: meta("default", "manual")})
	c.add(&networkingv1.IPAddress{ObjectMeta: meta("", "10.1.2.3")})
	c.add(&networkingv1.ServiceCIDR{ObjectMeta: meta("", "more"), Spec: networkingv1.ServiceCIDRSpec{CIDRs: []string{"10.1.0.0/16"}}})
	c.add(&corev1.Endpoints{ObjectMeta: meta("default", "manual"), Subsets: []corev1.EndpointSubset{{Addresses: []corev1.EndpointAddress{{IP: "10.1.2.3"}}}}})
	most := intstr.FromString("50%")
	c.add(&policyv1.PodDisruptionBudget{ObjectMeta: meta("default", "web"), Spec: policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &most, Selector: selecting("web")}})
	c.add(&corev1.ConfigMap{ObjectMeta: meta("default", "config")})
	doomed := &corev1.ConfigMap{ObjectMeta: meta("default", "doomed")}
	doomed.Finalizers, doomed.DeletionTimestamp = []string{metav1.FinalizerDeleteDependents}, &now
	c.add(doomed)
	for i := range 3 {
		c.add(&corev1.ConfigMap{ObjectMeta: meta("default", fmt.Sprint("below-", i), metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "doomed", UID: "configmaps/doomed"})})
	}
	c.add(&storagev1.StorageClass{ObjectMeta: meta("", "slow"), Provisioner: "rowlock.io/emulated"})
	c.add(&storagev1.VolumeAttributesClass{ObjectMeta: meta("", "gold"), DriverName: "rowlock.io/emulated"})
	class := "slow"
	c.add(&corev1.PersistentVolumeClaim{ObjectMeta: meta("default", "claim"), Spec: corev1.PersistentVolumeClaimSpec{StorageClassName: &class, VolumeName: "volume"}})
	c.add(&corev1.PersistentVolume{ObjectMeta: meta("", "volume"), Spec: corev1.PersistentVolumeSpec{StorageClassName: class, ClaimRef: &corev1.ObjectReference{Namespace: "default", Name: "claim"}}})
	c.add(autoscaler("default", "web", "Deployment", "web"))
	c.add(&corev1.ResourceQuota{ObjectMeta: meta("ending", "quota")})
	c.add(&certificatesv1.CertificateSigningRequest{ObjectMeta: meta("", "node"), Spec: certificatesv1.CertificateSigningRequestSpec{SignerName: certificatesv1.KubeletServingSignerName}})
	defined := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: meta("", "ending"), Spec: apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "example.com", Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "crons", Singular: "cron", Kind: "Cron", ListKind: "CronList"},
	}}
	defined.DeletionTimestamp, defined.Finalizers = &now, []string{apiextensionsv1.CustomResourceCleanupFinalizer}
	c.add(defined)
	c.add(&fault.Fault{ObjectMeta: meta("", "fault"), Spec: fault.Spec{Node: &fault.Node{Name: "node-1"}}})
}

// autoscaler makes one that scales a workload of apps/v1.
func autoscaler(namespace, name, of, target string) *autoscalingv2.HorizontalPodAutoscaler {
	hpa := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: meta(namespace, name), Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
		ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: of, Name: target}, MaxReplicas: 5,
	}}
	autoscaling.HorizontalPodAutoscaler.Default(hpa)
	return hpa
}

// beside adds objects unrelated to the cluster's own: in the same namespace and in others, on the
// cluster's nodes.
func (c *costWorld) beside(n int) {
	for i := range 10 {
		c.add(&corev1.Namespace{ObjectMeta: meta("", fmt.Sprint("beside-", i))})
	}
	class := "other"
	for i := range n / 100 {
		c.add(definition(fmt.Sprint("others", i), "Accepted"))
	}
	for i := range n {
		namespace, name, node := "default", fmt.Sprintf("beside-%05d", i), fmt.Sprint("node-", 100+i%20)
		if i%3 > 0 {
			namespace = fmt.Sprint("beside-", i%10)
		}
		other := fmt.Sprint("other-", i%100)
		switch i % 10 {
		case 0, 1, 2:
			c.pod(meta(namespace, name, controlledBy("ReplicaSet", other)), node, other)
		case 3:
			c.pod(meta(namespace, name), node, other) // without a controller
		case 4:
			c.add(&corev1.ConfigMap{ObjectMeta: meta(namespace, name)})
		case 5:
			c.add(&corev1.Event{ObjectMeta: meta(namespace, name)})
		case 6:
			s := &corev1.Service{ObjectMeta: meta(fmt.Sprint("beside-", i%7), name), Spec: corev1.ServiceSpec{Selector: map[string]string{"app": other}, Ports: []corev1.ServicePort{{Port: 80}}}}
			servicekind.Kind.Default(s)
			c.add(s)
			c.add(&discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: name, Labels: map[string]string{discoveryv1.LabelServiceName: name}}})
		case 7:
			c.add(&corev1.PersistentVolumeClaim{ObjectMeta: meta(namespace, name), Spec: corev1.PersistentVolumeClaimSpec{StorageClassName: &class, VolumeName: name}})
			c.add(&corev1.PersistentVolume{ObjectMeta: meta("", name), Spec: corev1.PersistentVolumeSpec{StorageClassName: class, ClaimRef: &corev1.ObjectReference{Namespace: namespace, Name: name}}})
		case 8:
			c.add(&appsv1.ReplicaSet{
				ObjectMeta: meta(namespace, name, controlledBy("Deployment", other)),
				Spec:       appsv1.ReplicaSetSpec{Replicas: new(int32(0)), Selector: selecting(other), Template: template(other)},
			})
			c.add(autoscaler(namespace, name, "ReplicaSet", name))
		case 9:
			c.add(&batchv1.Job{ObjectMeta: meta(namespace, name), Spec: batchv1.JobSpec{Selector: selecting(other), Template: template(other)}})
		}
	}
}

// plan returns what a controller with a Gather plans for an object.
func (c *costWorld) plan(controller engine.Controller, look engine.Request, now time.Time) (p plan.Plan) {
	var gathered []engine.Gathered
	c.mirror.Read(func(v mirror.View) { gathered = controller.Gather(v, []engine.Request{look}, now) })
	for _, g := range gathered {
		p = g.Plan(nil)
	}
	return p
}

// sync returns what one sync of a controller touches.
func (c *costWorld) sync(controller engine.Controller, look engine.Request) cost {
	c.t.Helper()
	return c.syncAt(controller, look, start)
}

// syncAt is sync at a time.
func (c *costWorld) syncAt(controller engine.Controller, look engine.Request, now time.Time) (of cost) {
	c.t.Helper()
	visits, decodes := c.visits.Load(), object.Decodes()
	count := func(p plan.Plan) {
		of.Writes += len(p.Creates) + len(p.Updates) + len(p.Deletes) + len(p.Events) + len(p.Wakes)
	}
	var gathered []engine.Gathered
	c.mirror.Read(func(v mirror.View) {
		if controller.Gather != nil {
			gathered = controller.Gather(v, []engine.Request{look}, now)
			return
		}
		for _, p := range controller.Reconcile(v, []engine.Request{look}, now) {
			count(p.Plan)
		}
	})
	for _, g := range gathered {
		count(g.Plan(nil))
	}
	of.Visits, of.Decodes = c.visits.Load()-visits, object.Decodes()-decodes
	return of
}

// synced is what each controller is asked to sync: the uids of objects in costWorld.own. The test
// fails if a controller is missing here.
var synced = map[string][]types.UID{
	names.Deployment:            {"deployments/web"},
	names.ReplicaSet:            {"replicasets/web"},
	names.StatefulSet:           {"statefulsets/db"},
	names.ReplicationController: {"replicationcontrollers/old"},
	names.DaemonSet:             {"daemonsets/daemon"},
	names.DaemonSetNode:         {"nodes/node-1"},
	names.DaemonSetGone:         {wakeup.HousekeepingLock},
	names.Job:                   {"jobs/job"},
	names.JobPod:                {"pods/job-0"},
	names.CronJob:               {"cronjobs/cron"},
	names.TTLAfterFinished:      {"jobs/job"},
	names.GarbageCollector:      {"configmaps/doomed", "replicasets/web", "pods/web-0"},
	names.Namespace:             {"namespaces/ending", "namespaces/default"},
	names.ServiceAccount:        {"namespaces/default"},
	names.ServiceAccountToken:   {"namespaces/default"},
	names.ResourceQuota:         {"resourcequotas/quota"},
	names.KubernetesService:     {"namespaces/default"},
	names.Endpoints:             {"services/web"},
	names.Disruption:            {"poddisruptionbudgets/web"},
	names.StaleDisruption:       {"pods/web-0"},
	names.Configuration:         {"configmaps/config"},
	names.NodeLifecycle:         {"nodes/node-1"},
	names.NodeDisruption:        {wakeup.HousekeepingLock},
	names.NodePods:              {"nodes/node-1"},
	names.TaintEviction:         {"nodes/node-2"},
	names.Fault:                 {"faults/fault"},
	names.PersistentVolumeClaim: {"persistentvolumeclaims/claim"},
	names.PersistentVolume:      {"persistentvolumes/volume"},
	names.VolumeClass:           {"storageclasses/slow", "volumeattributesclasses/gold"},
	names.EphemeralVolume:       {"pods/web-0"},
	names.ResourceClaim:         {"pods/device", "resourceclaims/device"},
	names.PodGC:                 {wakeup.HousekeepingLock},
	names.EventExpiry:           {wakeup.HousekeepingLock},
	names.Scheduler:             {"pods/waiting"},
	names.Kubelet:               {"pods/web-0"},
	names.KubeletBacklog:        {"pods/web-0"},
	names.KubeletTermination:    {"pods/web-0"},

	names.CertificateSigningRequest: {"certificatesigningrequests/node"},
	names.FlowControl:               {"namespaces/default"},
	names.ClusterRoleAggregation:    {"namespaces/default"},
	names.CustomResourceDefinition:  {"customresourcedefinitions/ending"},
	names.CustomResourceCleanup:     {"customresourcedefinitions/ending"},

	names.HorizontalPodAutoscaler: {"horizontalpodautoscalers/web"},
	names.EndpointSliceMirroring:  {"endpoints/manual"},
	names.IPAddress:               {"services/web", "ipaddresses/10.1.2.3"},
	names.ServiceCIDR:             {"servicecidrs/more"},
}

// TestCost_OfASync: the cost is the same in a small cluster and in a large one (S16). It is
// measured in counts, because times say little.
//
//nolint:paralleltest // bodies are counted that the whole process decodes
func TestCost_OfASync(t *testing.T) {
	small, large := newCostWorld(t, 1000), newCostWorld(t, 20_000)
	smallControllers := controller.Controllers(small.world)
	for i, controller := range controller.Controllers(large.world) {
		uids := synced[controller.Name]
		if len(uids) == 0 {
			t.Errorf("the controller %s is new: say in the table what it syncs", controller.Name)
		}
		for _, uid := range uids {
			look := engine.Request{UID: uid}
			if controller.Quotas {
				look.Quota = &store.QuotaState{Counting: true}
			}
			if uid == "horizontalpodautoscalers/web" {
				look.Memory = []byte(`{"due":"2026-01-01T00:00:00Z"}`) // long ago
			}
			small.sync(smallControllers[i], look) // decodes what belongs to the object
			large.sync(controller, look)
			want, got := small.sync(smallControllers[i], look), large.sync(controller, look)
			if diff := cmp.Diff(want, got); diff != "" || got.Visits == 0 && controller.Lock == "" {
				t.Errorf("%s of %s (-small +large):\n%s", controller.Name, uid, diff)
			}
			t.Logf("%-22s %-32s %+v", controller.Name, uid, got)
		}
	}
}

// TestCost_IsBoundedByABurst: this holds if very much belongs to one object, however much of it is
// already being deleted.
//
//nolint:paralleltest // as above
func TestCost_IsBoundedByABurst(t *testing.T) {
	c := newCostWorld(t, 0)
	const many = 3000
	now := metav1.Time{Time: start}
	c.commit(func() {
		for _, owner := range []string{"half-gone", "orphaning"} {
			cm := &corev1.ConfigMap{ObjectMeta: meta("default", owner)}
			cm.DeletionTimestamp, cm.Finalizers = &now, []string{metav1.FinalizerDeleteDependents}
			if owner == "orphaning" {
				cm.Finalizers = []string{metav1.FinalizerOrphanDependents}
			}
			c.add(cm)
			for i := range 2 * many {
				ref := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: owner, UID: types.UID("configmaps/" + owner), BlockOwnerDeletion: new(true)}
				d := &corev1.ConfigMap{ObjectMeta: meta("default", fmt.Sprintf("%s-%05d", owner, i), ref)}
				if d.Finalizers = []string{"example.com/held"}; i < many {
					d.DeletionTimestamp = &now
				}
				c.add(d)
			}
		}
		for i := range many {
			pod := &corev1.Pod{ObjectMeta: meta("default", fmt.Sprintf("ended-%05d", i))}
			pod.Status.Phase = corev1.PodFailed
			c.add(pod)
		}
	})
	for _, ctl := range controller.Controllers(c.world) {
		var uids []types.UID
		switch ctl.Name {
		case names.GarbageCollector:
			uids = []types.UID{"configmaps/half-gone", "configmaps/orphaning"}
		case names.PodGC:
			uids = []types.UID{wakeup.HousekeepingLock}
		}
		for _, uid := range uids {
			got := c.sync(ctl, engine.Request{UID: uid})
			if got.Writes < 400 || got.Writes > 1001 || got.Visits > 6*garbagecollector.Burst+20 {
				t.Errorf("%s of %s touches %+v", ctl.Name, uid, got)
			}
			t.Logf("%s of %s: %+v", ctl.Name, uid, got)
		}
	}
}
