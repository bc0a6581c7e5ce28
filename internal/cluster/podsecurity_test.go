package cluster_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestPodSecurity_OfClientsAndControllers: the operator's configuration applies to Pods of clients
// and of controllers, and so do exemptions.
func TestPodSecurity_OfClientsAndControllers(t *testing.T) {
	t.Parallel()
	privileged := api.LevelVersion{Level: api.LevelPrivileged, Version: api.LatestVersion()}
	s := clustertest.Open(t, pgtest.NewURL(t), func(c *cluster.Config) {
		c.PodSecurity = &security.Config{
			Defaults:   api.Policy{Enforce: api.LevelVersion{Level: api.LevelBaseline, Version: api.LatestVersion()}, Audit: privileged, Warn: privileged},
			Usernames:  []string{"system:serviceaccount:kube-system:job-controller"},
			Namespaces: []string{"exempt"},
		}
	})
	s.Do("POST", "/api/v1/namespaces", `{"metadata":{"name":"exempt"}}`)
	const spec = `"spec":{"hostNetwork":true,"restartPolicy":"RESTART","containers":[{"name":"c","image":"busybox","command":["true"]}]}`
	always, never := strings.Replace(spec, "RESTART", "Always", 1), strings.Replace(spec, "RESTART", "Never", 1)
	s.Refused(http.StatusForbidden, "POST", core+"pods", `{"metadata":{"name":"p"},`+always+`}`)
	s.Do("POST", "/api/v1/namespaces/exempt/pods", `{"metadata":{"name":"p"},`+always+`}`)
	const sets, jobs = "/apis/apps/v1/namespaces/default/replicasets", "/apis/batch/v1/namespaces/default/jobs"
	s.Do("POST", sets, `{"metadata":{"name":"web"},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},`+always+`}}}`)
	s.Do("POST", jobs, `{"metadata":{"name":"once"},"spec":{"template":{`+never+`}}}`)
	s.Until("the ReplicaSet's Pods are refused", func() bool {
		var rs appsv1.ReplicaSet
		if err := json.Unmarshal(s.Do("GET", sets+"/web", ""), &rs); err != nil {
			t.Fatal(err)
		}
		for _, c := range rs.Status.Conditions {
			if c.Type == appsv1.ReplicaSetReplicaFailure && c.Status == corev1.ConditionTrue {
				return strings.Contains(c.Message, `violates PodSecurity "baseline:latest": host namespaces`)
			}
		}
		return false
	})
	s.Until("the Job, whose controller is exempt, succeeds", func() bool {
		return strings.Contains(string(s.Do("GET", jobs+"/once", "")), `"succeeded":1`)
	})
}
