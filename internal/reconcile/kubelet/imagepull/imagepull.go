// Package imagepull decides whether a container gets its image, which takes no time, or waits for
// it and why. An image that exists counts as present on the node, unless the container's pull
// policy is Always.
package imagepull

import (
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/backoff"
)

// Why a container waits for its image. Source: kubernetes v1.36 pkg/kubelet/images/types.go.
const (
	errImagePull      = "ErrImagePull"
	backOff           = "ImagePullBackOff"
	errImageNeverPull = "ErrImageNeverPull"
	invalidImageName  = "InvalidImageName"
)

// shownTime is how long each failed attempt is shown, before the container waits for the next.
const shownTime = time.Second

// Request is a container's need of an image.
type Request struct {
	Name   string // of the image, as the container gives it
	Policy corev1.PullPolicy

	Image   *emulator.Image // nil if the name is invalid
	Invalid error           // why it is
	Refused *Failure        // by an injected fault; nil if none refuses it

	// Waiting is the waiting state of the container; nil if it does not wait. First is when the image
	// was first needed.
	Waiting *corev1.ContainerStateWaiting
	First   time.Time
	Now     time.Time
}

// Failure is why an image is missing.
type Failure struct{ Reason, Message string }

// Event is an event about the container.
type Event struct{ Type, Reason, Message string }

// Result is the decision about a request.
type Result struct {
	// OK is true if the container has its image. Otherwise it waits, with the reason and the message.
	OK              bool
	Reason, Message string

	// Wake is when the next thing happens by itself; zero if nothing does.
	Wake time.Time

	events [3]Event
	count  int
}

// Events are the events about the container. The caller emits them if the container has its image,
// or if its reason or message to wait is new.
func (r *Result) Events() []Event { return r.events[:r.count] }

func (r *Result) event(eventType, reason, message string) {
	r.events[r.count] = Event{eventType, reason, message}
	r.count++
}

// Decide fetches the image, or says why the container waits for it.
//
// Source: kubernetes v1.36 pkg/kubelet/images/image_manager.go, EnsureImageExists and pullImage.
func Decide(q *Request) (r Result) {
	name := strconv.Quote(q.Name)
	switch {
	case q.Invalid != nil:
		r.Reason, r.Message = invalidImageName, "Failed to apply default image tag "+name+": "+q.Invalid.Error()
		r.event(corev1.EventTypeWarning, "InspectFailed", r.Message)
		r.event(corev1.EventTypeWarning, "Failed", "Error: "+invalidImageName)
	case q.Refused != nil:
		r.fail(q, name, *q.Refused)
	case q.Image.PullError == "" && q.Policy == corev1.PullAlways:
		r.OK = true
		r.event(corev1.EventTypeNormal, "Pulling", "Pulling image "+name)
		r.event(corev1.EventTypeNormal, "Pulled", "Successfully pulled image "+name+
			" in 0s (0s including waiting). Image size: "+strconv.FormatInt(q.Image.SizeBytes, 10)+" bytes.")
	case q.Image.PullError == "":
		r.OK = true
		r.event(corev1.EventTypeNormal, "Pulled", "Container image "+name+" already present on machine and can be accessed by the pod")
	case q.Policy == corev1.PullNever:
		r.Reason, r.Message = errImageNeverPull, "Container image "+name+" is not present with pull policy of Never"
		r.event(corev1.EventTypeWarning, errImageNeverPull, r.Message)
		r.event(corev1.EventTypeWarning, "Failed", "Error: "+errImageNeverPull)
	default:
		r.fail(q, name, Failure{errImagePull, q.Image.PullError})
	}
	return r
}

// fail shows the state of the attempts to pull an image that cannot be pulled. Each attempt fails
// at once, shows the reason, usually ErrImagePull, for shownTime, and then waits for the next. The
// waiting state of the container tells whether this is new.
func (r *Result) fail(q *Request, name string, why Failure) {
	attempt, next := backoff.PullAttempt(q.Now.Sub(q.First))
	settled := q.First.Add(attempt + shownTime)
	fresh := q.Waiting == nil || q.Waiting.Reason != why.Reason && q.Waiting.Reason != backOff

	if fresh || q.Now.Before(settled) {
		r.Reason, r.Message = why.Reason, why.Message
		r.event(corev1.EventTypeNormal, "Pulling", "Pulling image "+name)
		r.event(corev1.EventTypeWarning, "Failed", "Failed to pull image "+name+": "+why.Message)
		r.event(corev1.EventTypeWarning, "Failed", "Error: "+why.Reason)
		if r.Wake = settled; !q.Now.Before(settled) {
			r.Wake = q.Now.Add(shownTime)
		}
		return
	}
	message := "Back-off pulling image " + name
	r.Reason, r.Message, r.Wake = backOff, message+": "+why.Reason+": "+why.Message, q.First.Add(next)
	r.event(corev1.EventTypeNormal, "BackOff", message)
	r.event(corev1.EventTypeWarning, "Failed", "Error: "+backOff)
}
