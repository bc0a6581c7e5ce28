package controller

import (
	"bytes"
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

func newConfiguration(World) engine.Controller {
	return engine.Controller{
		Name: wakeup.Configuration, UserAgent: "kubelet", Others: []string{"configmaps", "secrets"}, Batch: 64, Reconcile: each(lookForReaders),
		Sources: []wakeup.Source{
			wakeup.For(&kind.ConfigMap.Type, isRead, configMapChanged),
			wakeup.For(&kind.Secret.Type, isRead, secretChanged),
		},
	}
}

// isRead holds for objects that Pods may refer to. What Pods have been given of one that is removed they keep.
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
