// Package outage defines how a Node fails: the annotation by which a client makes it fail, and the
// one in which the node controller records the outage.
//
// Everything here is a function of its arguments.
package outage

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// The annotations of a Node.
const (
	// Annotation makes the node fail while it exists; its value is one of Faults. Without it, the
	// node is healthy.
	Annotation = "emulation.rowlock.io/fault"

	// Record is written by the node controller: the fault, when it began, and, once it is over,
	// when it ended, as in
	//
	//	failed 2026-01-02T12:00:00Z
	//	failed 2026-01-02T12:00:00Z 2026-01-02T12:05:00Z
	Record = "emulation.rowlock.io/outage"
)

// The ways in which a node fails.
const (
	// Unreachable is a node that is cut off: its kubelet can neither report nor receive anything,
	// and containers continue.
	Unreachable = "unreachable"

	// Failed is a node that has crashed: its containers are dead. When it comes back, it has
	// rebooted.
	Failed = "failed"
)

// Faults lists both.
var Faults = []string{Failed, Unreachable}

// Outage is a period in which a node was down, as in its Record.
type Outage struct {
	Fault string
	From  time.Time
	To    time.Time // zero while it lasts
}

// Over reports whether the node is back.
func (o Outage) Over() bool { return !o.To.IsZero() }

// String returns the outage in the form of a Record.
func (o Outage) String() string {
	s := o.Fault + " " + o.From.UTC().Format(time.RFC3339)
	if o.Over() {
		s += " " + o.To.UTC().Format(time.RFC3339)
	}
	return s
}

// Parse parses a Record.
func Parse(record string) (o Outage, err error) {
	words := strings.Split(record, " ")
	if len(words) < 2 || len(words) > 3 || !isFault(words[0]) {
		return Outage{}, fmt.Errorf("%q is not a record of an outage", record)
	}
	o.Fault = words[0]
	if o.From, err = time.Parse(time.RFC3339, words[1]); err != nil {
		return Outage{}, err
	}
	if len(words) == 3 {
		if o.To, err = time.Parse(time.RFC3339, words[2]); err == nil && o.To.Before(o.From) {
			err = fmt.Errorf("%q ends before it begins", record)
		}
	}
	if err != nil {
		return Outage{}, err
	}
	return o, nil
}

// Fault returns the fault that a client has set on the node; "" for none.
func Fault(n *corev1.Node) string {
	if fault := n.Annotations[Annotation]; isFault(fault) {
		return fault
	}
	return ""
}

// Last returns the node's latest outage; false if it has had none.
func Last(n *corev1.Node) (Outage, bool) {
	record, has := n.Annotations[Record]
	if !has {
		return Outage{}, false
	}
	o, err := Parse(record)
	return o, err == nil
}

// Silent reports whether the node is silent: it does nothing visible to its Pods. This begins as
// soon as a client asks for it, and ends when the node controller has seen that the client no
// longer does.
func Silent(n *corev1.Node) bool {
	if len(n.Annotations) == 0 {
		return false
	}
	last, had := Last(n)
	return Fault(n) != "" || had && !last.Over()
}

// Validate returns what is wrong with the annotations: the key of the first invalid one, and why;
// "" for nothing.
func Validate(annotations map[string]string) (key, detail string) {
	if fault, has := annotations[Annotation]; has && !isFault(fault) {
		return Annotation, "must be one of " + strings.Join(Faults, ", ")
	}
	if record, has := annotations[Record]; has {
		if _, err := Parse(record); err != nil {
			return Record, "is written by the node controller"
		}
	}
	return "", ""
}

func isFault(s string) bool { return s == Unreachable || s == Failed }
