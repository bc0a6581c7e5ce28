package definition_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/definition"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
)

// ledger has the definitions as of each revision, and counts its queries.
type ledger struct {
	at   []map[string]*object.Version // at[i] is that of revision i
	read int
	err  error
}

func (l *ledger) Revision() object.Revision { return object.Revision(len(l.at) - 1) }

func (l *ledger) Definitions(_ context.Context, revision object.Revision) ([]*object.Version, error) {
	l.read++
	return slices.Collect(maps.Values(l.at[revision])), l.err
}

// drawn changes one of three definitions.
func drawn(t *rapid.T, revision object.Revision) *object.Version {
	var conditions []apiextensionsv1.CustomResourceDefinitionConditionType
	for _, c := range []apiextensionsv1.CustomResourceDefinitionConditionType{apiextensionsv1.NamesAccepted, apiextensionsv1.Established} {
		if rapid.Bool().Draw(t, string(c)) {
			conditions = append(conditions, c)
		}
	}
	d := widgets(rapid.SampledFrom([]string{"a.example", "b.example", "c.example"}).Draw(t, "group"), conditions...)
	size := rapid.IntRange(1, 2).Draw(t, "size")
	d.Generation = int64(revision)
	d.Spec.Versions[0].Schema = &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
		Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"size": {Type: "integer", Default: &apiextensionsv1.JSON{Raw: fmt.Append(nil, size)}}},
	}}
	if rapid.Bool().Draw(t, "terminating") {
		d.DeletionTimestamp = new(metav1.Unix(1, 0))
	}
	return stored(t, d, revision, rapid.SampledFrom([]object.Verb{object.Updated, object.Updated, object.Deleted}).Draw(t, "verb"))
}

// shown describes a catalogue's custom kinds, and how it handles an object that is older than all
// definitions. It leaves out how old an object must be to be restored: only catalogues that have
// observed the change know that exactly.
func shown(t *rapid.T, c *kind.Catalogue) (lines []string) {
	for _, k := range slices.Concat(c.All(), c.Stored()) {
		if k.Custom == nil {
			continue
		}
		line := fmt.Sprintf("%s view:%t established:%t terminating:%t", k.GroupVersionKind(), k.Stored != nil, k.Custom.Established, k.Custom.Terminating)
		if k.Stored == nil {
			body := fmt.Sprintf(`{"kind":"Widget","apiVersion":%q,"metadata":{"name":"w","generation":1},"old":true}`, k.GroupVersion())
			of, err := object.TypeOf(k.Resource(), true, []byte(body))
			if err != nil {
				t.Fatal(err)
			}
			v := &object.Version{Type: of, Namespace: "default", Name: "w", Revision: -1}
			v.SetBody([]byte(body))
			doc, err := json.Marshal(k.Custom.Restore(v))
			if err != nil {
				t.Fatal(err)
			}
			line += " " + string(doc)
		}
		lines = append(lines, line)
	}
	return lines
}

// TestCatalogue_DerivedTwiceIsEqual: the last versions of definitions give the same catalogue at
// once as all changes one after another. At an earlier revision, the catalogue is what it was then,
// for a replica that was running and for one that was loaded later.
func TestCatalogue_DerivedTwiceIsEqual(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c, late := definition.New(builtin.Catalogue()), definition.New(builtin.Catalogue())
		log := &ledger{at: []map[string]*object.Version{{}}}
		was := [][]string{shown(t, c.Kinds())}
		changes := rapid.IntRange(1, 12).Draw(t, "changes")
		loaded := rapid.IntRange(0, changes-1).Draw(t, "loaded")
		for i := range changes {
			if i == loaded {
				for _, v := range log.at[i] {
					late.Observe(object.Event{New: v})
				}
			}
			v := drawn(t, object.Revision(i+1))
			last := maps.Clone(log.at[i])
			e := object.Event{New: v, Old: last[v.Name]}
			if last[v.Name] = v; v.Verb == object.Deleted {
				delete(last, v.Name)
			}
			log.at = append(log.at, last)
			if c.Observe(e); i >= loaded {
				late.Observe(e)
			}
			was = append(was, shown(t, c.Kinds()))
		}
		for i := range was {
			all := slices.Collect(maps.Values(log.at[i]))
			if diff := cmp.Diff(was[i], shown(t, definition.Of(builtin.Catalogue(), all...))); diff != "" {
				t.Fatalf("at revision %d: %s", i, diff)
			}
			for what, c := range map[string]*definition.Catalogue{"was there": c, "was loaded later": late} {
				then, err := c.At(t.Context(), log, object.Revision(i))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(was[i], shown(t, then)); diff != "" {
					t.Fatalf("for a replica that %s at revision %d: %s", what, i, diff)
				}
			}
		}
	})
}

// TestCatalogue_PastIsReadOnce: a revision without later changes is not read, another one once, and
// an unchanged definition has the same kinds.
func TestCatalogue_PastIsReadOnce(t *testing.T) {
	t.Parallel()
	c := definition.New(builtin.Catalogue())
	a := stored(t, widgets("a.example", apiextensionsv1.Established), 1, object.Created)
	b := stored(t, widgets("b.example", apiextensionsv1.Established), 2, object.Created)
	log := &ledger{at: []map[string]*object.Version{{}, {a.Name: a}, {a.Name: a, b.Name: b}}}
	c.Observe(object.Event{New: a})
	c.Observe(object.Event{New: b})
	at := func(revision object.Revision) *kind.Catalogue {
		t.Helper()
		v, err := c.At(t.Context(), log, revision)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if at(2) != c.Kinds().Value() || log.read != 0 {
		t.Errorf("the catalogue of now was read %d times", log.read)
	}
	log.at = append(log.at, log.at[2], log.at[2])
	if at(3) != c.Kinds().Value() || at(4) != c.Kinds().Value() || log.read != 0 {
		t.Errorf("a catalogue that has not changed was read %d times", log.read)
	}
	then := at(1)
	if at(1) != then || log.read != 1 {
		t.Errorf("the past was read %d times", log.read)
	}
	if k := then.ByResource("widgets.a.example"); k == nil || k != c.Kinds().ByResource("widgets.a.example") || then.ByResource("widgets.b.example") != nil {
		t.Errorf("at revision 1 there are %v", defined(then))
	}
	c.Reset()
	c.Observe(object.Event{New: a})
	log.err = errors.New("the log is gone")
	if _, err := c.At(t.Context(), log, 1); !errors.Is(err, log.err) {
		t.Errorf("a replica that was loaded later answers %v", err)
	}
}
