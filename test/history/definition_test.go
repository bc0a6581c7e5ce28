package history_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

func TestDefinitions(t *testing.T) {
	t.Parallel()
	definition := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com", UID: "d"}}
	going := definition.DeepCopy()
	going.DeletionTimestamp = new(metav1.Unix(1, 0))
	of := func(verb object.Verb, o object.Object, resource string) history.Entry {
		e := history.Entry{Key: object.Key{Resource: resource, Name: o.GetName()}, UID: o.GetUID(), Verb: verb, Object: o}
		if verb == object.Deleted {
			e.Object = nil
		}
		return e
	}
	define := func(verb object.Verb, d *apiextensionsv1.CustomResourceDefinition) history.Entry {
		return of(verb, d, "customresourcedefinitions.apiextensions.k8s.io")
	}
	widget := func(verb object.Verb) history.Entry {
		u := &unstructured.Unstructured{}
		u.SetName("w")
		u.SetUID("w")
		return of(verb, u, "widgets.example.com")
	}
	run(t, history.Definitions, []row{
		{"a whole life", log(
			define(object.Created, definition), widget(object.Created), widget(object.Updated), define(object.Updated, going), widget(object.Updated), widget(object.Deleted), define(object.Deleted, going),
		), nil},
		{"too early", log(widget(object.Created), define(object.Created, definition)), []string{"revision 1, widgets.example.com/w: created without a definition"}},
		{
			"while the other goes",
			log(define(object.Created, definition), define(object.Updated, going), widget(object.Created)),
			[]string{"revision 3, widgets.example.com/w: created while its definition is being deleted"},
		},
		{"the definition is gone", log(define(object.Created, definition), widget(object.Created), define(object.Deleted, going), widget(object.Updated)), []string{
			"revision 3, customresourcedefinitions.apiextensions.k8s.io/widgets.example.com: goes while 1 of its objects are there", "revision 4, widgets.example.com/w: updated without a definition",
		}},
	})
}
