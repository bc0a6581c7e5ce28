package controller_test

import (
	"fmt"

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

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/autoscaling"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	servicekind "github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
)

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
	return metav1.OwnerReference{
		APIVersion: version, Kind: kind, Name: name, UID: types.UID(plural + "/" + name),
		Controller: new(true), BlockOwnerDeletion: new(true),
	}
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

// deploymentOf makes a Deployment of an app in the namespace default.
func deploymentOf(app string, replicas int32) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: meta("default", app),
		Spec:       appsv1.DeploymentSpec{Replicas: &replicas, Selector: selecting(app), Template: template(app)},
	}
}

// replicaSetOf makes a ReplicaSet that the Deployment of an app controls.
func replicaSetOf(namespace, name, app string, replicas int32) *appsv1.ReplicaSet {
	return &appsv1.ReplicaSet{
		ObjectMeta: meta(namespace, name, controlledBy("Deployment", app)),
		Spec:       appsv1.ReplicaSetSpec{Replicas: &replicas, Selector: selecting(app), Template: template(app)},
	}
}

// serviceOf makes a Service for the Pods of an app, with its address if there is one.
func serviceOf(namespace, name, app string, addresses ...string) *corev1.Service {
	s := &corev1.Service{ObjectMeta: meta(namespace, name)}
	s.Spec.Selector, s.Spec.Ports = map[string]string{"app": app}, []corev1.ServicePort{{Port: 80}}
	for _, address := range addresses {
		s.Spec.ClusterIP, s.Spec.ClusterIPs = address, addresses
	}
	servicekind.Kind.Default(s)
	return s
}

// bound adds a claim and a volume of a class that are bound to each other.
func (c *costWorld) bound(class, namespace, claim, volume string) {
	c.add(&corev1.PersistentVolumeClaim{
		ObjectMeta: meta(namespace, claim),
		Spec:       corev1.PersistentVolumeClaimSpec{StorageClassName: &class, VolumeName: volume},
	})
	c.add(&corev1.PersistentVolume{
		ObjectMeta: meta("", volume),
		Spec: corev1.PersistentVolumeSpec{
			StorageClassName: class, ClaimRef: &corev1.ObjectReference{Namespace: namespace, Name: claim},
		},
	})
}

