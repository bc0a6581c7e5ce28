package definition_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/definition"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
)

var anything = &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: new(true)}}

// widgets defines widgets of a group, in v1, which is stored, and in v2.
func widgets(group string, conditions ...apiextensionsv1.CustomResourceDefinitionConditionType) *apiextensionsv1.CustomResourceDefinition {
	d := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "widgets." + group, UID: types.UID(group), Generation: 1}}
	d.Spec.Group, d.Spec.Scope = group, apiextensionsv1.NamespaceScoped
	d.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Plural: "widgets", Singular: "widget", Kind: "Widget", ListKind: "WidgetList"}
	d.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{
		{Name: "v1", Served: true, Storage: true, Schema: anything}, {Name: "v2", Served: true, Schema: anything},
	}
	d.Status.AcceptedNames = d.Spec.Names
	for _, c := range conditions {
		d.Status.Conditions = append(d.Status.Conditions, apiextensionsv1.CustomResourceDefinitionCondition{Type: c, Status: apiextensionsv1.ConditionTrue})
	}
	return d
}

func stored(t interface{ Fatal(args ...any) }, d *apiextensionsv1.CustomResourceDefinition, revision object.Revision, verb object.Verb) *object.Version {
	body, err := object.Encode(&apiextensions.CustomResourceDefinition.Type, d.DeepCopy())
	if err != nil {
		t.Fatal(err)
	}
	v := &object.Version{Type: &apiextensions.CustomResourceDefinition.Type, Name: d.Name, UID: d.UID, Revision: revision, Verb: verb}
	v.SetBody(body)
	return v
}

// defined names the custom kinds of a catalogue, with what matters about each.
func defined(c *kind.Catalogue) (names []string) {
	for _, k := range slices.Concat(c.All(), c.Stored()) {
		if k.Custom != nil {
			names = append(names, fmt.Sprintf("%s view:%t since:%d established:%t terminating:%t", k.GroupVersionKind(), k.Stored != nil, k.Custom.Since, k.Custom.Established, k.Custom.Terminating))
		}
	}
	return names
}

func TestCatalogue_HasTheKindsOfDefinitions(t *testing.T) {
	t.Parallel()
	c := definition.New(builtin.Catalogue())
	kinds := c.Kinds()
	if kinds.Value() != builtin.Catalogue() || kinds.Builtin() != builtin.Catalogue() {
		t.Error("without definitions there are other kinds than those that are built in")
	}
	waiting := stored(t, widgets("a.example"), 1, object.Created)
	c.Observe(object.Event{New: waiting})
	if got := defined(kinds); got != nil {
		t.Errorf("a definition without names has kinds: %v", got)
	}
	named := stored(t, widgets("a.example", apiextensionsv1.NamesAccepted), 2, object.Updated)
	c.Observe(object.Event{New: named, Old: waiting})
	want := []string{
		"a.example/v1, Kind=Widget view:false since:1 established:false terminating:false",
		"a.example/v2, Kind=Widget view:true since:1 established:false terminating:false",
		"a.example/v1, Kind=Widget view:false since:1 established:false terminating:false",
	}
	if diff := cmp.Diff(want, defined(kinds)); diff != "" {
		t.Error(diff)
	}
	changed := widgets("a.example", apiextensionsv1.NamesAccepted, apiextensionsv1.Established)
	changed.Generation, changed.Spec.Versions = 2, changed.Spec.Versions[:1]
	life := kinds.ByResource("widgets.a.example").Custom.Life
	c.Observe(object.Event{New: stored(t, changed, 3, object.Updated), Old: named})
	for i := range want[:1] {
		want[i] = strings.NewReplacer("since:1", "since:3", "established:false", "established:true").Replace(want[i])
	}
	if diff := cmp.Diff([]string{want[0], want[0]}, defined(kinds)); diff != "" {
		t.Error(diff)
	}
	next := kinds.ByResource("widgets.a.example").Custom.Life
	if life.Until() != 3 || next.Until() != 0 {
		t.Errorf("a changed spec ends the life of the kinds at %d, and of the next ones at %d", life.Until(), next.Until())
	}
	going := changed.DeepCopy()
	going.Generation, going.DeletionTimestamp = 3, new(metav1.Unix(1, 0))
	c.Observe(object.Event{New: stored(t, going, 4, object.Updated)})
	if now := kinds.ByResource("widgets.a.example").Custom; now.Life != next || now.Since != 3 || !now.Terminating || next.Until() != 0 {
		t.Errorf("the deletion of a definition ends the life of its kinds before it is gone: %+v, %d", now, next.Until())
	}
	c.Observe(object.Event{New: stored(t, going, 5, object.Deleted)})
	if next.Until() != 5 {
		t.Errorf("the life of the kinds ends at %d", next.Until())
	}
	if got := defined(kinds); got != nil {
		t.Errorf("a definition that is gone has kinds: %v", got)
	}
}

func TestCatalogue_LeavesOutWhatIsTaken(t *testing.T) {
	t.Parallel()
	d := widgets("apps", apiextensionsv1.Established)
	d.Spec.Names.Kind, d.Spec.Names.Plural, d.Status.AcceptedNames.Plural = "Deployment", "deployments", "deployments"
	if got := defined(definition.Of(builtin.Catalogue(), stored(t, d, 1, object.Created))); got != nil {
		t.Errorf("the kinds of a definition take the place of those that are built in: %v", got)
	}
}

func TestKind_RestoresWhatAnEarlierDefinitionStored(t *testing.T) {
	t.Parallel()
	d := widgets("a.example", apiextensionsv1.Established)
	d.Spec.Versions[0].Schema = &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
		Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"size": {Type: "integer", Default: &apiextensionsv1.JSON{Raw: []byte("3")}}},
	}}
	k := definition.Of(builtin.Catalogue(), stored(t, d, 10, object.Created)).ByResource("widgets.a.example")
	body := `{"kind":"Widget","apiVersion":"a.example/v1","metadata":{"name":"w"},"old":true}`
	version := func(revision object.Revision) *object.Version {
		of, err := object.TypeOf("widgets.a.example", true, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		v := &object.Version{Type: of, Namespace: "default", Name: "w", Revision: revision}
		v.SetBody([]byte(body))
		return v
	}
	for revision, want := range map[object.Revision]string{
		9:  `{"apiVersion":"a.example/v1","kind":"Widget","metadata":{"generation":1,"name":"w","resourceVersion":"9"},"size":3}`,
		11: `{"apiVersion":"a.example/v1","kind":"Widget","metadata":{"name":"w","resourceVersion":"11"},"old":true}`,
	} {
		got, err := json.Marshal(k.Custom.Restore(version(revision)))
		if err != nil || string(got) != want {
			t.Errorf("at revision %d: %v\n got %s\nwant %s", revision, err, got, want)
		}
	}
}
