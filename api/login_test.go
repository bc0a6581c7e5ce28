package api_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/api/auth"
)

// Requests without valid credentials get upstream's 401, whatever their path, and their bodies are not
// read.
func TestLogin_Unauthorized(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t, apitest.WithLogin(t))
	tests := []struct {
		name, request, header string
		want                  int
	}{
		{"nobody", "GET /api/v1/pods", "", 401},
		{"nobody, at a path that is not there", "GET /nowhere", "", 401},
		{"nobody, of metrics", "GET /metrics", "", 401},
		{"nobody, of what is served", "GET /apis", "", 401},
		{"nobody asks how it is", "GET /readyz", "", 200},
		{"nobody asks for the version", "GET /version", "", 200},
		{"nobody asks to change health", "POST /readyz", "", 401},
		{"a bad token", "GET /api/v1/pods", "Authorization: Bearer nobodys", 401},
		{"a bad token asks how it is", "GET /livez", "Authorization: Bearer nobodys", 401},
		{"half a token", "GET /api/v1/pods", "Authorization: Bearer maste", 401},
		{"an empty token", "GET /api/v1/pods", "Authorization: Bearer ", 401},
		{"another scheme", "GET /api/v1/pods", "Authorization: Basic bWFzdGVy", 401},
		{"a token in the query", "GET /api/v1/pods?access_token=master", "", 401},
		{"an impersonator without credentials", "GET /api/v1/pods", "Impersonate-User: root", 401},
		{"a good token", "GET /api/v1/pods", "Authorization: Bearer master", 200},
		{"a good token, spelt as some do", "GET /api/v1/pods", "Authorization: bearer master", 200},
	}
	want := metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure, Code: 401,
		Reason: metav1.StatusReasonUnauthorized, Message: "Unauthorized",
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := c.Do(t, tt.request, "", tt.header)
			if res.Code != tt.want {
				t.Fatalf("answered %d %s", res.Code, res.Body)
			}
			if tt.want != 401 {
				return
			}
			var got metav1.Status
			if err := json.Unmarshal([]byte(res.Body), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("the body is not read", func(t *testing.T) {
		t.Parallel()
		for _, header := range []string{"", "Bearer nobodys", "Bearer plain"} {
			req := httptest.NewRequest(http.MethodPost, apitest.ConfigMapsPath, unreadable{t})
			req.Header.Set("Authorization", header)
			rec := httptest.NewRecorder()
			c.Handler.ServeHTTP(rec, req)
			if rec.Code != http.StatusUnauthorized && rec.Code != http.StatusForbidden {
				t.Errorf("with %q answered %d", header, rec.Code)
			}
		}
	})
}

// unreadable is a body that must not be read.
type unreadable struct{ t *testing.T }

func (u unreadable) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, errors.New("unreadable")
}

