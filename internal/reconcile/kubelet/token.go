package kubelet

import (
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// A Pod's volumes hold tokens of its ServiceAccount. The claims of a token are fixed when its file
// is written, and stored with the machine. It is signed when a program reads the file, because few
// programs do and a signature costs more than the rest of a sync. The key never changes, so all
// readers see the same token.

// real is real time, in whole seconds.
func (k *sync) real() time.Time {
	if k.Real.IsZero() {
		return k.now.Time
	}
	return k.Real.Truncate(time.Second)
}

// issued is when the token in a volume was issued, as defined by podsetup.Surroundings.Issued. An
// existing token is kept until its renewal. A token from the future, as in a database from
// elsewhere, is replaced.
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

// awaitRenewal schedules a sync for when a token must be renewed. Tokens that stay valid for long
// after that need none: a sync that happens anyway renews them.
func (k *sync) awaitRenewal() {
	for _, t := range k.memory.Tokens {
		if !t.Extended() {
			k.wakeAt(k.now.Add(max(t.Renewal().Sub(k.real()), time.Second)))
		}
	}
}

// accountWait is for how long after a Pod's creation its tokens wait for its ServiceAccount. In a
// new namespace, a Pod may start before the account "default" exists.
//
// Differs: Kubernetes rejects the Pod until the account exists. Here its program waits, if it reads
// the token; without an account after this time, no server accepts that.
const accountWait = 10 * time.Second

// awaitsAccount reports whether the Pod is so young that its ServiceAccount may be about to be
// created.
func (k *sync) awaitsAccount() bool { return k.Now.Sub(k.Pod.CreationTimestamp.Time) < accountWait }

// sign makes the content of a token's file for the machines of this sync: nil if that is not
// possible yet, in which case the results of the sync must be discarded.
func (k *sync) sign(claims []byte) []byte {
	if k.Sign == nil {
		return nil
	}
	if k.awaitsAccount() && !serviceaccount.NamesAccount(claims) {
		k.unsigned = true
		return nil
	}
	token, signed := k.Sign(claims)
	k.unsigned = k.unsigned || !signed
	return token
}

// trySign is sign for the Snapshot of another Pod, which runs as a copy in this sync.
func (k *sync) trySign(claims []byte) (token []byte, signed bool) {
	token = k.sign(claims)
	return token, token != nil || k.Sign == nil
}

// signed is the plan, or a plan to sync again soon if a program has read a token that could not be
// signed yet.
func (k *sync) signed(p plan.Plan) plan.Plan {
	if k.unsigned {
		return plan.Plan{Retry: true}
	}
	return p
}
