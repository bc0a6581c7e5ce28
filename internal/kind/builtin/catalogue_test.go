package builtin_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/object"
)

func TestCatalogue_FindsEachKindByItsNames(t *testing.T) {
	t.Parallel()
	c := builtin.Catalogue()
	var names, stored []string
	for _, k := range c.All() {
		names = append(names, k.GroupVersionKind().String())
		if got := c.ByGVR(k.Group, k.Version, k.Plural); got != k {
			t.Errorf("ByGVR does not find %s", k.Resource())
		}
		if got := c.ByGVK(k.GroupVersionKind()); got != k {
			t.Errorf("ByGVK does not find %s", k.GroupVersionKind())
		}
	}
	for _, typ := range c.Types() {
		stored = append(stored, typ.Resource())
		if k := c.ByResource(typ.Resource()); k == nil || &k.Type != typ {
			t.Errorf("ByResource does not find %s by its one Type", typ.Resource())
		}
	}
	kindtest.Diff(t, []string{
		"/v1, Kind=Namespace", "/v1, Kind=Node", "/v1, Kind=Pod", "/v1, Kind=PodTemplate", "/v1, Kind=Event", "events.k8s.io/v1, Kind=Event",
		"/v1, Kind=ConfigMap", "/v1, Kind=Secret", "/v1, Kind=LimitRange", "/v1, Kind=ResourceQuota", "/v1, Kind=ServiceAccount", "/v1, Kind=Service", "/v1, Kind=Endpoints",
		"/v1, Kind=PersistentVolume", "/v1, Kind=PersistentVolumeClaim", "/v1, Kind=ReplicationController",
		"apps/v1, Kind=ReplicaSet", "apps/v1, Kind=StatefulSet", "apps/v1, Kind=Deployment", "apps/v1, Kind=DaemonSet",
		"apps/v1, Kind=ControllerRevision", "batch/v1, Kind=Job", "batch/v1, Kind=CronJob",
		"autoscaling/v2, Kind=HorizontalPodAutoscaler", "autoscaling/v1, Kind=HorizontalPodAutoscaler",
		"certificates.k8s.io/v1, Kind=CertificateSigningRequest", "coordination.k8s.io/v1, Kind=Lease",
		"flowcontrol.apiserver.k8s.io/v1, Kind=FlowSchema",
		"flowcontrol.apiserver.k8s.io/v1, Kind=PriorityLevelConfiguration",
		"networking.k8s.io/v1, Kind=Ingress", "networking.k8s.io/v1, Kind=IngressClass",
		"networking.k8s.io/v1, Kind=NetworkPolicy", "networking.k8s.io/v1, Kind=IPAddress",
		"networking.k8s.io/v1, Kind=ServiceCIDR", "node.k8s.io/v1, Kind=RuntimeClass",
		"policy/v1, Kind=PodDisruptionBudget",
		"rbac.authorization.k8s.io/v1, Kind=Role", "rbac.authorization.k8s.io/v1, Kind=RoleBinding",
		"rbac.authorization.k8s.io/v1, Kind=ClusterRole", "rbac.authorization.k8s.io/v1, Kind=ClusterRoleBinding",
		"scheduling.k8s.io/v1, Kind=PriorityClass", "discovery.k8s.io/v1, Kind=EndpointSlice",
		"storage.k8s.io/v1, Kind=StorageClass", "storage.k8s.io/v1, Kind=VolumeAttachment", "storage.k8s.io/v1, Kind=CSIDriver", "storage.k8s.io/v1, Kind=CSINode",
		"storage.k8s.io/v1, Kind=CSIStorageCapacity", "storage.k8s.io/v1, Kind=VolumeAttributesClass",
		"resource.k8s.io/v1, Kind=DeviceClass", "resource.k8s.io/v1, Kind=ResourceClaim", "resource.k8s.io/v1, Kind=ResourceClaimTemplate", "resource.k8s.io/v1, Kind=ResourceSlice",
		"authorization.k8s.io/v1, Kind=SelfSubjectAccessReview", "authorization.k8s.io/v1, Kind=SelfSubjectRulesReview",
		"authorization.k8s.io/v1, Kind=SubjectAccessReview", "authorization.k8s.io/v1, Kind=LocalSubjectAccessReview",
		"authentication.k8s.io/v1, Kind=SelfSubjectReview", "authentication.k8s.io/v1, Kind=TokenReview",
		"/v1, Kind=ComponentStatus", "apiextensions.k8s.io/v1, Kind=CustomResourceDefinition", "metrics.k8s.io/v1beta1, Kind=NodeMetrics", "metrics.k8s.io/v1beta1, Kind=PodMetrics",
	}, names)
	kindtest.Diff(t, []string{
		"namespaces", "nodes", "pods", "podtemplates", "events", "configmaps", "secrets", "limitranges", "resourcequotas", "serviceaccounts", "services", "endpoints",
		"persistentvolumes", "persistentvolumeclaims", "replicationcontrollers",
		"replicasets.apps", "statefulsets.apps", "deployments.apps", "daemonsets.apps", "controllerrevisions.apps",
		"jobs.batch", "cronjobs.batch", "horizontalpodautoscalers.autoscaling",
		"certificatesigningrequests.certificates.k8s.io", "leases.coordination.k8s.io",
		"flowschemas.flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
		"ingresses.networking.k8s.io", "ingressclasses.networking.k8s.io", "networkpolicies.networking.k8s.io",
		"ipaddresses.networking.k8s.io", "servicecidrs.networking.k8s.io", "runtimeclasses.node.k8s.io",
		"poddisruptionbudgets.policy",
		"roles.rbac.authorization.k8s.io", "rolebindings.rbac.authorization.k8s.io",
		"clusterroles.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io",
		"priorityclasses.scheduling.k8s.io", "endpointslices.discovery.k8s.io",
		"storageclasses.storage.k8s.io", "volumeattachments.storage.k8s.io", "csidrivers.storage.k8s.io", "csinodes.storage.k8s.io",
		"csistoragecapacities.storage.k8s.io", "volumeattributesclasses.storage.k8s.io",
		"deviceclasses.resource.k8s.io", "resourceclaims.resource.k8s.io", "resourceclaimtemplates.resource.k8s.io",
		"resourceslices.resource.k8s.io", "customresourcedefinitions.apiextensions.k8s.io", "faults.rowlock.io",
		"metrics.rowlock.io",
	}, stored)
}

