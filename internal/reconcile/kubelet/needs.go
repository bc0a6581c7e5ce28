package kubelet

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/network"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

// CheckMemory says what is wrong with the memory of a Pod that another program may have written;
// nil if a kubelet can continue from it.
func CheckMemory(b []byte, images *emulator.Catalogue) (err error) {
	m, err := decodeMemory(b)
	if err != nil || len(m.machine) == 0 {
		return err
	}
	return contain.Call(func() error { // a decoder trusts its own encoder
		read, err := emulator.Decode(m.machine, images)
		if err != nil {
			return err
		}
		return read.Validate()
	})
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

// Needed is what the snapshot of a Pod needs, given what is stored for it.
func Needed(pod *corev1.Pod, remembered []byte, images *emulator.Catalogue) Needs {
	if ended(pod.Status.Phase) && pod.DeletionTimestamp == nil {
		return Needs{}
	}
	var n Needs
	inMachine := len(remembered) > 0 || needsMachine(pod, images)
	if inMachine || refers(&pod.Spec) {
		n.ConfigMaps, n.Secrets = podsetup.References(&pod.Spec)
	}
	if !inMachine {
		return n
	}
	n.Services, n.Client = true, network.ClientOf(pod)
	if m, err := decodeMemory(remembered); err == nil { // a damaged one is replaced
		n.Client.Affinity = m.Affinity
		for _, c := range m.Calls {
			n.Callees = append(n.Callees, c.Callee)
		}
		for _, q := range m.Queries[:min(len(m.Queries), mostAnswers)] {
			if !slices.ContainsFunc(m.Calls, func(c call) bool { return c.ID == q.ID }) {
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

// NeededToConnect is what a Peer's surroundings must have: nothing if a machine is stored. Of the
// other Pods only servers accept connections, and these behave the same in every environment. So
// Services are needed only if a command line or a variable refers to another variable.
func NeededToConnect(pod *corev1.Pod, remembered []byte) Needs {
	n := NeededToRead(pod, remembered)
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

// NeededToRead is what the snapshot of a Pod needs for Machine: nothing if a machine is stored.
func NeededToRead(pod *corev1.Pod, remembered []byte) Needs {
	if m, err := decodeMemory(remembered); err == nil && len(m.machine) > 0 {
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
		if v := &spec.Volumes[i]; v.ConfigMap != nil || v.Secret != nil || v.Projected != nil && !isTokenVolume(v) {
			return true
		}
	}
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			if refersInEnvironment(&list[i]) {
				return true
			}
		}
	}
	for i := range spec.EphemeralContainers {
		c := corev1.Container(spec.EphemeralContainers[i].EphemeralContainerCommon)
		if refersInEnvironment(&c) {
			return true
		}
	}
	return false
}

func refersInEnvironment(c *corev1.Container) bool {
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

// Machine is the Pod's machine as last stored or, for a Pod in closed form, as derived from its
// spec and status. It is for readers, for example of logs, which may run it up to the last whole
// second.
func Machine(s Snapshot) emulator.Machine {
	if s.Pod.Spec.NodeName == "" {
		return emulator.New(string(s.Pod.UID), 0, 0, s.Now)
	}
	k := newSync(s)
	k.open()
	m, ok := k.runtime.(emulator.Machine)
	if !ok {
		m = k.newMachine(k.needs().Begin)
		k.runtime = m
		k.derive(true)
	}
	return m
}
