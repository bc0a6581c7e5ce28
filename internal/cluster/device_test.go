package cluster_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	resourcev1 "k8s.io/api/resource/v1"

	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/test/history"
)

const (
	resourcePath = "/apis/resource.k8s.io/v1"
	racersPath   = "/api/v1/namespaces/default/pods"
)

// TestDevices_RacingReplicas: Pods that are created through two replicas at once all want the only
// device. It has one holder at a time, and each Pod gets it in the end, when the one before it is
// deleted.
func TestDevices_RacingReplicas(t *testing.T) {
	t.Parallel()
	const racers = 6
	url := pgtest.NewURL(t)
	sites := []*clustertest.Site{clustertest.Open(t, url), clustertest.Open(t, url)}
	sites[0].Do("POST", resourcePath+"/deviceclasses", `{"metadata":{"name":"gpu"},"spec":{"selectors":[{"cel":{"expression":"device.driver == \"gpu.example.com\""}}]}}`)
	sites[0].Do("POST", resourcePath+"/resourceslices", `{"metadata":{"name":"gpus"},"spec":{"driver":"gpu.example.com","nodeName":"node-2",
		"pool":{"name":"node-2","generation":1,"resourceSliceCount":1},"devices":[{"name":"gpu-0"}]}}`)
	sites[0].Do("POST", resourcePath+"/namespaces/default/resourceclaimtemplates", `{"metadata":{"name":"gpu"},
		"spec":{"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu"}}]}}}}`)
	var all sync.WaitGroup
	for i := range racers {
		all.Go(func() {
			sites[i%2].Do("POST", racersPath, fmt.Sprintf(`{"metadata":{"name":"racer-%d"},"spec":{"resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"gpu"}],
				"containers":[{"name":"c","image":"nginx","resources":{"claims":[{"name":"gpu"}]}}]}}`, i))
		})
	}
	all.Wait()
	for i := range racers {
		s := sites[i%2]
		holder := ""
		s.Until("a Pod has the device", func() bool { holder = holderOf(s); return holder != "" })
		s.Do("DELETE", racersPath+"/"+holder+"?gracePeriodSeconds=0", "")
		s.Gone(racersPath + "/" + holder)
	}
	h := clustertest.Log(t, url)
	for _, v := range history.Devices(h) {
		t.Error(v)
	}
	got := map[string]bool{}
	for _, e := range h {
		if c, ok := e.Object.(*resourcev1.ResourceClaim); ok && c.Status.Allocation != nil {
			got[c.OwnerReferences[0].Name] = true
		}
	}
	if len(got) != racers {
		t.Errorf("%d of %d Pods had the device: %v", len(got), racers, got)
	}
}

// holderOf returns the Pod that a claim is reserved for; "" for none.
func holderOf(s *clustertest.Site) string {
	s.T.Helper()
	var claims resourcev1.ResourceClaimList
	if err := json.Unmarshal(s.Do("GET", resourcePath+"/namespaces/default/resourceclaims", ""), &claims); err != nil {
		s.T.Fatal(err)
	}
	for i := range claims.Items {
		if c := &claims.Items[i]; c.Status.Allocation != nil && len(c.Status.ReservedFor) > 0 {
			if code, _ := s.Try("GET", racersPath+"/"+c.Status.ReservedFor[0].Name, ""); code == 200 {
				return c.Status.ReservedFor[0].Name
			}
		}
	}
	return ""
}
