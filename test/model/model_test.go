package model_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/model"
)

// TestStep runs a short history, request by request.
func TestStep(t *testing.T) {
	t.Parallel()
	a1 := model.Object{UID: "1", Name: "a", Value: "x", Revision: 1}
	a2 := model.Object{UID: "1", Name: "a", Value: "y", Revision: 2}
	b := model.Object{UID: "2", Name: "b", Value: "z", Revision: 3}
	again := model.Object{UID: "3", Name: "a", Value: "w", Revision: 5}
	s := model.State{}
	for i, step := range []struct {
		request model.Request
		want    model.Response
	}{
		{model.Request{Op: model.List}, model.Response{Outcome: model.OK}},
		{model.Request{Op: model.Create, UID: "1", Name: "a", Value: "x"}, model.Response{Outcome: model.OK, Revision: 1}},
		{model.Request{Op: model.Create, UID: "9", Name: "a"}, model.Response{Outcome: model.Exists}},
		{model.Request{Op: model.Update, UID: "1", Value: "y", Revision: 1}, model.Response{Outcome: model.OK, Revision: 2}},
		{model.Request{Op: model.Update, UID: "1", Value: "v", Revision: 1}, model.Response{Outcome: model.Conflict, Revision: 2}},
		{model.Request{Op: model.Delete, UID: "1", Revision: 1}, model.Response{Outcome: model.Conflict, Revision: 2}},
		{model.Request{Op: model.Create, UID: "2", Name: "b", Value: "z"}, model.Response{Outcome: model.OK, Revision: 3}},
		{model.Request{Op: model.List}, model.Response{Outcome: model.OK, Revision: 3, Objects: []model.Object{a2, b}}},
		{model.Request{Op: model.Delete, UID: "1", Revision: 2}, model.Response{Outcome: model.OK, Revision: 4}},
		{model.Request{Op: model.Update, UID: "1", Revision: 2}, model.Response{Outcome: model.Gone}},
		{model.Request{Op: model.Delete, UID: "1", Revision: 2}, model.Response{Outcome: model.Gone}},
		{model.Request{Op: model.Create, UID: "3", Name: "a", Value: "w"}, model.Response{Outcome: model.OK, Revision: 5}},
		{model.Request{Op: model.At, Revision: 1}, model.Response{Outcome: model.OK, Revision: 1, Objects: []model.Object{a1}}},
		{model.Request{Op: model.At, Revision: 6}, model.Response{Outcome: model.Future}},
		{model.Request{Op: model.Compact, Revision: 4}, model.Response{Outcome: model.OK}},
		{model.Request{Op: model.Compact, Revision: 2}, model.Response{Outcome: model.OK}},
		{model.Request{Op: model.Compact, Revision: 9}, model.Response{Outcome: model.OK}},
		{model.Request{Op: model.At, Revision: 3}, model.Response{Outcome: model.Compacted}},
		{model.Request{Op: model.At, Revision: 4}, model.Response{Outcome: model.OK, Revision: 4, Objects: []model.Object{b}}},
		{model.Request{Op: model.List}, model.Response{Outcome: model.OK, Revision: 5, Objects: []model.Object{again, b}}},
	} {
		before := s
		var got model.Response
		s, got = model.Step(s, step.request)
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("step %d, %+v (-want +got):\n%s", i, step.request, diff)
		}
		if same, _ := model.Step(before, model.Request{Op: model.Compact}); cmp.Diff(before, same) != "" {
			t.Errorf("step %d changed the state that it was given", i)
		}
	}
	want := []model.Change{
		{Verb: object.Created, New: a1},
		{Verb: object.Updated, New: a2, Old: &a1},
		{Verb: object.Created, New: b},
		{Verb: object.Deleted, New: model.Object{UID: "1", Name: "a", Value: "y", Revision: 4}, Old: &a2},
		{Verb: object.Created, New: again},
	}
	if diff := cmp.Diff(want, s.History); diff != "" {
		t.Errorf("the history (-want +got):\n%s", diff)
	}
}
