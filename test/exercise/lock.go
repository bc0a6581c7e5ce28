package exercise

import (
	"context"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

const leasesOf = "leases.coordination.k8s.io"

// takeLock acquires a lease that is free, or its own after an update of unknown outcome, keeps it for
// a moment and releases it. It has the lock when the answer to its update says so. Reading that it is
// the holder is not enough: its earlier request to release the lock may still arrive, but finds a
// newer version after this update.
func takeLock(a *actor, id int) {
	const name = "lock"
	a.rest(200 * time.Millisecond)
	lease, ok := do(a, leasesOf, gone, func(ctx context.Context, client kubernetes.Interface) (*coordinationv1.Lease, error) {
		return client.CoordinationV1().Leases(hot).Get(ctx, name, metav1.GetOptions{})
	})
	if !ok {
		do(a, leasesOf, exists, func(ctx context.Context, client kubernetes.Interface) (*coordinationv1.Lease, error) {
			return client.CoordinationV1().Leases(hot).Create(ctx, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		})
		return
	}
	holder := ""
	if lease.Spec.HolderIdentity != nil {
		holder = *lease.Spec.HolderIdentity
	}
	me := a.round + "/" + a.name
	if holder != "" && holder != me {
		return
	}
	now := metav1.NowMicro()
	lease.Spec.HolderIdentity, lease.Spec.RenewTime = &me, &now
	h := history.Hold{Client: id, Lock: object.Key{Resource: leasesOf, Namespace: hot, Name: name}, Asked: time.Since(a.began)}
	if lease, ok = a.updateLease(lease); !ok {
		return
	}
	h.From = time.Since(a.began)
	a.rest(300 * time.Millisecond)
	h.To = time.Since(a.began)
	a.mu.Lock()
	a.holds = append(a.holds, h)
	a.mu.Unlock()
	lease.Spec.HolderIdentity = nil
	a.updateLease(lease)
}

// updateLease asks once: a client that does not learn the outcome reads again.
func (a *actor) updateLease(lease *coordinationv1.Lease) (*coordinationv1.Lease, bool) {
	client := a.somebody()
	if client == nil {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), ClientTimeout)
	defer cancel()
	written, err := client.CoordinationV1().Leases(hot).Update(ctx, lease, metav1.UpdateOptions{})
	if err == nil {
		a.acknowledge(leasesOf, written)
	} else if !goneOrMoved(err) && !a.refusals.Retryable(err) {
		a.Wrong("%s was told: %v", a.name, err)
	}
	return written, err == nil
}
