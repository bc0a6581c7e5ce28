package podsetup

import (
	"net"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// serviceVariables are the variables of the Services with an address: always of the Service
// "kubernetes", and of those in the Pod's namespace if the Pod wants them.
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, getServiceEnvVarMap; pkg/kubelet/envvars.
func serviceVariables(pod *corev1.Pod, services []*corev1.Service) map[string]string {
	links := pod.Spec.EnableServiceLinks == nil || *pod.Spec.EnableServiceLinks
	env := map[string]string{}
	for _, s := range services {
		master := s.Namespace == metav1.NamespaceDefault && s.Name == "kubernetes"
		if hasAddress(s) && !(master && hasOwnKubernetes(pod, services, links)) && (master || s.Namespace == pod.Namespace && links) {
			describe(env, s)
		}
	}
	return env
}

// hasOwnKubernetes reports whether the Pod's namespace has a Service that replaces the cluster's
// own.
func hasOwnKubernetes(pod *corev1.Pod, services []*corev1.Service, links bool) bool {
	if !links || pod.Namespace == metav1.NamespaceDefault {
		return false
	}
	for _, s := range services {
		if s.Namespace == pod.Namespace && s.Name == "kubernetes" && hasAddress(s) {
			return true
		}
	}
	return false
}

func hasAddress(s *corev1.Service) bool {
	return s.Spec.ClusterIP != "" && s.Spec.ClusterIP != corev1.ClusterIPNone && len(s.Spec.Ports) > 0
}

// describe adds one Service's variables: WEB_SERVICE_HOST, WEB_SERVICE_PORT, and those of Docker
// links.
func describe(env map[string]string, s *corev1.Service) {
	prefix := variableName(s.Name)
	env[prefix+"_SERVICE_HOST"] = s.Spec.ClusterIP
	env[prefix+"_SERVICE_PORT"] = strconv.Itoa(int(s.Spec.Ports[0].Port))
	for i := range s.Spec.Ports {
		p := &s.Spec.Ports[i]
		port, protocol := strconv.Itoa(int(p.Port)), string(p.Protocol)
		if protocol == "" {
			protocol = string(corev1.ProtocolTCP)
		}
		if p.Name != "" {
			env[prefix+"_SERVICE_PORT_"+variableName(p.Name)] = port
		}
		url := strings.ToLower(protocol) + "://" + net.JoinHostPort(s.Spec.ClusterIP, port)
		if i == 0 {
			env[prefix+"_PORT"] = url
		}
		name := prefix + "_PORT_" + port + "_" + strings.ToUpper(protocol)
		env[name] = url
		env[name+"_PROTO"] = strings.ToLower(protocol)
		env[name+"_PORT"] = port
		env[name+"_ADDR"] = s.Spec.ClusterIP
	}
}

func variableName(s string) string { return strings.ToUpper(strings.ReplaceAll(s, "-", "_")) }
