package openapi_test

import (
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/openapi3"
	"k8s.io/client-go/rest"
)

// Clients can read the document: here with client-go's code, in test/clients with kubectl's.

func newClient(t *testing.T) *discovery.DiscoveryClient {
	t.Helper()
	server := httptest.NewServer(shared())
	t.Cleanup(server.Close)
	client, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestClientReadsV3(t *testing.T) {
	t.Parallel()
	root := openapi3.NewRoot(newClient(t).OpenAPIV3())
	got, err := root.GroupVersions()
	if err != nil {
		t.Fatal(err)
	}
	want := []schema.GroupVersion{
		{Group: "apps", Version: "v1"},
		{Group: "autoscaling", Version: "v1"},
		{Group: "batch", Version: "v1"},
		{Group: "discovery.k8s.io", Version: "v1"},
		{Group: "events.k8s.io", Version: "v1"},
		{Group: "policy", Version: "v1"},
		{Version: "v1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("groups and versions (-want +got):\n%s", diff)
	}
	for _, gv := range want {
		document, err := root.GVSpec(gv) // in protobuf
		if err != nil {
			t.Errorf("%s: %v", gv, err)
			continue
		}
		for name, s := range document.Components.Schemas {
			if s.Description == "" && len(s.Properties) > 0 {
				t.Errorf("%s: %s has no description", gv, name)
			}
		}
	}
}
