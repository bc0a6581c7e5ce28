package access_test

import (
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/apitest"
)

// Without authorization, access reviews answer that everything is allowed.
func TestAccessReviews_AllowEverything(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	client := c.Client(t).AuthorizationV1()
	pods := &authorizationv1.ResourceAttributes{Namespace: "default", Verb: "list", Resource: "pods"}
	subject := authorizationv1.SubjectAccessReviewSpec{User: "u", ResourceAttributes: pods}

	self, err := client.SelfSubjectAccessReviews().Create(t.Context(), &authorizationv1.SelfSubjectAccessReview{
		Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: pods},
	}, metav1.CreateOptions{})
	if err != nil || !self.Status.Allowed {
		t.Errorf("a review of oneself: %+v, %v", self, err)
	}
	other, err := client.SubjectAccessReviews().Create(t.Context(), &authorizationv1.SubjectAccessReview{Spec: subject}, metav1.CreateOptions{})
	if err != nil || !other.Status.Allowed {
		t.Errorf("a review of another: %+v, %v", other, err)
	}
	local, err := client.LocalSubjectAccessReviews("default").Create(t.Context(), &authorizationv1.LocalSubjectAccessReview{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default"}, Spec: subject,
	}, metav1.CreateOptions{})
	if err != nil || !local.Status.Allowed {
		t.Errorf("a review in a namespace: %+v, %v", local, err)
	}
	rules, err := client.SelfSubjectRulesReviews().Create(t.Context(), &authorizationv1.SelfSubjectRulesReview{
		Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: "default"},
	}, metav1.CreateOptions{})
	if err != nil || len(rules.Status.ResourceRules) != 1 || len(rules.Status.NonResourceRules) != 1 {
		t.Errorf("a review of one's rules: %+v, %v", rules, err)
	}
}

// Reviews support only the verb create, have no table, and are validated.
func TestReviews_OnlyCreate(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
	tests := []struct {
		name, request, body, accept string
		want                        int
	}{
		{"a table", "POST " + path, `{"spec":{"resourceAttributes":{}}}`, "application/json;as=Table;v=v1;g=meta.k8s.io", 406},
		{"nothing asked", "POST " + path, `{}`, "application/json", 422},
		{"rules without a namespace", "POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews", `{}`, "application/json", 400},
		{"another kind", "POST " + path, `{"kind":"Pod","apiVersion":"v1"}`, "application/json", 400},
		{"a list", "GET " + path, "", "application/json", 405},
		{"one by name", "GET " + path + "/a", "", "application/json", 404},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := c.Do(t, tt.request, tt.body, "Content-Type: application/json", "Accept: "+tt.accept); got.Code != tt.want {
				t.Errorf("got %d %s, want %d", got.Code, got.Body, tt.want)
			}
		})
	}
}
