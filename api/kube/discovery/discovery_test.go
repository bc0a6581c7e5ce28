package discovery_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"

	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/internal/kind/builtin"
)

// resources prints what a discovery client found, one line per resource.
func resources(lists []*metav1.APIResourceList) []string {
	var out []string
	for _, l := range lists {
		for _, r := range l.APIResources {
			if strings.Contains(r.Name, "/") {
				r.SingularName = "" // the client derives one in one of the two forms
			}
			out = append(out, fmt.Sprintf("%s %s kind=%s/%s.%s namespaced=%t singular=%s short=%v categories=%v verbs=%v",
				l.GroupVersion, r.Name, r.Group, r.Version, r.Kind, r.Namespaced, r.SingularName, r.ShortNames, r.Categories, r.Verbs))
		}
	}
	slices.Sort(out)
	return out
}

// Aggregated and plain discovery agree, and contain every kind of the catalogue.
func TestDiscovery(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	client := discovery.NewDiscoveryClientForConfigOrDie(c.Config())
	_, aggregated, err := client.ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	plainClient := discovery.NewDiscoveryClientForConfigOrDie(c.Config())
	plainClient.UseLegacyDiscovery = true
	groups, plain, err := plainClient.ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	found := resources(plain)
	for _, want := range []string{
		"v1 configmaps kind=/.ConfigMap namespaced=true singular=configmap short=[cm] categories=[] verbs=[create delete deletecollection get list patch update watch]",
		"v1 namespaces kind=/.Namespace namespaced=false singular=namespace short=[ns] categories=[] verbs=[create delete get list patch update watch]",
		"v1 namespaces/finalize kind=/.Namespace namespaced=false singular= short=[] categories=[] verbs=[update]",
		"apps/v1 deployments/scale kind=autoscaling/v1.Scale namespaced=true singular= short=[] categories=[] verbs=[get patch update]",
		"apps/v1 deployments/status kind=/.Deployment namespaced=true singular= short=[] categories=[] verbs=[get patch update]",
	} {
		if !slices.Contains(found, want) {
			t.Errorf("there is no %s in\n%s", want, strings.Join(found, "\n"))
		}
	}
	for _, k := range builtin.Catalogue().All() {
		if prefix := fmt.Sprintf("%s %s ", k.GroupVersion(), k.Plural); !slices.ContainsFunc(found, func(s string) bool { return strings.HasPrefix(s, prefix) }) {
			t.Errorf("%s is missing", prefix)
		}
	}
	if diff := cmp.Diff(resources(plain), resources(aggregated)); diff != "" {
		t.Errorf("(-plain +aggregated):\n%s", diff)
	}
	var names []string
	for _, g := range groups {
		names = append(names, g.Name+" "+g.PreferredVersion.GroupVersion)
	}
	// kubectl resolves a resource without a group in this order
	if apps, events := slices.Index(names, "apps apps/v1"), slices.Index(names, "events.k8s.io events.k8s.io/v1"); apps > events {
		t.Errorf("groups in the order %q", names)
	}
	if !slices.Contains(names, " v1") || !slices.Contains(names, "apps apps/v1") {
		t.Errorf("groups %q", names)
	}
	version, err := client.ServerVersion()
	if err != nil || version.GitVersion != "v1.36.6" || version.Major != "1" || version.Minor != "36" {
		t.Errorf("version %+v, %v", version, err)
	}
}

// Aggregated discovery has an ETag, by which clients see that nothing has changed.
func TestAggregatedDiscovery_NotModified(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	accept := "Accept: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	res := c.Do(t, "GET /apis", "", accept)
	etag := res.Header.Get("Etag")
	if len(etag) != 130 || res.Header.Get("Cache-Control") != "public" || res.Header.Get("Vary") != "Accept" {
		t.Errorf("answered %v", res.Header)
	}
	if res = c.Do(t, "GET /apis", "", accept, "If-None-Match: "+etag); res.Code != http.StatusNotModified || res.Body != "" {
		t.Errorf("a client that has it: %d %s", res.Code, res.Body)
	}
	if res = c.Do(t, "GET /api", "", accept, "If-None-Match: "+etag); res.Code != http.StatusOK {
		t.Errorf("another document: %d", res.Code)
	}
}
