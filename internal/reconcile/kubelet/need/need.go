// Package need determines what the snapshot of a Pod must have besides the Pod and its node: the
// objects that it refers to, and what its processes ask about the cluster.
package need

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/form"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/reconcile/network"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// MostAnswers is the maximum number of questions answered in one sync.
const MostAnswers = 100

// RootCA is the ConfigMap that every namespace gets shortly after its creation.
const RootCA = "kube-root-ca.crt"

// IsTokenVolume reports whether the volume is the one that the API adds to every Pod for its token.
func IsTokenVolume(v *corev1.Volume) bool {
	return v.Projected != nil && strings.HasPrefix(v.Name, "kube-api-access-")
}

// Needs is what a snapshot must have besides the Pod and its node.
type Needs struct {
	// ConfigMaps and Secrets are names in the Pod's namespace. Those that exist must be in
	// Surroundings.
	ConfigMaps, Secrets []string

	// Services is true if Surroundings must have the Services of the Pod's namespace and
	// "kubernetes" of the namespace default.
	Services bool

	// Queries are what the Pod's processes ask about the cluster: see Outside. Callees are other
	// Pods that they have already called.
	Queries []emulator.Query
	Callees []types.UID

	// Client is the Pod as it connects to others.
	Client network.Client
}

// Of is what the snapshot of a Pod needs, given what is stored for it.
func Of(pod *corev1.Pod, remembered []byte, images *emulator.Catalogue) Needs {
	if podstate.Terminal(pod) && pod.DeletionTimestamp == nil {
		return Needs{}
	}
	var n Needs
	inMachine := len(remembered) > 0 || form.NeedsMachine(pod, images)
	if inMachine || refers(&pod.Spec) {
		n.ConfigMaps, n.Secrets = podsetup.References(&pod.Spec)
	}
	if !inMachine {
		return n
	}
	n.Services, n.Client = true, network.ClientOf(pod)
	if m, err := memory.Decode(remembered); err == nil { // a damaged one is replaced
		n.Client.Affinity = m.Affinity
		for _, c := range m.Calls {
			n.Callees = append(n.Callees, c.Callee)
		}
		for _, q := range m.Queries[:min(len(m.Queries), MostAnswers)] {
			if !slices.ContainsFunc(m.Calls, func(c memory.Call) bool { return c.ID == q.ID }) {
				n.Queries = append(n.Queries, q)
			}
		}
	}
	return n
}

// Asks reports whether a snapshot must have an Outside.
func (n *Needs) Asks() bool { return len(n.Queries)+len(n.Callees) > 0 }

// And combines the needs of both.
func (n Needs) And(other Needs) Needs {
	n.ConfigMaps, n.Secrets = append(slices.Clip(n.ConfigMaps), other.ConfigMaps...), append(slices.Clip(n.Secrets), other.Secrets...)
	n.Services = n.Services || other.Services
	return n
}

// ToConnect is what a Peer's surroundings must have: nothing if a machine is stored. Of the
// other Pods only servers accept connections, and these behave the same in every environment. So
// Services are needed only if a command line or a variable refers to another variable.
func ToConnect(pod *corev1.Pod, remembered []byte) Needs {
	n := ToRead(pod, remembered)
	n.Services = n.Services && expands(&pod.Spec)
	return n
}

// expands reports whether any container has a $(NAME) in its command line or its environment.
func expands(spec *corev1.PodSpec) bool {
	has := func(s string) bool { return strings.Contains(s, "$(") }
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			c := &list[i]
			if slices.ContainsFunc(c.Command, has) || slices.ContainsFunc(c.Args, has) ||
				slices.ContainsFunc(c.Env, func(e corev1.EnvVar) bool { return has(e.Value) }) {
				return true
			}
		}
	}
	return false
}

// ToRead is what the snapshot of a Pod needs for Machine: nothing if a machine is stored.
func ToRead(pod *corev1.Pod, remembered []byte) Needs {
	if m, err := memory.Decode(remembered); err == nil && len(m.Machine) > 0 {
		return Needs{}
	}
	n := Needs{Services: true}
	n.ConfigMaps, n.Secrets = podsetup.References(&pod.Spec)
	return n
}

// refers reports whether a Pod refers to ConfigMaps or Secrets besides the token volume that every
// Pod has.
func refers(spec *corev1.PodSpec) bool {
	for i := range spec.Volumes {
		if v := &spec.Volumes[i]; v.ConfigMap != nil || v.Secret != nil || v.Projected != nil && !IsTokenVolume(v) {
			return true
		}
	}
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			if InEnvironment(&list[i]) {
				return true
			}
		}
	}
	for i := range spec.EphemeralContainers {
		c := corev1.Container(spec.EphemeralContainers[i].EphemeralContainerCommon)
		if InEnvironment(&c) {
			return true
		}
	}
	return false
}

// InEnvironment reports whether a variable of the container may come from another object, from the
// Pod or from a file.
func InEnvironment(c *corev1.Container) bool {
	if len(c.EnvFrom) > 0 {
		return true
	}
	for i := range c.Env {
		if c.Env[i].ValueFrom != nil {
			return true
		}
	}
	return false
}

// SettledReferences is how long after its start a Pod that refers to ConfigMaps or Secrets is
// synced once more. By then every replica knows of the Pod, because a replica that has had no
// contact with the database for three seconds accepts no writes. Until then a change may come from
// a replica that does not know the Pod, and wakes no kubelet.
const SettledReferences = 5 * time.Second

// RefersToWritten reports whether the Pod refers to ConfigMaps or Secrets that clients write.
func RefersToWritten(spec *corev1.PodSpec) bool {
	configMaps, secrets := podsetup.References(spec)
	return len(secrets) > 0 || slices.ContainsFunc(configMaps, func(name string) bool { return name != RootCA })
}