// own adds objects of each kind that has a controller, and the objects that belong to them.
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
	c.add(deploymentOf("web", 3))
	c.add(replicaSetOf("default", "web", "web", 2))
	for i := range 3 {
		c.pod(meta("default", fmt.Sprint("web-", i), controlledBy("ReplicaSet", "web")), "node-1", "web")
	}
	old := template("old")
	c.add(&corev1.ReplicationController{
		ObjectMeta: meta("default", "old"),
		Spec: corev1.ReplicationControllerSpec{
			Replicas: new(int32(2)), Selector: map[string]string{"app": "old"}, Template: &old,
		},
	})
	c.pod(meta("default", "old-0", controlledBy("ReplicationController", "old")), "node-1", "old")
	db := &appsv1.StatefulSet{
		ObjectMeta: meta("default", "db"),
		Spec:       appsv1.StatefulSetSpec{Replicas: new(int32(3)), Selector: selecting("db"), Template: template("db")},
	}
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
	c.add(&appsv1.DaemonSet{
		ObjectMeta: meta("default", "daemon"),
		Spec:       appsv1.DaemonSetSpec{Selector: selecting("daemon"), Template: template("daemon")},
	})
	c.pod(meta("default", "daemon-0", controlledBy("DaemonSet", "daemon")), "node-1", "daemon")
	c.pod(meta("default", "daemon-1", controlledBy("DaemonSet", "daemon")), "node-gone", "daemon")
	c.add(&batchv1.Job{
		ObjectMeta: meta("default", "job"),
		Spec: batchv1.JobSpec{
			Parallelism: new(int32(1)), Completions: new(int32(2)), BackoffLimit: new(int32(1)), Selector: selecting("job"),
			Template: template("job"),
		},
	})
	c.pod(meta("default", "job-0", controlledBy("Job", "job")), "node-1", "job", func(p *corev1.Pod) {
		p.Finalizers = []string{batchv1.JobTrackingFinalizer}
	})
	c.add(&batchv1.CronJob{ObjectMeta: meta("default", "cron"), Spec: batchv1.CronJobSpec{Schedule: "* * * * *"}})
	c.add(serviceOf("default", "web", "web", "10.96.7.7"))
	c.add(&corev1.Service{ObjectMeta: meta("default", "manual")})
	c.add(&networkingv1.IPAddress{ObjectMeta: meta("", "10.1.2.3")})
	c.add(&networkingv1.ServiceCIDR{ObjectMeta: meta("", "more"), Spec: networkingv1.ServiceCIDRSpec{CIDRs: []string{"10.1.0.0/16"}}})
	c.add(&corev1.Endpoints{
		ObjectMeta: meta("default", "manual"),
		Subsets:    []corev1.EndpointSubset{{Addresses: []corev1.EndpointAddress{{IP: "10.1.2.3"}}}},
	})
	most := intstr.FromString("50%")
	c.add(&policyv1.PodDisruptionBudget{
		ObjectMeta: meta("default", "web"),
		Spec:       policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &most, Selector: selecting("web")},
	})
	c.add(&corev1.ConfigMap{ObjectMeta: meta("default", "config")})
	doomed := &corev1.ConfigMap{ObjectMeta: meta("default", "doomed")}
	doomed.Finalizers, doomed.DeletionTimestamp = []string{metav1.FinalizerDeleteDependents}, &now
	c.add(doomed)
	for i := range 3 {
		owner := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "doomed", UID: "configmaps/doomed"}
		c.add(&corev1.ConfigMap{ObjectMeta: meta("default", fmt.Sprint("below-", i), owner)})
	}
	c.add(&storagev1.StorageClass{ObjectMeta: meta("", "slow"), Provisioner: "rowlock.io/emulated"})
	c.add(&storagev1.VolumeAttributesClass{ObjectMeta: meta("", "gold"), DriverName: "rowlock.io/emulated"})
	c.bound("slow", "default", "claim", "volume")
	c.add(autoscaler("default", "web", "Deployment", "web"))
	c.add(&corev1.ResourceQuota{ObjectMeta: meta("ending", "quota")})
	c.add(&certificatesv1.CertificateSigningRequest{
		ObjectMeta: meta("", "node"),
		Spec:       certificatesv1.CertificateSigningRequestSpec{SignerName: certificatesv1.KubeletServingSignerName},
	})
	defined := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: meta("", "ending"), Spec: apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "example.com", Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "crons", Singular: "cron", Kind: "Cron", ListKind: "CronList"},
	}}
	defined.DeletionTimestamp, defined.Finalizers = &now, []string{apiextensionsv1.CustomResourceCleanupFinalizer}
	c.add(defined)
	c.add(&fault.Fault{ObjectMeta: meta("", "fault"), Spec: fault.Spec{Node: &fault.Node{Name: "node-1"}}})
}

// autoscaler makes a HorizontalPodAutoscaler of a workload of apps/v1.
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
			m := meta(fmt.Sprint("beside-", i%7), name)
			c.add(serviceOf(m.Namespace, name, other))
			m.Labels = map[string]string{discoveryv1.LabelServiceName: name}
			c.add(&discoveryv1.EndpointSlice{ObjectMeta: m})
		case 7:
			c.bound("other", namespace, name, name)
		case 8:
			c.add(replicaSetOf(namespace, name, other, 0))
			c.add(autoscaler(namespace, name, "ReplicaSet", name))
		case 9:
			c.add(&batchv1.Job{ObjectMeta: meta(namespace, name), Spec: batchv1.JobSpec{Selector: selecting(other), Template: template(other)}})
		}
	}
}
