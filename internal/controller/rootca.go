package controller

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/serviceaccount"
)

// PublishRootCA has the namespaces synced whose ConfigMap kube-root-ca.crt holds other certificates than the bundle: those of a
// server that had another authority, or spoke plain HTTP, when it wrote them. It is called once the mirror is loaded, at the
// start and after another state was loaded; namespaces without the ConfigMap are synced anyway. Its cost is that of the
// namespaces. Replicas that are given different bundles do not undo each other's until they start again.
func PublishRootCA(ctx context.Context, deps engine.Deps, bundle string) error {
	var stale []types.UID
	deps.Mirror.Read(func(v mirror.View) {
		v.Each("namespaces", "", func(ns *object.Version) bool {
			cm := v.Get(object.Key{Resource: "configmaps", Namespace: ns.Name, Name: serviceaccount.RootCA})
			if cm != nil && cm.Object().(*corev1.ConfigMap).Data[serviceaccount.RootCAKey] != bundle {
				stale = append(stale, ns.UID)
			}
			return true
		})
	})
	if len(stale) == 0 {
		return nil
	}
	batch := deps.Store.NewBatch(ServiceAccount)
	for _, uid := range stale {
		batch.Wake(ServiceAccount, uid, 0)
	}
	err := deps.Pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
			return err
		}
		_, err := deps.Store.Commit(ctx, conn.Conn(), batch)
		return err
	})
	if err != nil {
		return fmt.Errorf("publish the certificates of the server: %w", err)
	}
	return nil
}
