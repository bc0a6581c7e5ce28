package clients

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/discovery"
	"k8s.io/kube-openapi/pkg/util/proto"
	explain "k8s.io/kubectl/pkg/explain/v2"
	kubectlopenapi "k8s.io/kubectl/pkg/util/openapi"
)

// discoverer returns a client for discovery and OpenAPI documents.
func discoverer(t *testing.T) *discovery.DiscoveryClient {
	t.Helper()
	client, err := discovery.NewDiscoveryClientForConfig(config(t))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// patchable returns the kinds of objects that can be patched, as discovery lists them.
func patchable(t *testing.T, client *discovery.DiscoveryClient) (kinds []schema.GroupVersionKind) {
	t.Helper()
	_, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"patch"}}, lists) {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.APIResources {
			// A proxy forwards any verb, and a subresource may be of another group's kind.
			if group := r.Group; (group == "" || group == gv.Group) && !strings.HasSuffix(r.Name, "/proxy") {
				kinds = append(kinds, gv.WithKind(r.Kind))
			}
		}
	}
	if len(kinds) < 30 {
		t.Fatalf("only %d kinds can be patched: %v", len(kinds), kinds)
	}
	return kinds
}

func TestKubectlExplains(t *testing.T) {
	t.Parallel()
	deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	rows := []struct {
		name   string
		fields []string
		want   string
	}{
		{"object with an enum", []string{"spec", "strategy"}, `GROUP:      apps
KIND:       Deployment
VERSION:    v1

FIELD: strategy <DeploymentStrategy>


DESCRIPTION:
    The deployment strategy to use to replace existing pods with new ones.
    DeploymentStrategy describes how to replace existing pods with new ones.
    
FIELDS:
  rollingUpdate	<RollingUpdateDeployment>
    Rolling update config params. Present only if DeploymentStrategyType =
    RollingUpdate.

  type	<string>
  enum: Recreate, RollingUpdate
    Type of deployment. Can be "Recreate" or "RollingUpdate". Default is
    RollingUpdate.
    
    Possible enum values:
     - ` + "`\"Recreate\"`" + ` Kill all existing pods before creating new ones.
     - ` + "`\"RollingUpdate\"`" + ` Replace the old ReplicaSets by new one using rolling
    update i.e gradually scale down the old ReplicaSets and scale up the new
    one.


`},
		{"field of two types", []string{"spec", "strategy", "rollingUpdate", "maxSurge"}, `GROUP:      apps
KIND:       Deployment
VERSION:    v1

FIELD: maxSurge <IntOrString>


DESCRIPTION:
    The maximum number of pods that can be scheduled above the desired number of
    pods. Value can be an absolute number (ex: 5) or a percentage of desired
    pods (ex: 10%). This can not be 0 if MaxUnavailable is 0. Absolute number is
    calculated from percentage by rounding up. Defaults to 25%. Example: when
    this is set to 30%, the new ReplicaSet can be scaled up immediately when the
    rolling update starts, such that the total number of old and new pods do not
    exceed 130% of desired pods. Once old pods have been killed, new ReplicaSet
    can be scaled up further, ensuring that total number of pods running at any
    time during the update is at most 130% of desired pods.
    IntOrString is a type that can hold an int32 or a string.  When used in JSON
    or YAML marshalling and unmarshalling, it produces or consumes the inner
    type.  This allows you to have, for example, a JSON field that can accept a
    name or number.
    

`},
	}
	client := discoverer(t).OpenAPIV3()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			var got bytes.Buffer
			if err := explain.PrintModelDescription(row.fields, &got, client, deployments, false, 0, "plaintext"); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, got.String()); diff != "" {
				t.Errorf("explanation (-want +got):\n%s", diff)
			}
		})
	}
}

// kubectl leaves validation to the server where PATCH documents fieldValidation.
func TestKubectlFindsFieldValidation(t *testing.T) {
	t.Parallel()
	client := discoverer(t)
	verifier := resource.NewQueryParamVerifierV3(nil, client.OpenAPIV3(), resource.QueryParamFieldValidation)
	for _, kind := range patchable(t, client) {
		if err := verifier.HasSupport(kind); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestKubectlReadsV2(t *testing.T) {
	t.Parallel()
	client := discoverer(t)
	document, err := client.OpenAPISchema() // in protobuf
	if err != nil {
		t.Fatal(err)
	}
	resources, err := kubectlopenapi.NewOpenAPIData(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range patchable(t, client) {
		if resources.LookupResource(kind) == nil {
			t.Errorf("%s is not documented", kind)
		}
	}
	deployment := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	kind, ok := resources.LookupResource(deployment).(*proto.Kind)
	if !ok {
		t.Fatalf("Deployment is documented as %T", resources.LookupResource(deployment))
	}
	want := []string{"apiVersion", "kind", "metadata", "spec", "status"}
	if diff := cmp.Diff(want, kind.Keys()); diff != "" {
		t.Errorf("fields of a Deployment (-want +got):\n%s", diff)
	}
	types := []string{
		"application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json",
		"application/apply-patch+yaml",
	}
	if diff := cmp.Diff(types, resources.GetConsumes(deployment, "PATCH")); diff != "" {
		t.Errorf("patches of a Deployment (-want +got):\n%s", diff)
	}
}
