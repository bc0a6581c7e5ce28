package wakeup

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Rows of objects, made by the first migration, that are locked by controllers which decide across objects. Compaction takes
// turns under HousekeepingLock as well.
const (
	SchedulerLock    types.UID = "00000000-0000-0000-0000-000000000001"
	HousekeepingLock types.UID = "00000000-0000-0000-0000-000000000003"
)

// Resync is the cause of wakeups that no change asked for: the safety net did.
const Resync = object.NoRequest

// Wake asks a controller to sync an object: the one with UID or, where UID is empty, the one named; Namespace is empty for a
// cluster-scoped one. One in a namespace is synced without delay, and whether it is being deleted or not.
type Wake struct {
	Controller     string
	UID            types.UID
	Resource, Name string
	Namespace      string
	After          time.Duration // from the change, in cluster time; zero is at once
	// OnlyTerminating asks for the sync only if the object is being deleted when the change commits.
	OnlyTerminating bool
}

// Diff is a change as the sources of controllers judge it: the object before and after it. Old is nil for a creation, New for
// a removal. Controller is the one that made the change, empty for a client.
type Diff struct {
	Old, New   object.Object
	Controller string
	// Custom is the resource of a custom resource, as its objects do not say it; empty for kinds that are built in.
	Custom string
	// Unread says that nothing which has been running for some time reads the object, so that its content is no news.
	Unread bool
}

// Last is the object after the change or, when it is gone, before.
func (d Diff) Last() object.Object {
	if d.New != nil {
		return d.New
	}
	return d.Old
}

// OwnersChanged says whether the change touches the object's owner references, as creation and removal do. An owner is known
// by its uid.
func (d Diff) OwnersChanged() bool {
	if d.Old == nil || d.New == nil {
		return len(d.Last().GetOwnerReferences()) > 0
	}
	return !slices.EqualFunc(d.Old.GetOwnerReferences(), d.New.GetOwnerReferences(), func(a, b metav1.OwnerReference) bool {
		return a.UID == b.UID && flag(a.BlockOwnerDeletion) == flag(b.BlockOwnerDeletion) && flag(a.Controller) == flag(b.Controller)
	})
}

func flag(b *bool) bool { return b != nil && *b }
