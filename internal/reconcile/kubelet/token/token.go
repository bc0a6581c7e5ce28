// Package token maintains the tokens of its ServiceAccount that a Pod's volumes hold. The claims of
// a token are fixed when its file is written, and stored with the machine. It is signed when a
// program reads the file, because few programs do and a signature costs more than the rest of a
// sync. The key never changes, so all readers see the same token.
package token

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// Issue is when a token in a volume was issued, in real time as Unix seconds. An existing token is
// kept until its renewal. A token from the future, as in a database from elsewhere, is replaced.
// next are the Pod's tokens with this one; they are equal to tokens, and changed is false, if it is
// kept.
func Issue(tokens []podsetup.Token, t podsetup.Token, real time.Time) (issued int64, next []podsetup.Token, changed bool) {
	t.Issued = real.Unix()
	at := slices.IndexFunc(tokens, func(o podsetup.Token) bool { return o.Audience == t.Audience && o.Seconds == t.Seconds })
	if at >= 0 {
		if old := tokens[at]; old.Issued <= t.Issued && real.Before(old.Renewal()) {
			return old.Issued, tokens, false
		}
	}
	tokens = slices.Clone(tokens)
	if at < 0 {
		return t.Issued, append(tokens, t), true
	}
	tokens[at] = t
	return t.Issued, tokens, true
}

// NextRenewal is how long it is until the first token must be renewed, a second at least; zero if
// none must be. Tokens that stay valid for long after that do not count: a sync that happens anyway
// renews them.
func NextRenewal(tokens []podsetup.Token, real time.Time) (after time.Duration) {
	for _, t := range tokens {
		if t.Extended() {
			continue
		}
		if next := max(t.Renewal().Sub(real), time.Second); after == 0 || next < after {
			after = next
		}
	}
	return after
}

// AccountWait is for how long after a Pod's creation its tokens wait for its ServiceAccount. In a
// new namespace, a Pod may start before the account "default" exists.
//
// Differs: Kubernetes rejects the Pod until the account exists. Here its program waits, if it reads
// the token; without an account after this time, no server accepts that.
const AccountWait = 10 * time.Second

// AwaitsAccount reports whether the Pod is so young that its ServiceAccount may be about to be
// created.
func AwaitsAccount(pod *corev1.Pod, now time.Time) bool {
	return now.Sub(pod.CreationTimestamp.Time) < AccountWait
}

// Signer makes the content of tokens' files for the machines of a sync.
type Signer struct {
	// Key signs the claims of a token; it returns false if it cannot do so yet. If nil, the files of
	// tokens are empty.
	Key func(claims []byte) (token []byte, signed bool)

	// AwaitsAccount is true if claims without a ServiceAccount cannot be signed yet.
	AwaitsAccount bool

	// Failed is true once a program has read a token that cannot be signed yet. The results of the
	// sync must then be discarded.
	Failed bool
}

// Sign makes the content of a token's file; nil if that is not possible yet.
func (s *Signer) Sign(claims []byte) []byte {
	if s.Key == nil {
		return nil
	}
	if s.AwaitsAccount && !serviceaccount.NamesAccount(claims) {
		s.Failed = true
		return nil
	}
	token, signed := s.Key(claims)
	s.Failed = s.Failed || !signed
	return token
}

// TrySign is Sign for the machine of another Pod, which runs as a copy in this sync.
func (s *Signer) TrySign(claims []byte) (token []byte, signed bool) {
	token = s.Sign(claims)
	return token, token != nil || s.Key == nil
}
