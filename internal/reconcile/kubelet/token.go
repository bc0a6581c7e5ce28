package kubelet

import (
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

// A Pod's volumes hold tokens of its ServiceAccount. What a token says is settled when its file is
// written, and remembered with the machine; it is signed when a program reads the file, as hardly
// any program does and a signature costs more than the rest of a sync. The key never changes, so
// that all readers see the same token.

// real is real time, in whole seconds.
func (k *sync) real() time.Time {
	if k.Real.IsZero() {
		return k.now.Time
	}
	return k.Real.Truncate(time.Second)
}

// issued says when the token was issued that a volume holds, as podsetup.Surroundings.Issued has it. One that is there is kept until its
// renewal; one from the future, as of a database that came from elsewhere, is replaced.
func (k *sync) issued(t podsetup.Token) int64 {
	now := k.real()
	if t.Issued = now.Unix(); !k.runtime.HasFiles() {
		return t.Issued
	}
	at := slices.IndexFunc(k.memory.Tokens, func(o podsetup.Token) bool { return o.Audience == t.Audience && o.Seconds == t.Seconds })
	if at >= 0 {
		if old := k.memory.Tokens[at]; old.Issued <= t.Issued && now.Before(old.Renewal()) {
			return old.Issued
		}
	}
	k.memory.Tokens = slices.Clone(k.memory.Tokens)
	if k.touched = true; at < 0 {
		k.memory.Tokens = append(k.memory.Tokens, t)
	} else {
		k.memory.Tokens[at] = t
	}
	return t.Issued
}

// awaitRenewal has the Pod synced when a token is to be renewed. That is not needed of those that are good for long after: they are renewed
// by a sync that comes anyway.
func (k *sync) awaitRenewal() {
	for _, t := range k.memory.Tokens {
		if !t.Extended() {
			k.wakeAt(k.now.Add(max(t.Renewal().Sub(k.real()), time.Second)))
		}
	}
}

// sign makes the content of a token's file for the machines of the sync: nil if that is not possible yet, and then nothing may come of the
// sync.
func (k *sync) sign(claims []byte) []byte {
	if k.Sign == nil {
		return nil
	}
	token, signed := k.Sign(claims)
	k.unsigned = k.unsigned || !signed
	return token
}

// trySign is sign for the Snapshot of another Pod, of which a copy runs in this sync.
func (k *sync) trySign(claims []byte) (token []byte, signed bool) {
	token = k.sign(claims)
	return token, token != nil || k.Sign == nil
}

// signed is the plan, or one to sync again soon if a program has read a token that could not be signed yet.
func (k *sync) signed(p plan.Plan) plan.Plan {
	if k.unsigned {
		return plan.Plan{Retry: true}
	}
	return p
}
