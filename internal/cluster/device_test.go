package cluster_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	resourcev1 "k8s.io/api/resource/v1"

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
	sites := []*site{openSite(t, url), openSite(t, url)}
	sites[0].do("POST", resourcePath+"/deviceclasses", `{"metadata":{"name":"gpu"},"spec":{"selectors":[{"cel":{"expression":"device.driver == \"gpu.example.com\""}}]}}`)
	sites[0].do("POST", resourcePath+"/resourceslices", `{"metadata":{"name":"gpus"},"spec":{"driver":"gpu.example.com","nodeName":"node-2",
		"pool":{"name":"node-2","generation":1,"resourceSliceCount":1},"devices":[{"name":"gpu-0"}]}}`)
	sites[0].do("POST", resourcePath+"/namespaces/default/resourceclaimtemplates", `{"metadata":{"name":"gpu"},
		"spec":{"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu"}}]}}}}`)
	var all sync.WaitGroup
	for i := range racers {
		all.Go(func() {
			sites[i%2].do("POST", racersPath, fmt.Sprintf(`{"metadata":{"name":"racer-%d"},"spec":{"resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"gpu"}],
				"containers":[{"name":"c","image":"nginx","resources":{"claims":[{"name":"gpu"}]}}]}}`, i))
		})
	}
	all.Wait()
	for i := range racers {
		s := sites[i%2]
		holder := ""
		s.within("a Pod has the device", func() bool { holder = s.holder(); return holder != "" })
		s.do("DELETE", racersPath+"/"+holder+"?gracePeriodSeconds=0", "")
		s.gone(racersPath + "/" + holder)
	}
	h := logOf(t, url)
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

// holder returns the Pod that a claim is reserved for; "" for none.
func (s *site) holder() string {
	s.t.Helper()
	var claims resourcev1.ResourceClaimList
	if err := json.Unmarshal(s.do("GET", resourcePath+"/namespaces/default/resourceclaims", ""), &claims); err != nil {
		s.t.Fatal(err)
	}
	for i := range claims.Items {
		if c := &claims.Items[i]; c.Status.Allocation != nil && len(c.Status.ReservedFor) > 0 {
			if code, _ := s.try("GET", racersPath+"/"+c.Status.ReservedFor[0].Name, ""); code == 200 {
				return c.Status.ReservedFor[0].Name
			}
		}
	}
	return ""
}
