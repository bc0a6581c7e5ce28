package archive_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store/loader"
)

const pods = "/api/v1/namespaces/default/pods"

// limited makes a quota that is used up: by ConfigMaps, and by the Pods of a ReplicaSet that
// requests more. It deletes one of the ConfigMaps in a namespace with the same quota, so that there
// is room for one.
func limited(s *clustertest.Site) {
	s.T.Helper()
	s.Pause()
	s.Do("POST", "/api/v1/namespaces", `{"metadata":{"name":"roomy"}}`)
	s.Advance("1s") // the ConfigMaps and ServiceAccounts that each namespace has exist
	for _, namespace := range []string{"default", "roomy"} {
		core := "/api/v1/namespaces/" + namespace + "/"
		s.Do("POST", core+"resourcequotas", `{"metadata":{"name":"few"},"spec":{"hard":{"configmaps":"4","pods":"2","requests.cpu":"1500m"}}}`)
		s.Advance("1s")
		for i := range 3 { // and the authority's certificate
			s.Do("POST", core+"configmaps", fmt.Sprintf(`{"metadata":{"name":"c-%d"}}`, i))
		}
	}
	s.Do("POST", "/apis/apps/v1/namespaces/default/replicasets", `{"metadata":{"name":"web"},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},
		"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"nginx:1.29","resources":{"requests":{"cpu":"700m"}}}]}}}}`)
	s.Advance("1s")
	s.Do("DELETE", "/api/v1/namespaces/roomy/configmaps/c-0", "")
}

// shown returns the status of a quota.
func shown(s *clustertest.Site, namespace string) map[string]string {
	s.T.Helper()
	var q struct {
		Status struct{ Used map[string]string }
	}
	s.Get("/api/v1/namespaces/"+namespace+"/resourcequotas/few", &q)
	return q.Status.Used
}

// judgeLimited checks that quotas apply from the first request on, that their status shows so, and
// that refused writers continue when there is room.
func judgeLimited(s *clustertest.Site) {
	s.T.Helper()
	config := func(name string) string { return `{"metadata":{"name":"` + name + `"}}` }
	want := "exceeded quota: few, requested: configmaps=1, used: configmaps=4, limited: configmaps=4"
	if message := s.Refused(403, "POST", "/api/v1/namespaces/default/configmaps", config("more")); !strings.Contains(message, want) {
		s.T.Errorf("it is refused with: %s", message)
	}
	s.Do("POST", "/api/v1/namespaces/roomy/configmaps", config("more"))
	if message := s.Refused(403, "POST", "/api/v1/namespaces/roomy/configmaps", config("most")); !strings.Contains(message, want) {
		s.T.Errorf("it is refused with: %s", message)
	}
	s.Advance("1s")
	if diff := cmp.Diff(map[string]string{"configmaps": "4", "pods": "2", "requests.cpu": "1400m"}, shown(s, "default")); diff != "" {
		s.T.Errorf("used in default (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"configmaps": "4", "pods": "0", "requests.cpu": "0"}, shown(s, "roomy")); diff != "" {
		s.T.Errorf("used in roomy (-want +got):\n%s", diff)
	}
	s.Do("PUT", "/api/v1/namespaces/default/resourcequotas/few", `{"metadata":{"name":"few"},"spec":{"hard":{"configmaps":"4","pods":"3","requests.cpu":"3"}}}`)
	s.Advance("1s")
	var list struct{ Items []struct{} }
	s.Get(pods, &list)
	if len(list.Items) != 3 {
		s.T.Errorf("there are %d Pods where there is room for all 3", len(list.Items))
	}
	if diff := cmp.Diff(map[string]string{"configmaps": "4", "pods": "3", "requests.cpu": "2100m"}, shown(s, "default")); diff != "" {
		s.T.Errorf("used in default, with room for a third Pod (-want +got):\n%s", diff)
	}
}

// TestQuota_HoldsInCopies: a quota that is used up is so in what is loaded from a snapshot and in
// forks, from their first moment on.
func TestQuota_HoldsInCopies(t *testing.T) {
	t.Parallel()
	source := clustertest.Open(t, pgtest.NewURL(t))
	limited(source)
	source.Do("POST", "/rowlock/v1/snapshots", `{"name":"one"}`)
	file := source.Do("GET", "/rowlock/v1/snapshots/one/file", "")
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	source.Get(pods, &list)

	loaded := clustertest.Open(t, pgtest.NewURL(t))
	loaded.Do("POST", "/api/v1/namespaces/default/resourcequotas", `{"metadata":{"name":"few"},"spec":{"hard":{"configmaps":"40"}}}`)
	loaded.Do("PUT", "/rowlock/v1/snapshots/given/file", string(file))
	loaded.Do("POST", "/rowlock/v1/snapshots/given/load", `{"replace":true}`)
	judgeLimited(loaded)

	judgeLimited(fresh(t, file, loader.ClockAsSaved))
	judgeLimited(source.Fork("now", ""))
	source.Do("DELETE", "/api/v1/namespaces/default/configmaps/c-1", "")
	source.Do("DELETE", "/apis/apps/v1/namespaces/default/replicasets/web", "")
	source.Advance("1m")
	judgeLimited(source.Fork("past", `,"at":`+list.Metadata.ResourceVersion+`,"clock":"paused"`))
}