// Forbidden requests get upstream's error.
func TestLogin_Forbidden(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t, apitest.WithLogin(t))
	tests := []struct {
		name, token, request string
		headers              []string
		code                 int
		says                 string
	}{
		{
			"in a namespace", "plain", "GET /api/v1/namespaces/default/pods", nil, 403,
			`pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"`,
		},
		{
			"everywhere", "plain", "GET /apis/apps/v1/deployments?watch=true", nil, 403,
			`deployments.apps is forbidden: User "jane" cannot watch resource "deployments" in API group "apps" at the cluster scope`,
		},
		{
			"by name", "plain", "DELETE /api/v1/namespaces/default/pods/web", nil, 403,
			`pods "web" is forbidden: User "jane" cannot delete resource "pods" in API group "" in the namespace "default"`,
		},
		{
			"a subresource", "viewer", "PUT /apis/apps/v1/namespaces/default/deployments/web/scale", nil, 403,
			`deployments.apps "web" is forbidden: User "vera" cannot update resource "deployments/scale" in API group "apps" in the namespace "default"`,
		},
		{"no resource", "plain", "GET /metrics", nil, 403, `forbidden: User "jane" cannot get path "/metrics"`},
		{"a path that looks like HTML", "plain", "GET /%3Cb%3E", nil, 403, `cannot get path "/\u0026lt;b\u0026gt;"`},
		{"Rowlock's own", "plain", "POST /rowlock/v1/clock", nil, 403, `cannot post path "/rowlock/v1/clock"`},
		{"a viewer reads", "viewer", "GET /api/v1/namespaces/default/pods", nil, 200, "PodList"},
		{"a viewer reads nodes", "viewer", "GET /api/v1/nodes", nil, 200, "NodeList"},
		{"a viewer reads Secrets", "viewer", "GET /api/v1/secrets", nil, 403, `secrets is forbidden: User "vera" cannot list resource "secrets"`},
		{"a viewer watches Secrets, the old way", "viewer", "GET /api/v1/watch/secrets", nil, 403, `cannot watch resource "secrets"`},
		{"a viewer reads Secrets by another path", "viewer", "GET /api/v1/namespaces/default/%73ecrets", nil, 403, "Forbidden"},
		{"a viewer reads Secrets beside the path", "viewer", "GET /api/v1/namespaces/default/pods/../secrets", nil, 404, "NotFound"},
		{"a viewer reads Secrets in no namespace", "viewer", "GET /api/v1/namespaces//secrets", nil, 404, "NotFound"},
		{"a viewer writes", "viewer", "POST /api/v1/namespaces/default/pods", nil, 403, `cannot create resource "pods"`},
		{"a viewer moves the clock", "viewer", "POST /rowlock/v1/clock", nil, 403, `cannot post path "/rowlock/v1/clock"`},
		{
			"a viewer reads a snapshot, which has Secrets", "viewer", "GET /rowlock/v1/snapshots/a/file", nil, 403,
			`cannot get path "/rowlock/v1/snapshots/a/file"`,
		},
		{"everybody finds out what is served", "plain", "GET /apis/apps/v1", nil, 200, "APIResourceList"},
		{"a master reads Secrets", "master", "GET /api/v1/secrets", nil, 200, "SecretList"},
		{"a master as somebody", "master", "GET /api/v1/secrets", []string{"Impersonate-User: jane"}, 403, `User "jane" cannot list`},
		{"a master as a viewer", "master", "GET /api/v1/pods", []string{"Impersonate-User: jane", "Impersonate-Group: rowlock:viewers"}, 200, "PodList"},
		{
			"a master as another master", "master", "GET /api/v1/secrets",
			[]string{"Impersonate-User: jane", "Impersonate-Group: system:masters"}, 200, "SecretList",
		},
		{
			"a master as a service account", "master", "GET /api/v1/pods", []string{"Impersonate-User: system:serviceaccount:default:web"}, 403,
			`User "system:serviceaccount:default:web" cannot list`,
		},
		{
			"a viewer as a master", "viewer", "GET /api/v1/secrets", []string{"Impersonate-User: root", "Impersonate-Group: system:masters"}, 403,
			`secrets is forbidden: User "vera" cannot impersonate-on:user-info:list resource "secrets" in API group "" at the cluster scope`,
		},
		{
			"a viewer as a service account", "viewer", "GET /api/v1/pods", []string{"Impersonate-User: system:serviceaccount:default:web"}, 403,
			`pods is forbidden: User "vera" cannot impersonate-on:serviceaccount:list resource "pods" in API group "" at the cluster scope`,
		},
		{"a group without a user", "master", "GET /api/v1/pods", []string{"Impersonate-Group: system:masters"}, 400, "without impersonating a user"},
		{"an extra without a user", "master", "GET /api/v1/pods", []string{"Impersonate-Extra-Scopes: a"}, 400, "without impersonating a user"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := c.Do(t, tt.request, "", append(tt.headers, "Authorization: Bearer "+tt.token)...)
			if body := strings.ReplaceAll(res.Body, `\"`, `"`); res.Code != tt.code || !strings.Contains(body, tt.says) {
				t.Errorf("answered %d %s\nwant %d %s", res.Code, body, tt.code, tt.says)
			}
		})
	}
}

