package cluster

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/node"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/podlog"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/need"
)

// machine returns a Pod's machine, for readers.
func (p parts) machine(pod *corev1.Pod, memory []byte) (m emulator.Machine, err error) {
	var s kubelet.Snapshot
	p.mirror.Read(func(v mirror.View) { s = p.snapshot(v, pod, memory, p.clock.Now().Truncate(time.Second)) })
	s.Sign = p.tokenKeys.SignWithin(keyWait)
	return kubelet.Machine(s), nil
}

// snapshot returns a Pod with the input of its machine.
func (p parts) snapshot(v mirror.View, pod *corev1.Pod, memory []byte, now time.Time) kubelet.Snapshot {
	s := kubelet.Snapshot{Pod: pod, Images: p.images, Now: now, Memory: memory, Real: time.Now(), Sign: p.tokenKeys.TrySign}
	if node := v.Get(object.Key{Resource: "nodes", Name: pod.Spec.NodeName}); node != nil {
		s.Node = node.Object().(*corev1.Node)
	}
	s.Around = node.PodSurroundings(v, pod, need.ToRead(pod, memory))
	return s
}

// logs returns the output of containers, from the machines that the kubelet remembers.
func (p parts) logs() *podlog.Source {
	return &podlog.Source{Memory: p.Store.Memory, Now: p.clock.Now, Until: p.clock.Until, Machine: p.machine}
}
