package wakeup

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Rows of objects, inserted by the first migration, that controllers which decide across objects
// lock. Compaction also takes turns under HousekeepingLock.
const (
	SchedulerLock    types.UID = "00000000-0000-0000-0000-000000000001"
	HousekeepingLock types.UID = "00000000-0000-0000-0000-000000000003"
)

// Resync is the cause of wakeups that no change asked for: the safety net did.
const Resync = object.NoRequest

// Wake asks a controller to sync an object: the one with UID or, if UID is empty, the named one;
// Namespace is empty for a cluster-scoped object. A namespaced object is synced without delay,
// whether or not it is being deleted.
type Wake struct {
	Controller     string
	UID            types.UID
	Resource, Name string
	Namespace      string
	After          time.Duration // from the change, in cluster time; zero means at once
	// OnlyTerminating asks for the sync only if the object is being deleted when the change
	// commits.
	OnlyTerminating bool
}

// Diff is a change as the sources of controllers judge it: the object before and after it. Old is
// nil for a creation, New for a removal. Controller is the one that made the change, empty for a
// client.
type Diff struct {
	Old, New   object.Object
	Controller string
	// Custom is the resource of a custom resource, which its objects do not contain; empty for
	// built-in kinds.
	Custom string
	// Unread says that nothing that has been running for some time reads the object, so that its
	// content is not news.
	Unread bool
}

// Last returns the object after the change or, if it is gone, before.
func (d Diff) Last() object.Object {
	if d.New != nil {
		return d.New
	}
	return d.Old
}

// OwnersChanged reports whether the change affects the object's owner references, as creation and
// removal do. An owner is identified by its uid.
func (d Diff) OwnersChanged() bool {
	if d.Old == nil || d.New == nil {
		return len(d.Last().GetOwnerReferences()) > 0
	}
	return !slices.EqualFunc(d.Old.GetOwnerReferences(), d.New.GetOwnerReferences(), func(a, b metav1.OwnerReference) bool {
		return a.UID == b.UID && flag(a.BlockOwnerDeletion) == flag(b.BlockOwnerDeletion) && flag(a.Controller) == flag(b.Controller)
	})
}

func flag(b *bool) bool { return b != nil && *b }
