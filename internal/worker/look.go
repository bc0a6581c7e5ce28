package worker

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// look makes looks of claims: with what is remembered of their objects, and with the files that they see on nodes, which
// takes a query of its own where any of them sees some.
func (w *Worker) look(ctx context.Context, conn *pgx.Conn, claimed wakeup.Claimed) ([]Look, error) {
	looks := make([]Look, len(claimed.Claims))
	for i, c := range claimed.Claims {
		looks[i] = Look{UID: c.UID, Memory: c.Memory}
	}
	if w.controller.Quotas {
		return looks, w.lookUpQuotas(ctx, conn, looks)
	}
	if w.controller.Places == nil {
		return looks, nil
	}
	places := make([][]store.Place, len(looks))
	var all []store.Place
	w.Mirror.Read(func(v mirror.View) {
		for i, l := range looks {
			if o := v.UID(l.UID); o != nil {
				places[i] = w.controller.Places(v, o)
				all = append(all, places[i]...)
			}
		}
	})
	if len(all) == 0 {
		return looks, nil
	}
	files, err := w.Store.NodeFiles(ctx, conn, all)
	if err != nil {
		return nil, err
	}
	for i := range looks {
		looks[i].Places = places[i]
		for _, f := range files {
			if sees(places[i], f) {
				looks[i].Files = append(looks[i].Files, f)
			}
		}
	}
	return looks, nil
}

// lookUpQuotas adds to looks how the quotas are enforced that they are at.
func (w *Worker) lookUpQuotas(ctx context.Context, conn *pgx.Conn, looks []Look) error {
	uids := make([]types.UID, len(looks))
	for i, l := range looks {
		uids[i] = l.UID
	}
	states, err := w.Store.QuotaStates(ctx, conn, uids, nil)
	if err != nil {
		return err
	}
	for i := range looks {
		if at := slices.IndexFunc(states, func(q store.QuotaState) bool { return q.UID == looks[i].UID }); at >= 0 {
			looks[i].Quota = &states[at]
		}
	}
	return nil
}

// sees says whether a file is at or below one of the places.
func sees(places []store.Place, f plan.File) bool {
	for _, p := range places {
		if p.Node == f.Node && (p.Path == f.Path || strings.HasPrefix(f.Path, strings.TrimSuffix(p.Path, "/")+"/")) {
			return true
		}
	}
	return false
}