// Access reviews are answered by the rules that authorize requests.
func TestLogin_Questions(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t, apitest.WithLogin(t))
	as := func(token string) *kubernetes.Clientset {
		config := c.Config()
		config.BearerToken = token
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			t.Fatal(err)
		}
		return client
	}
	can := func(token, verb, group, resource string) bool {
		r, err := as(token).AuthorizationV1().SelfSubjectAccessReviews().Create(t.Context(), &authorizationv1.SelfSubjectAccessReview{
			Spec: authorizationv1.SelfSubjectAccessReviewSpec{
				ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: verb, Group: group, Resource: resource},
			},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Status.Allowed
	}
	for question, want := range map[[4]string]bool{
		{"master", "*", "*", "*"}: true, {"viewer", "list", "", "pods"}: true, {"viewer", "list", "apps", "pods"}: false,
		{"viewer", "get", "", "secrets"}: false, {"viewer", "delete", "", "pods"}: false, {"plain", "get", "", "pods"}: false,
	} {
		if got := can(question[0], question[1], question[2], question[3]); got != want {
			t.Errorf("%q is allowed: %v, want %v", question, got, want)
		}
	}
	other, err := as("master").AuthorizationV1().SubjectAccessReviews().Create(t.Context(), &authorizationv1.SubjectAccessReview{
		Spec: authorizationv1.SubjectAccessReviewSpec{
			User: "x", Groups: []string{auth.Viewers},
			NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: "/metrics", Verb: "get"},
		},
	}, metav1.CreateOptions{})
	if err != nil || !other.Status.Allowed {
		t.Errorf("a review of another user: %+v, %v", other, err)
	}
	if _, err := as("viewer").AuthorizationV1().SubjectAccessReviews().Create(t.Context(), other, metav1.CreateOptions{}); err == nil {
		t.Error("a viewer may review the access of others")
	}
	rules, err := as("plain").AuthorizationV1().SelfSubjectRulesReviews().Create(t.Context(), &authorizationv1.SelfSubjectRulesReview{
		Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: "default"},
	}, metav1.CreateOptions{})
	if err != nil || len(rules.Status.ResourceRules) != 2 || len(rules.Status.NonResourceRules) != 2 {
		t.Errorf("the rules of a user without roles: %+v, %v", rules, err)
	}
	me, err := as("viewer").AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	want := authenticationv1.UserInfo{Username: "vera", UID: "2", Groups: []string{auth.Viewers, auth.Authenticated}}
	if err != nil || cmp.Diff(want, me.Status.UserInfo) != "" || me.CreationTimestamp.IsZero() {
		t.Errorf("the viewer's review of itself: %+v, %v", me, err)
	}
}

// On a server without a login, every caller is a master and may do everything, even when it
// impersonates.
func TestNoLogin(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	who := func(headers ...string) authenticationv1.UserInfo {
		res := c.Do(t, "POST /apis/authentication.k8s.io/v1/selfsubjectreviews", `{}`, append(headers, "Content-Type: application/json")...)
		var r authenticationv1.SelfSubjectReview
		if err := json.Unmarshal([]byte(res.Body), &r); err != nil || res.Code != http.StatusCreated {
			t.Fatalf("answered %d %s", res.Code, res.Body)
		}
		return r.Status.UserInfo
	}
	if got := who("Authorization: Bearer whatever"); got.Username != "system:admin" {
		t.Errorf("the caller is %+v", got)
	}
	got := who("Impersonate-User: system:serviceaccount:ns:web", "Impersonate-Uid: 7", "Impersonate-Extra-Acme.com%2fProject: x")
	want := authenticationv1.UserInfo{
		Username: "system:serviceaccount:ns:web", UID: "7", Extra: map[string]authenticationv1.ExtraValue{"acme.com/project": {"x"}},
		Groups: []string{"system:serviceaccounts", "system:serviceaccounts:ns", auth.Authenticated},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("as a service account (-want +got):\n%s", diff)
	}
	if res := c.Do(t, "GET /api/v1/secrets", "", "Impersonate-User: jane"); res.Code != 200 {
		t.Errorf("a master without a login, as jane, gets %d", res.Code)
	}
}

// late is an authorizer that knows the rights of users only after a wait.
type late struct {
	auth.Authorizer
	waits atomic.Int64
}

// Allows implements auth.Authorizer.
func (l *late) Allows(u *auth.User, a auth.Attributes) bool {
	return l.waits.Load() > 0 || l.Authorizer.Allows(u, a)
}

