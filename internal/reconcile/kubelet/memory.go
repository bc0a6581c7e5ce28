package kubelet

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/image"
	"github.com/rowlock/rowlock/internal/machine"
	"github.com/rowlock/rowlock/internal/machine/kernel"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

// memory is what is kept beside a Pod: its machine, and in front of it what can be read without decoding that.
type memory struct {
	// Queries are what the machine will ask of the cluster by the time of the next look.
	Queries []kernel.Query `json:"queries,omitempty"`

	// Told is the last event about each thing that the Pod waits for, so that it is told once.
	Told map[string]string `json:"told,omitempty"`

	machine []byte // encoded; empty for none
}

var errMemory = errors.New("the memory of a Pod is damaged")

// encode is the length of the JSON, that, and the machine; empty, but not nil, where there is nothing to remember.
func (m *memory) encode() []byte {
	if len(m.Queries) == 0 && len(m.Told) == 0 && len(m.machine) == 0 {
		return []byte{}
	}
	head, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("kubelet: the head of a memory: %v", err)) // strings and numbers
	}
	out := binary.AppendUvarint(make([]byte, 0, len(head)+len(m.machine)+4), uint64(len(head)))
	return append(append(out, head...), m.machine...)
}

func decodeMemory(b []byte) (m memory, err error) {
	if len(b) == 0 {
		return memory{}, nil
	}
	length, n := binary.Uvarint(b)
	if n <= 0 || length > uint64(len(b)-n) {
		return memory{}, errMemory
	}
	if err := json.Unmarshal(b[n:n+int(length)], &m); err != nil {
		return memory{}, fmt.Errorf("%w: %w", errMemory, err)
	}
	m.machine = b[n+int(length):]
	return m, nil
}

// Needs are what a snapshot must have besides the Pod and its node.
type Needs struct {
	// ConfigMaps and Secrets are names in the Pod's namespace. Those that exist belong into Surroundings.
	ConfigMaps, Secrets []string

	// Services asks for those of the Pod's namespace and "kubernetes" of the namespace default, for Surroundings.
	Services bool

	// Queries are what the Pod's processes ask of the cluster: see Outside.
	Queries []kernel.Query
}

// Needed says what the snapshot of a Pod needs, by what is remembered of it.
func Needed(pod *corev1.Pod, remembered []byte, images *image.Catalogue) Needs {
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
	n.Services = true
	if m, err := decodeMemory(remembered); err == nil { // a damaged one is replaced
		n.Queries = m.Queries
	}
	return n
}

// NeededToRead says what the snapshot of a Pod needs for Machine: nothing where a machine is remembered.
func NeededToRead(pod *corev1.Pod, remembered []byte) Needs {
	if m, err := decodeMemory(remembered); err == nil && len(m.machine) > 0 {
		return Needs{}
	}
	n := Needs{Services: true}
	n.ConfigMaps, n.Secrets = podsetup.References(&pod.Spec)
	return n
}

// refers says whether a Pod refers to ConfigMaps or Secrets besides the volume that every Pod has for its token.
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

// Machine is the Pod's machine as it was last remembered or, for a Pod that only serves, what follows from its spec and status. It is
// for readers, of logs for example, who may run it up to the last whole second.
func Machine(s Snapshot) *machine.Machine {
	if s.Pod.Spec.NodeName == "" {
		return machine.New(string(s.Pod.UID), 0, 0, s.Now)
	}
	k := newSync(s)
	if k.machine == nil {
		k.derive(true)
	}
	return k.machine
}
