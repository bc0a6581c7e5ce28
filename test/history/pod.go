package history

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Pods checks that no Pod skipped a state. A Pod is created without a node, unless its creator gave
// it one; a later revision binds it; a still later one makes it Running and Ready. Once bound it
// has the event Scheduled, and once Running the events Pulled, Created and Started, at the latest
// at the end of the history.
func Pods(h History) []Violation {
	var found []Violation
	lives, order := map[types.UID]*life{}, []*life(nil)
	for _, e := range h {
		switch o := e.Object.(type) {
		case *corev1.Event:
			if l := lives[o.InvolvedObject.UID]; l != nil {
				l.events = append(l.events, o.Reason)
			}
		case *corev1.Pod:
			if e.Verb == object.Created {
				lives[e.UID] = &life{key: e.Key}
				order = append(order, lives[e.UID])
			}
			if l := lives[e.UID]; l != nil {
				for _, message := range l.next(e.Verb, o) {
					found = append(found, Violation{e.Revision, e.Key, message})
				}
			}
		}
	}
	for _, l := range order {
		if missing := l.missing(); len(missing) > 0 {
			found = append(found, Violation{Key: l.key, Message: "has no event " + strings.Join(missing, ", ")})
		}
	}
	return found
}

// life is the progress of a Pod.
type life struct {
	key     object.Key
	bound   bool
	placed  bool // its creator gave it a node
	running bool
	events  []string // their reasons
}

// next takes the Pod's next version and returns what is wrong with it.
func (l *life) next(verb object.Verb, p *corev1.Pod) []string {
	var wrong []string
	running := p.Status.Phase == corev1.PodRunning
	if verb == object.Created {
		l.placed = p.Spec.NodeName != ""
		if p.Status.Phase != corev1.PodPending {
			wrong = append(wrong, "created in the phase "+string(p.Status.Phase))
		}
	} else if running && !l.running && !l.bound {
		wrong = append(wrong, "bound and running in one revision")
	}
	if podstate.Ready(p) && !running {
		wrong = append(wrong, "ready and not running")
	}
	l.bound, l.running = l.bound || p.Spec.NodeName != "", l.running || running
	return wrong
}

// missing returns the events that a Pod at this stage must have, and lacks.
func (l *life) missing() []string {
	var want, missing []string
	if l.bound && !l.placed {
		want = append(want, "Scheduled")
	}
	if l.running {
		want = append(want, "Pulled", "Created", "Started")
	}
	for _, reason := range want {
		if !slices.Contains(l.events, reason) {
			missing = append(missing, reason)
		}
	}
	return missing
}