func TestCatalogue_UnknownNames(t *testing.T) {
	t.Parallel()
	c := builtin.Catalogue()
	for name, got := range map[string]*kind.Kind{
		"resource of a view": c.ByResource("events.events.k8s.io"),
		"unknown resource":   c.ByResource("widgets.example.com"),
		"RS-008 old group":   c.ByGVR("extensions", "v1beta1", "replicasets"),
		"RS-031 old version": c.ByGVR("apps", "v1beta2", "replicasets"),
		"list kind":          c.ByGVK(apps.Deployment.GroupVersion().WithKind("DeploymentList")),
	} {
		if got != nil {
			t.Errorf("%s: found %s", name, got.GroupVersionKind())
		}
	}
}

func TestCatalogue_PanicsOnDefects(t *testing.T) {
	t.Parallel()
	for name, kinds := range map[string][]*kind.Kind{
		"twice":                  {core.ConfigMap, core.ConfigMap},
		"view without its kind":  {core.EventsV1},
		"view of something else": {core.ConfigMap, core.EventsV1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("NewCatalogue accepts it")
				}
			}()
			kind.NewCatalogue(kinds...)
		})
	}
}

func TestKinds_AreComplete(t *testing.T) {
	t.Parallel()
	for _, k := range builtin.Catalogue().All() {
		t.Run(k.GroupVersionKind().String(), func(t *testing.T) {
			t.Parallel()
			if k.Answer != nil { // a review has nothing else
				if k.Singular == "" || k.New == nil || k.Validate == nil {
					t.Error("a part that every question has is missing")
				}
				return
			}
			if k.Derived != nil { // it has no singular name and cannot be written
				if k.NewList == nil || k.Row == nil || len(k.Columns) == 0 || k.Derived.Objects == nil {
					t.Error("a part that every computed kind has is missing")
				}
				return
			}
			if k.Singular == "" || k.New == nil || k.NewList == nil || k.Default == nil || k.Validate == nil ||
				k.ValidateUpdate == nil || k.Row == nil || len(k.Columns) == 0 {
				t.Error("a part that every kind has is missing")
			}
			for _, c := range k.Columns {
				if c.Name == "" || c.Type == "" || c.Description == "" {
					t.Errorf("incomplete column %+v", c)
				}
			}
			if _, err := meta.ExtractList(k.NewList()); err != nil {
				t.Errorf("NewList: %v", err)
			}
		})
	}
}

// storable returns the kinds whose objects can be stored: no reviews, no computed kinds.
func storable() []*kind.Kind {
	return slices.DeleteFunc(builtin.Catalogue().All(), func(k *kind.Kind) bool { return k.Answer != nil || k.Derived != nil })
}

func TestKinds_DefaultIsIdempotent(t *testing.T) {
	t.Parallel()
	for _, k := range storable() {
		t.Run(k.GroupVersionKind().String(), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				once := kindtest.Randomly(t, k)
				k.Default(once)
				twice := once.DeepCopyObject().(object.Object)
				k.Default(twice)
				if d := cmp.Diff(kindtest.Encode(t, k, once), kindtest.Encode(t, k, twice)); d != "" {
					t.Errorf("-once +twice:\n%s", d)
				}
			})
		})
	}
}

func TestKinds_BodiesDecodeAsByEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, k := range storable() {
		t.Run(k.GroupVersionKind().String(), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				v := &object.Version{Type: &k.Type, Revision: 7}
				v.SetBody([]byte(kindtest.Encode(t, k, kindtest.Randomly(t, k))))
				want := k.New()
				if err := json.Unmarshal(v.AppendJSON(nil), want); err != nil {
					t.Fatal(err)
				}
				if got := v.Object(); !reflect.DeepEqual(got, want) {
					t.Errorf("-want +got:\n%s", cmp.Diff(want, got))
				}
			})
		})
	}
}

func TestKinds_RowsFitTheColumns(t *testing.T) {
	t.Parallel()
	for _, k := range storable() {
		t.Run(k.GroupVersionKind().String(), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				o := kindtest.Randomly(t, k)
				before := kindtest.Encode(t, k, o.DeepCopyObject().(object.Object))
				if row := k.Row(o, kindtest.Now); len(row) != len(k.Columns) {
					t.Errorf("%d cells under %d columns", len(row), len(k.Columns))
				}
				if d := cmp.Diff(before, kindtest.Encode(t, k, o)); d != "" {
					t.Errorf("printing changes the object:\n%s", d)
				}
			})
		})
	}
}
