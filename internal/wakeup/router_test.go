package wakeup_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/wakeup"
)

var (
	parents  = &object.Type{Kind: "Parent", Plural: "parents"}
	children = &object.Type{Kind: "Child", Plural: "children"}
	rows     = &object.Type{Kind: "Row", Plural: "rows", Group: "example.com"}
)

// TestRouter routes by the declarations of controllers of made-up kinds.
func TestRouter(t *testing.T) {
	t.Parallel()
	row := func(wakes []wakeup.Wake, _ wakeup.Diff) []wakeup.Wake {
		return append(wakes, wakeup.Wake{Resource: "rows.example.com", Name: "r"})
	}
	router := wakeup.NewRouter([]wakeup.Controller{
		{Name: "parent", Sources: []wakeup.Source{wakeup.For(parents, wakeup.NotBy("parent")), wakeup.Owns(children), wakeup.Adopts(children)}},
		{Name: "row", Sources: []wakeup.Source{wakeup.For(rows), wakeup.Watches(children, row),
			wakeup.Selects(children, func(d wakeup.Diff) []map[string]string { return []map[string]string{d.Last().GetLabels()} })}},
		{Name: "all", Sources: []wakeup.Source{wakeup.WatchesAll(wakeup.LeavesNamespace)}},
	})
	mine, other := owned(ref("Parent", "p", true)), owned(ref("Parent", "q", true))
	toRow := wakeup.Wake{Controller: "row", Resource: "rows.example.com", Name: "r"}
	ends := wakeup.Wake{Controller: "all", Resource: "namespaces", Name: "default", OnlyTerminating: true}
	for _, test := range []struct {
		name, resource string
		diff           wakeup.Diff
		want           []wakeup.Wake
	}{
		{"an object of a controller's own", "parents", wakeup.Diff{New: owned()}, []wakeup.Wake{{Controller: "parent", UID: "o"}}},
		{"by the controller itself", "parents", wakeup.Diff{New: owned(), Controller: "parent"}, nil},
		{"an object that is gone", "parents", wakeup.Diff{Old: owned()}, []wakeup.Wake{ends}},
		{"an object with an owner", "children", wakeup.Diff{New: mine}, []wakeup.Wake{toRow, {Controller: "parent", UID: "p"}}},
		{"one that stays with it", "children", wakeup.Diff{Old: mine, New: mine}, []wakeup.Wake{toRow, {Controller: "parent", UID: "p"}}},
		{"one that goes to another", "children", wakeup.Diff{Old: mine, New: other},
			[]wakeup.Wake{toRow, {Controller: "parent", UID: "p"}, {Controller: "parent", UID: "q"}}},
		{"an owner of another kind", "children", wakeup.Diff{New: owned(ref("Row", "r", true))}, []wakeup.Wake{toRow}},
		{"a resource that nobody names", "others", wakeup.Diff{Old: mine}, []wakeup.Wake{ends}},
		{"an object that loses a finalizer", "others", wakeup.Diff{Old: finalized(owned()), New: owned()}, []wakeup.Wake{ends}},
		{"an object that keeps it", "others", wakeup.Diff{Old: finalized(owned()), New: finalized(owned())}, nil},
	} {
		before := []wakeup.Wake{{Controller: "before"}}
		if diff := cmp.Diff(append(before, test.want...), router.Of(test.resource).Wakes(before, test.diff)); diff != "" {
			t.Errorf("%s wakes (-want +got):\n%s", test.name, diff)
		}
	}
	want := map[string]wakeup.Selector{"parents": {Controller: "parent"}, "rows.example.com": {Controller: "row", Mutable: true}}
	if diff := cmp.Diff(want, router.Selectors()); diff != "" {
		t.Errorf("selectors (-want +got):\n%s", diff)
	}
	d := wakeup.Diff{New: labelled(owned(), "web")}
	sets := []map[string]string{{"app": "web"}}
	if diff := cmp.Diff([][]map[string]string{sets, nil}, [][]map[string]string{router.Of("children").Adopters(d), router.Of("parents").Adopters(d)}); diff != "" {
		t.Errorf("label sets (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]wakeup.Selected{{{Controller: "row", Labels: sets[0]}}, nil}, [][]wakeup.Selected{router.Of("children").Selected(d), router.Of("others").Selected(d)}); diff != "" {
		t.Errorf("selected (-want +got):\n%s", diff)
	}
}

// TestRouter_Off: nothing wakes a controller that is off, and the selectors that it uses are kept.
func TestRouter_Off(t *testing.T) {
	t.Parallel()
	labels := func(d wakeup.Diff) []map[string]string { return []map[string]string{d.Last().GetLabels()} }
	router := wakeup.NewRouter([]wakeup.Controller{
		{Name: "parent", Off: true, Sources: []wakeup.Source{wakeup.For(parents), wakeup.Owns(children), wakeup.Adopts(children)}},
		{Name: "row", Off: true, Sources: []wakeup.Source{wakeup.For(rows), wakeup.Selects(children, labels)}},
		{Name: "all", Off: true, Sources: []wakeup.Source{wakeup.WatchesAll(wakeup.LeavesNamespace)}},
	})
	d := wakeup.Diff{New: labelled(owned(ref("Parent", "p", true)), "web")}
	route := router.Of("children")
	if wakes, sets, selected := route.Wakes(nil, d), route.Adopters(wakeup.Diff{New: labelled(owned(), "web")}), route.Selected(d); wakes != nil || sets != nil || selected != nil {
		t.Errorf("it wakes %v, by the labels %v and %v", wakes, sets, selected)
	}
	want := map[string]wakeup.Selector{"parents": {Controller: "parent"}, "rows.example.com": {Controller: "row", Mutable: true}}
	if diff := cmp.Diff(want, router.Selectors()); diff != "" {
		t.Errorf("selectors (-want +got):\n%s", diff)
	}
}

// TestNewRouter_RefusesWhatContradictsItself: it does so at the start of the program.
func TestNewRouter_RefusesWhatContradictsItself(t *testing.T) {
	t.Parallel()
	for want, sources := range map[string][][]wakeup.Source{
		"names no type":         {{wakeup.Owns(children)}},
		"both own children":     {{wakeup.For(parents), wakeup.Owns(children)}, {wakeup.For(parents), wakeup.Owns(children)}},
		"both go by a selector": {{wakeup.For(parents), wakeup.Adopts(children)}, {wakeup.For(parents), wakeup.Adopts(rows)}},
	} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.Contains(said, want) {
					t.Errorf("it says %q, want something with %q", said, want)
				}
			}()
			var all []wakeup.Controller
			for i, s := range sources {
				all = append(all, wakeup.Controller{Name: string(rune('a' + i)), Sources: s})
			}
			wakeup.NewRouter(all)
		}()
	}
}
