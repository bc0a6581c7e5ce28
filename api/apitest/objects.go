package apitest

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Paths of the namespace that every cluster has.
const (
	ConfigMapsPath = "/api/v1/namespaces/default/configmaps"
	PodsPath       = "/api/v1/namespaces/default/pods"
)

// Headers that say what a request's body is.
const (
	YAMLBody       = "Content-Type: application/yaml"
	JSONPatch      = "Content-Type: application/json-patch+json"
	MergePatch     = "Content-Type: application/merge-patch+json"
	StrategicPatch = "Content-Type: application/strategic-merge-patch+json"
)

// Protobuf is the media type of Kubernetes' protobuf.
const Protobuf = "application/vnd.kubernetes.protobuf"

// Headers that ask for an object or a list in another form.
const (
	AsTable   = "Accept: application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
	AsPartial = "Accept: application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json"
	AsList    = "Accept: application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json"
)

// Pod returns a Pod with one container.
func Pod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: types.UID("uid-" + name)},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx"}}},
	}
}

// FullPod returns a running Pod of about 4 KiB.
func FullPod(name string) *corev1.Pod {
	p := Pod(name)
	p.Labels = map[string]string{"app": "web", "pod-template-hash": "5d78c9869d"}
	p.Status.Phase = corev1.PodRunning
	for i := range 8 {
		p.Spec.Containers[0].Env = append(p.Spec.Containers[0].Env, corev1.EnvVar{Name: fmt.Sprint("VAR_", i), Value: strings.Repeat("v", 300)})
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
			Type: corev1.PodConditionType(fmt.Sprint("Condition", i)), Status: "True", LastTransitionTime: metav1.NewTime(Now),
		})
	}
	return p
}

// ConfigMap returns a ConfigMap with one entry.
func ConfigMap(name, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: types.UID("uid-" + name)},
		Data:       map[string]string{"k": value},
	}
}

// Deployment returns a Deployment whose Pods have one container.
func Deployment(name string, replicas int32) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx"}}},
			},
		},
	}
}

// Node returns a Node with a kubelet.
func Node(name string, annotations map[string]string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: "n", Annotations: annotations}}
	n.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "192.168.0.1"}}
	n.Status.DaemonEndpoints.KubeletEndpoint.Port = 10250
	return n
}
