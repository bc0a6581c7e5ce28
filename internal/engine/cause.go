package engine

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// newestSeen returns the newest change of an object's dependents that a snapshot has and the claim
// does not, 0 if there is none. A snapshot may be newer than its claim: the newer changes lead to
// the plan just as the cause of the sync does, and their own wakeup is still to come.
//
// Cost: the dependents of the object or, if there are many, what has changed since the claim.
func newestSeen(v mirror.View, uid types.UID, claimed wakeup.Claimed) (newest object.Revision) {
	if v.Revision() <= claimed.Revision {
		return 0
	}
	if v.EachIn(mirror.ByOwner, string(uid), nil) > manyDependents {
		if newest, known := v.NewestOwned(uid, claimed.Revision); known {
			return newest
		}
	}
	v.EachIn(mirror.ByOwner, string(uid), func(o *object.Version) {
		if o.Revision > claimed.Revision {
			newest = max(newest, o.Revision)
		}
	})
	return newest
}

// manyDependents is the number of dependents from which on reading the recent changes is faster.
const manyDependents = 500

// causesOf returns what asked for syncs under a controller's lock: by claimed object, and, under
// the empty uid, for all.
func causesOf(claimed wakeup.Claimed) map[types.UID]object.Revision {
	causes := make(map[types.UID]object.Revision, len(claimed.Claims)+1)
	for _, c := range claimed.Claims {
		causes[c.UID] = c.Cause
		causes[""] = max(causes[""], c.Cause)
	}
	return causes
}
