package cluster_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// core is where the objects of the core group are, in the namespace "default".
const core = "/api/v1/namespaces/default/"

// TestFull: in a cluster that holds as many objects as it may, neither clients nor controllers
// create anything, and everything else continues. Once objects are deleted, pending objects are
// created.
func TestFull(t *testing.T) {
	t.Parallel()
	const most, replicas = 500, 3
	s := clustertest.Open(t, pgtest.NewURL(t), func(c *cluster.Config) { c.MostObjects = most })
	const set = "/apis/apps/v1/namespaces/default/replicasets"
	s.Do("POST", set, `{"metadata":{"name":"web"},"spec":{"replicas":0,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},`+
		`"spec":{"containers":[{"name":"c","image":"busybox","command":["sleep","1000"]}]}}}}`)
	var answer []byte
	code, filled := 0, 0
	for code = http.StatusCreated; code == http.StatusCreated && filled < most; filled++ {
		code, answer = s.Try("POST", core+"configmaps", fmt.Sprintf(`{"metadata":{"name":"filler-%d"}}`, filled))
	}
	if code != http.StatusInsufficientStorage || !strings.Contains(string(answer), fmt.Sprintf("the cluster holds %d objects", most)) {
		t.Fatalf("after %d ConfigMaps: %d %s", filled, code, answer)
	}
	s.Refused(http.StatusInsufficientStorage, "POST", "/api/v1/namespaces", `{"metadata":{"name":"more"}}`)
	s.Refused(http.StatusInsufficientStorage, "POST", core+"configmaps?dryRun=All", `{"metadata":{"name":"more"}}`)
	s.Do("PUT", core+"configmaps/filler-0", `{"metadata":{"name":"filler-0"},"data":{"a":"b"}}`)

	s.Do("PUT", set+"/web/scale", fmt.Sprintf(`{"metadata":{"name":"web","namespace":"default"},"spec":{"replicas":%d}}`, replicas))
	shown := func() (rs appsv1.ReplicaSet) {
		if err := json.Unmarshal(s.Do("GET", set+"/web", ""), &rs); err != nil {
			t.Fatal(err)
		}
		return rs
	}
	s.Until("the ReplicaSet says why it has no Pods", func() bool {
		for _, c := range shown().Status.Conditions {
			if c.Type == appsv1.ReplicaSetReplicaFailure && c.Status == corev1.ConditionTrue {
				return strings.Contains(c.Message, "the cluster holds")
			}
		}
		return false
	})
	if n := shown().Status.Replicas; n != 0 {
		t.Errorf("%d Pods were created", n)
	}
	s.Do("DELETE", core+"configmaps", "")
	s.Until("its Pods are there", func() bool { return shown().Status.ReadyReplicas == replicas })
}
