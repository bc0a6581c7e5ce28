package controller_test

import (
	"testing"

	"github.com/rowlock/rowlock/internal/engine/enginetest"
	"github.com/rowlock/rowlock/internal/mirror"
)

// replica is one process of a cluster.
type replica struct{ enginetest.Replica }

func newReplica(t testing.TB) replica {
	t.Helper()
	return replica{enginetest.New(t)}
}

func joinReplica(t testing.TB, url string, config mirror.Config) replica {
	t.Helper()
	return replica{enginetest.Join(t, url, config)}
}

var (
	start      = enginetest.Start
	newUID     = enginetest.NewUID
	eventually = enginetest.Eventually
	configMap  = enginetest.ConfigMap
)
