package engine

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// newestSeen is the newest change of an object's dependents that a snapshot has and the claim had
// not, 0 for none. A snapshot may be newer than the claim that it is made for: what it has then
// leads to the plan just as what asked for the sync, and its own wakeup is still to come.
//
// Cost: the dependents of the object or, where those are many, what has changed since the claim.
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

// manyDependents is from how many dependents on it is quicker to go through what has changed.
const manyDependents = 500

// causesOf says what asked for syncs under a controller's lock: of each object that was claimed, and under the uid that is empty, of all.
func causesOf(claimed wakeup.Claimed) map[types.UID]object.Revision {
	causes := make(map[types.UID]object.Revision, len(claimed.Claims)+1)
	for _, c := range claimed.Claims {
		causes[c.UID] = c.Cause
		causes[""] = max(causes[""], c.Cause)
	}
	return causes
}
