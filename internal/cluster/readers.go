package cluster

import (
	"context"

	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// readers is the store for clients' writes. Of a ConfigMap or Secret that no Pod refers to, and that is most of them, it says so,
// which saves a look at every write for Pods that refer to it.
//
// Differs from the rule that the mirror is never asked who is to be woken, because such a look is a fifth of what a write costs. A
// Pod that another replica has started a moment ago may not be in the mirror yet; so kubelets look a second time at Pods that
// refer to such objects, when every replica that still takes writes knows of them (controller.SettledReferences).
type readers struct {
	kube.Writer
	mirror *mirror.Mirror
}

func (r readers) Write(ctx context.Context, c store.Change) (*object.Version, error) {
	if c.Type.Group == "" && (c.Type.Plural == "configmaps" || c.Type.Plural == "secrets") {
		r.mirror.Read(func(v mirror.View) { c.Unread = v.EachIn(mirror.PodsByReference, mirror.Reference(c.Key()), nil) == 0 })
	}
	return r.Writer.Write(ctx, c)
}