// A right that was just granted counts, including the right to impersonate. Anonymous requests are
// refused without waiting.
func TestLogin_NewRights(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		request string
		headers []string
		want    int
		waits   int64
	}{
		{"GET /api/v1/secrets", []string{"Authorization: Bearer plain"}, 200, 1},
		{"GET /api/v1/secrets", []string{"Authorization: Bearer plain", "Impersonate-User: root", "Impersonate-Group: system:masters"}, 200, 1},
		{"GET /api/v1/secrets", []string{"Authorization: Bearer plain", "Impersonate-Group: system:masters"}, 400, 0},
		{"GET /api/v1/secrets", []string{"Authorization: Bearer master"}, 200, 0},
		{"GET /api/v1/secrets", nil, 401, 0},
	} {
		var by late
		c := apitest.NewCluster(t, apitest.WithLogin(t), func(d *api.Deps) {
			by.Authorizer, d.Authorizer = d.Authorizer, &by
			d.Fresh = func(context.Context) error { by.waits.Add(1); return nil }
		})
		if got := c.Do(t, tt.request, "", tt.headers...).Code; got != tt.want || by.waits.Load() != tt.waits {
			t.Errorf("%s %q: %d after %d waits, want %d after %d", tt.request, tt.headers, got, by.waits.Load(), tt.want, tt.waits)
		}
	}
}

// A client certificate authenticates if a known authority has signed it for clients and it has not
// expired.
func TestLogin_Certificates(t *testing.T) {
	t.Parallel()
	known, stranger := apitest.NewAuthority(t), apitest.NewAuthority(t)
	pool := x509.NewCertPool()
	pool.AddCert(known.Cert)
	token := apitest.WithLogin(t)
	own, later := apitest.NewAuthority(t), time.Now().Add(30*time.Minute) // own is the cluster's authority; its clock is ahead
	c := apitest.NewCluster(t, token, func(d *api.Deps) {
		d.Authenticator.ClientCAs = func() *x509.CertPool { return pool }
		d.Authenticator.Issued, d.Authenticator.Now = own.Cert, func() time.Time { return later }
	})
	server := httptest.NewUnstartedServer(c.Handler)
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)

	client := pkix.Name{CommonName: "carl", Organization: []string{auth.Viewers}}
	expired := func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }
	forServers := func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth} }
	tests := []struct {
		name   string
		shown  *tls.Certificate
		token  string
		want   int
		secret int
	}{
		{"none", nil, "", 401, 401},
		{"a good one", known.Issue(t, client), "", 200, 403},
		{"a master's", known.Issue(t, pkix.Name{CommonName: "m", Organization: []string{auth.Masters}}), "", 200, 200},
		{"a stranger's", stranger.Issue(t, client), "", 401, 401},
		{"a stranger's with a good token", stranger.Issue(t, client), "master", 200, 200},
		{"an old one", known.Issue(t, client, expired), "", 401, 401},
		{"a server's", known.Issue(t, client, forServers), "", 401, 401},
		{"one of the cluster's own", own.Issue(t, client), "", 200, 403},
		{"one that is too old for its clock", own.Issue(t, client, func(c *x509.Certificate) { c.NotAfter = later.Add(-time.Minute) }), "", 401, 401},
		{"one of its own for a master", own.Issue(t, pkix.Name{CommonName: "m", Organization: []string{auth.Masters}}), "", 401, 401},
		{"nobody's", known.Issue(t, pkix.Name{Organization: []string{auth.Masters}}), "", 401, 401},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			config := &tls.Config{InsecureSkipVerify: true}
			if tt.shown != nil {
				config.Certificates = []tls.Certificate{*tt.shown}
			}
			hc := &http.Client{Transport: &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}}
			t.Cleanup(hc.CloseIdleConnections)
			for path, want := range map[string]int{"/api/v1/pods": tt.want, "/api/v1/secrets": tt.secret} {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				if tt.token != "" {
					req.Header.Set("Authorization", "Bearer "+tt.token)
				}
				res, err := hc.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				_ = res.Body.Close()
				if res.StatusCode != want {
					t.Errorf("%s: %d, want %d", path, res.StatusCode, want)
				}
			}
		})
	}
}
