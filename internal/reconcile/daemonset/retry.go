package daemonset

import (
	"encoding/json"
	"fmt"
	"time"
)

// The pause between two replacements of failed Pods on a node. It doubles each time, and is reset
// after a long time without a replacement.
//
// Source: kubernetes v1.36 cmd/kube-controller-manager/app/apps.go, newDaemonSetController
const (
	firstPause  = time.Second
	maxPause    = 15 * time.Minute
	forgetAfter = 2 * maxPause
)

// retries are the latest replacements of failed Pods, by node. They start over with each generation
// that the controller observes.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, failedPodsBackoffKey
type retries struct {
	Generation int64            `json:"generation"`
	Nodes      map[string]retry `json:"nodes"`
	changed    bool
}

// retry is when a Pod of a node was last replaced, and how long the next replacement waits.
type retry struct {
	At    time.Time     `json:"at"`
	Pause time.Duration `json:"pause"`
}

// recall reads what remember wrote. Anything else counts as nothing.
func recall(memory []byte, generation int64) retries {
	var r retries
	if len(memory) == 0 || json.Unmarshal(memory, &r) != nil || r.Generation != generation || r.Nodes == nil {
		return retries{Generation: generation, Nodes: map[string]retry{}}
	}
	return r
}

// until is when a failed Pod of a node may be replaced; a time in the past means at once.
func (r *retries) until(node string, now time.Time) time.Time {
	last, known := r.Nodes[node]
	if !known || now.Sub(last.At) > forgetAfter {
		return time.Time{}
	}
	return last.At.Add(last.Pause)
}

// next records that a failed Pod of a node is replaced now.
//
// Source: k8s.io/client-go v0.36 util/flowcontrol/backoff.go, Next
func (r *retries) next(node string, now time.Time) {
	pause := firstPause
	if last, known := r.Nodes[node]; known && now.Sub(last.At) <= forgetAfter {
		pause = min(2*last.Pause, maxPause)
	}
	for name, last := range r.Nodes {
		if now.Sub(last.At) > forgetAfter {
			delete(r.Nodes, name)
		}
	}
	r.Nodes[node], r.changed = retry{At: now, Pause: pause}, true
}

// remember is the Memory of a plan; nil if the stored one need not change. A node takes about 60
// bytes, and only nodes with recently failed Pods are stored.
func (r *retries) remember(was []byte) []byte {
	switch {
	case r.changed:
		b, err := json.Marshal(r)
		if err != nil {
			panic(fmt.Sprintf("daemonset: the retries: %v", err)) // numbers and times
		}
		return b
	case len(was) > 0 && len(r.Nodes) == 0:
		return []byte{} // they belong to another generation
	}
	return nil
}
