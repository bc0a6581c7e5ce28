package review_test

import (
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/review"
	"github.com/rowlock/rowlock/internal/object"
)

func TestAccessReview_Validate(t *testing.T) {
	t.Parallel()
	pods := &authorizationv1.ResourceAttributes{Namespace: "a", Verb: "list", Resource: "pods"}
	path := &authorizationv1.NonResourceAttributes{Path: "/", Verb: "get"}
	named := metav1.ObjectMeta{Name: "n"}
	tests := []struct {
		name   string
		kind   *kind.Kind
		review object.Object
		want   []string
	}{
		{"of oneself", review.SelfSubjectAccessReview, &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: pods}}, nil},
		{"of nothing", review.SelfSubjectAccessReview, &authorizationv1.SelfSubjectAccessReview{}, []string{
			"spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified",
		}},
		{"of two things, with a name", review.SelfSubjectAccessReview, &authorizationv1.SelfSubjectAccessReview{
			ObjectMeta: named, Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: pods, NonResourceAttributes: path},
		}, []string{
			`spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":"get"}: cannot be specified in combination with resourceAttributes`,
			`metadata: Invalid value: {"name":"n"}: must be empty`,
		}},
		{"of nobody", review.SubjectAccessReview, &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{NonResourceAttributes: path}}, []string{
			`spec.user: Invalid value: "": at least one of user or group must be specified`,
		}},
		{"in a namespace", review.LocalSubjectAccessReview, &authorizationv1.LocalSubjectAccessReview{
			ObjectMeta: metav1.ObjectMeta{Namespace: "a"}, Spec: authorizationv1.SubjectAccessReviewSpec{User: "u", ResourceAttributes: pods},
		}, nil},
		{"in another namespace, with a name", review.LocalSubjectAccessReview, &authorizationv1.LocalSubjectAccessReview{
			ObjectMeta: metav1.ObjectMeta{Namespace: "b", Name: "n"}, Spec: authorizationv1.SubjectAccessReviewSpec{User: "u", ResourceAttributes: pods},
		}, []string{
			`metadata: Invalid value: {"name":"n","namespace":"b"}: must be empty except for namespace`,
			`spec.resourceAttributes.namespace: Invalid value: "a": must match metadata.namespace`,
		}},
		{"in a namespace, of a path", review.LocalSubjectAccessReview, &authorizationv1.LocalSubjectAccessReview{
			Spec: authorizationv1.SubjectAccessReviewSpec{User: "u", NonResourceAttributes: path},
		}, []string{`spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":"get"}: disallowed on this kind of request`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(tt.kind.Validate(tt.review)))
		})
	}
}
