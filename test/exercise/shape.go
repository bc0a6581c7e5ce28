package exercise

import (
	"fmt"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The namespaces of the load. Calm workloads are only changed by requests, and so keep every bound;
// those in the storm lose Pods, labels and nodes.
const (
	calm  = "calm"
	storm = "storm"
	work  = "work"
	hot   = "hot"
	edge  = "edge" // has a quota, and clients that want more
	// passing is the prefix of the names of temporary namespaces.
	passing = "passing-"
)

// The resources that several actors use.
const (
	podsOf        = "pods"
	deploymentsOf = "deployments.apps"
	setsOf        = "replicasets.apps"
	daemonsOf     = "daemonsets.apps"
	jobsOf        = "jobs.batch"
	statefulOf    = "statefulsets.apps"
	claimsOf      = "persistentvolumeclaims"
	configMapsOf  = "configmaps"
)

// nodes is how many nodes there are. The last ones, from failing on, fail now and then; calm
// workloads avoid them.
const nodes, failing = 6, 5

// The options that the replicas must be started with.
const (
	Nodes        = "--nodes=6"
	NodeCapacity = "--node-capacity=cpu=16,memory=64Gi,pods=40"
)

// template makes Pods that start and stop quickly.
func template(namespace, app, image string) corev1.PodTemplateSpec {
	t := corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": app}},
		Spec: corev1.PodSpec{
			TerminationGracePeriodSeconds: new(int64(2)),
			Containers: []corev1.Container{{Name: "main", Image: image, Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("250m"), corev1.ResourceMemory: resource.MustParse("64Mi")},
			}}},
		},
	}
	if namespace == calm {
		var away []string
		for n := failing; n <= nodes; n++ {
			away = append(away, "node-"+strconv.Itoa(n))
		}
		t.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{
				{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpNotIn, Values: away},
			}}},
		}}}
		return t
	}
	for _, taint := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		t.Spec.Tolerations = append(t.Spec.Tolerations, corev1.Toleration{
			Key: taint, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute,
			TolerationSeconds: new(int64(10)),
		})
	}
	return t
}

// withInit makes the Pods run a program before their containers.
func withInit(t corev1.PodTemplateSpec) corev1.PodTemplateSpec {
	t.Spec.InitContainers = []corev1.Container{{Name: "first", Image: "busybox", Command: []string{"sh", "-c", "echo begin; sleep 1"}}}
	return t
}

func deploymentOf(namespace, name string, n int32) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &n, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}, RevisionHistoryLimit: new(int32(3)),
			Template: template(namespace, name, "nginx:1.29"),
			Strategy: appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: &appsv1.RollingUpdateDeployment{
				MaxSurge: new(intstr.FromInt32(2)), MaxUnavailable: new(intstr.FromInt32(1)),
			}},
		},
	}
}

// daemonSetOf runs a small Pod on every node, including those that fail.
func daemonSetOf(name string) *appsv1.DaemonSet {
	t := template(storm, name, "nginx:1.29")
	t.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("10m")}
	return &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: appsv1.DaemonSetSpec{
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}, RevisionHistoryLimit: new(int32(2)), Template: t,
	}}
}

// jobOf makes a Job of n completions, each of which takes seconds; if flaky, one of three attempts
// fails.
func jobOf(name string, n int32, indexed, flaky bool) *batchv1.Job {
	t := template(work, name, "busybox")
	t.Labels = nil
	t.Spec.RestartPolicy = corev1.RestartPolicyNever
	t.Spec.Containers[0].Command = []string{"sh", "-c", "sleep 2; exit 0"}
	if flaky {
		t.Spec.Containers[0].Command = []string{"sh", "-c", "sleep 1; exit $(( $(hostname | cksum | cut -d ' ' -f 1) % 3 == 0 ))"}
	}
	mode := batchv1.NonIndexedCompletion
	if indexed {
		mode = batchv1.IndexedCompletion
	}
	return &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: batchv1.JobSpec{
		Completions: &n, Parallelism: new(int32(3)), BackoffLimit: new(int32(20)), CompletionMode: &mode, Template: t,
	}}
}

func cronJobOf(name string) *batchv1.CronJob {
	return &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: batchv1.CronJobSpec{
		Schedule: "* * * * *", ConcurrencyPolicy: batchv1.ForbidConcurrent, SuccessfulJobsHistoryLimit: new(int32(2)),
		JobTemplate: batchv1.JobTemplateSpec{Spec: jobOf(name, 2, false, false).Spec},
	}}
}

func serviceOf(app string) *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: app}, Spec: corev1.ServiceSpec{
		Type: corev1.ServiceTypeNodePort, Selector: map[string]string{"app": app}, Ports: []corev1.ServicePort{{Port: 80}},
	}}
}

func scaleTo(n int) string { return fmt.Sprintf(`{"spec":{"replicas":%d}}`, n) }

func rollTo(image string) string {
	return fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"main","image":%q}]}}}}`, image)
}
