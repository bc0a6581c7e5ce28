package plan

import (
	"fmt"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/object"
)

// String prints the plan, one line for each thing it does, in the order in which it is applied:
//
//	update Deployment default/web status
//	create ReplicaSet default/web-7c9
//	delete Pod default/web-5d7-x7k2p
//	event Deployment default/web Normal ScalingReplicaSet "Scaled up replica set web-7c9 from 0 to 1"
//	remember
//	tell session 4
//	write /var/log/app.log on node node-1
//	post call 3 to 5d1f… (answer call 3 of 5d1f…, remove call 3 to 5d1f…)
//	wake kubelet of Pod default/web-5d7-x7k2p
//	retry
//	wake at 2026-01-02T03:04:05Z
//
// A memory is not printed, only that there is one: "remember", or "forget" where it goes. Tests
// compare plans by this form and, where more matters, by the objects in it.
func (p Plan) String() string {
	var b strings.Builder
	for _, u := range p.Updates {
		fmt.Fprintf(&b, "update %s", name(u.Object))
		if u.Subresource != "" {
			b.WriteString(" " + u.Subresource)
		}
		b.WriteByte('\n')
	}
	for _, c := range p.Creates {
		fmt.Fprintf(&b, "create %s\n", name(c.Object))
	}
	for _, d := range p.Deletes {
		b.WriteString(d.String() + "\n")
	}
	for _, e := range p.Events {
		fmt.Fprintf(&b, "event %s %s %s %q\n", name(e.Regarding), e.Type, e.Reason, e.Message)
	}
	switch {
	case len(p.Memory) > 0:
		b.WriteString("remember\n")
	case p.Memory != nil:
		b.WriteString("forget\n")
	}
	for _, id := range p.Audible {
		fmt.Fprintf(&b, "tell session %d\n", id)
	}
	for _, f := range p.Files {
		verb := "write"
		if f.Removed {
			verb = "remove"
		}
		fmt.Fprintf(&b, "%s %s on node %s\n", verb, f.Path, f.Node)
	}
	for _, c := range p.Calls {
		b.WriteString(c.String() + "\n")
	}
	for _, t := range p.Traffic {
		b.WriteString(t.String() + "\n")
	}
	for _, w := range p.Wakes {
		fmt.Fprintf(&b, "wake %s of %s\n", w.Controller, name(w.Object))
	}
	if p.Retry {
		b.WriteString("retry\n")
	}
	if !p.WakeAt.IsZero() {
		fmt.Fprintf(&b, "wake at %s\n", p.WakeAt.UTC().Format(time.RFC3339Nano))
	}
	return b.String()
}

// String returns the deletion's line.
func (d Delete) String() string {
	line := "delete " + name(d.Object)
	if d.Propagation != "" {
		line += " " + string(d.Propagation)
	}
	if d.GracePeriodSeconds != nil {
		line += fmt.Sprintf(" grace=%ds", *d.GracePeriodSeconds)
	}
	if d.Without != "" {
		line += " without " + d.Without
	}
	if d.As != nil {
		line += " changed"
	}
	return line
}

// name returns "Pod default/web-1"; a generated name ends in "*".
func name(o object.Object) string {
	n := o.GetName()
	if n == "" {
		n = o.GetGenerateName() + "*"
	}
	if ns := o.GetNamespace(); ns != "" {
		n = ns + "/" + n
	}
	return kindOf(o) + " " + n
}

// kindOf returns the object's kind by its Go type, because decoded objects need not have a
// TypeMeta.
func kindOf(o object.Object) string {
	t := fmt.Sprintf("%T", o)
	return t[strings.LastIndexByte(t, '.')+1:]
}
