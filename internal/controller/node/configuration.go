package node

import (
	"bytes"
	"context"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewConfiguration makes the controller that wakes the kubelets of Pods that reference a ConfigMap
// or Secret.
func NewConfiguration(world.World) engine.Controller {
	return engine.Controller{
		Name: names.Configuration, UserAgent: "kubelet", Others: []string{"configmaps", "secrets"}, Batch: 64,
		Gather: gather.Apart(syncReaders), Remembers: true,
		Sources: []wakeup.Source{
			wakeup.For(&core.ConfigMap.Type, isRead, configMapChanged),
			wakeup.For(&core.Secret.Type, isRead, secretChanged),
		},
	}
}

// syncReaders wakes the kubelets of the Pods that reference a ConfigMap or Secret, in case they
// need its new content: files to refresh, or a container that waits for it. The kubelet syncs a Pod
// that the view does not hold yet later than this, with a view that holds the new content.
//
// Cost: a wakeup for each of at most 500 Pods, without decoding them. If there are more, a round
// covers them.
func syncReaders(v mirror.View, o *object.Version, request engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	pods, round := gather.DecodeRound(request.Memory).Next(v, mirror.PodsByReference, mirror.Reference(o.Key()), o.Revision)
	p := plan.Plan{Wakes: gather.Wakes(names.Kubelet, pods)}
	round.Remember(&p, request.Memory, now)
	return gather.Planned(p)
}

// isRead holds for objects that Pods may reference, see ClientWrites. Pods keep what they were
// given of a removed object.
func isRead(d wakeup.Diff) bool { return !d.Unread }

func configMapChanged(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.ConfigMap)
	cm, _ := d.New.(*corev1.ConfigMap)
	return old == nil || !maps.Equal(old.Data, cm.Data) || !maps.EqualFunc(old.BinaryData, cm.BinaryData, bytes.Equal)
}

func secretChanged(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Secret)
	secret, _ := d.New.(*corev1.Secret)
	return old == nil || !maps.EqualFunc(old.Data, secret.Data, bytes.Equal)
}

// ClientWrites is the store for clients' writes. It marks ConfigMaps and Secrets that no Pod
// references, as most are, so that writing them does not wake the controller. Safe for concurrent
// use.
//
// Differs from the rule that the mirror does not decide whom to wake, because such a sync is a
// fifth of a write's cost. A Pod that another replica has just started may not be in the mirror
// yet; so kubelets sync Pods that reference such objects a second time, when every replica that
// still takes writes knows them (need.SettledReferences).
type ClientWrites struct {
	Store  *store.Store
	Mirror *mirror.Mirror
}

// Write commits one change, as store.Store.Write does.
func (w ClientWrites) Write(ctx context.Context, c store.Change) (*object.Version, error) {
	if c.Type == &core.ConfigMap.Type || c.Type == &core.Secret.Type {
		w.Mirror.Read(func(v mirror.View) { c.Unread = v.EachIn(mirror.PodsByReference, mirror.Reference(c.Key()), nil) == 0 })
	}
	return w.Store.Write(ctx, c)
}
