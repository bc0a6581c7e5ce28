package engine

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// maxPeers bounds how many other objects a turn reads besides those it has claimed. A request with
// peers beyond that is taken again.
const maxPeers = 100

// requests makes the requests of claims: with the memories of their objects and their peers, and
// with the files that those see on nodes. This takes one query if there are any calls, one if there
// are any peers, and one if there are any files.
func (w *Worker) requests(ctx context.Context, conn *pgx.Conn, claimed wakeup.Claimed) ([]Request, error) {
	requests := make([]Request, len(claimed.Claims))
	for i, c := range claimed.Claims {
		requests[i] = Request{UID: c.UID, Memory: c.Memory, Moment: claimed.Now, Still: claimed.Still}
	}
	if w.controller.Quotas {
		return requests, w.lookUpQuotas(ctx, conn, requests)
	}
	if w.controller.Places == nil {
		return requests, nil
	}
	if claimed.Calls {
		if err := w.readCalls(ctx, conn, requests, claimed.Now); err != nil {
			return nil, err
		}
	}
	places, peers := w.placesAndPeers(requests)
	if err := w.readPeers(ctx, conn, peers); err != nil {
		return nil, err
	}
	if len(places) == 0 {
		return requests, nil
	}
	files, err := w.Store.NodeFiles(ctx, conn, places)
	if err != nil {
		return nil, err
	}
	for i := range requests {
		requests[i].Files = seen(requests[i].Places, files)
	}
	for uid, p := range peers {
		p.Files = seen(p.Places, files)
		peers[uid] = p
	}
	return requests, nil
}

// readCalls adds to requests the calls that their objects must answer by now, and those that they
// have made.
func (w *Worker) readCalls(ctx context.Context, conn *pgx.Conn, requests []Request, now time.Time) error {
	uids, at := make([]types.UID, len(requests)), make(map[types.UID]int, len(requests))
	for i := range requests {
		uids[i], at[requests[i].UID] = requests[i].UID, i
	}
	calls, err := w.Store.Calls(ctx, conn, uids, now)
	toAnswer := make([]int, len(requests))
	for _, c := range calls {
		if i, ok := at[c.Caller]; ok {
			requests[i].Calls = append(requests[i].Calls, c)
		}
		i, ok := at[c.Callee]
		if !ok || c.Answer != nil || c.Due.After(now) {
			continue
		}
		if c.Caller != c.Callee {
			requests[i].Calls = append(requests[i].Calls, c)
		}
		toAnswer[i]++
		requests[i].MoreCalls = requests[i].MoreCalls || c.Query == nil || store.MoreCalls(toAnswer[i])
	}
	return err
}

// placesAndPeers returns the places and the peers of all requests. Each request gets its own places
// and all peers.
func (w *Worker) placesAndPeers(requests []Request) (places []store.Place, peers map[types.UID]Peer) {
	peers = map[types.UID]Peer{}
	w.Mirror.Read(func(v mirror.View) {
		for i := range requests {
			l := &requests[i]
			o := v.UID(l.UID)
			if o == nil || !w.controller.Syncs(o.Type.Resource()) {
				continue
			}
			l.Places = w.controller.Places(v, o)
			places = append(places, l.Places...)
			if w.controller.Peers == nil {
				continue
			}
			l.Peers = peers
			for _, peer := range w.controller.Peers(v, o, l.Memory) {
				if _, known := peers[peer.UID]; known || len(peers) == maxPeers {
					continue
				}
				p := Peer{Places: w.controller.Places(v, peer)}
				peers[peer.UID], places = p, append(places, p.Places...)
			}
		}
	})
	return places, peers
}

// readPeers reads the memories of the peers.
func (w *Worker) readPeers(ctx context.Context, conn *pgx.Conn, peers map[types.UID]Peer) error {
	if len(peers) == 0 {
		return nil
	}
	memories, err := w.Store.Memories(ctx, conn, slices.Collect(maps.Keys(peers)))
	for uid, memory := range memories {
		p := peers[uid]
		p.Memory = memory
		peers[uid] = p
	}
	return err
}

// seen returns the files that are at or below one of the places.
func seen(places []store.Place, files []plan.File) (found []plan.File) {
	for _, f := range files {
		if sees(places, f) {
			found = append(found, f)
		}
	}
	return found
}

// lookUpQuotas adds to requests how the quotas that they are for are enforced.
func (w *Worker) lookUpQuotas(ctx context.Context, conn *pgx.Conn, requests []Request) error {
	uids := make([]types.UID, len(requests))
	for i, l := range requests {
		uids[i] = l.UID
	}
	states, err := w.Store.QuotaStates(ctx, conn, uids, nil)
	if err != nil {
		return err
	}
	for i := range requests {
		if at := slices.IndexFunc(states, func(q store.QuotaState) bool { return q.UID == requests[i].UID }); at >= 0 {
			requests[i].Quota = &states[at]
		}
	}
	return nil
}

// sees reports whether a file is at or below one of the places.
func sees(places []store.Place, f plan.File) bool {
	for _, p := range places {
		if p.Node == f.Node && (p.Path == f.Path || strings.HasPrefix(f.Path, strings.TrimSuffix(p.Path, "/")+"/")) {
			return true
		}
	}
	return false
}
