package auth_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/auth"
)

// Requests have the same attributes as upstream.
func TestDescribe(t *testing.T) {
	t.Parallel()
	tests := []struct {
		request string
		want    auth.Attributes
	}{
		{"GET /", auth.Attributes{Verb: "get"}},
		{"GET /api/v1", auth.Attributes{Verb: "get"}},
		{"GET /apis/apps/v1", auth.Attributes{Verb: "get"}},
		{"POST /rowlock/v1/clock", auth.Attributes{Verb: "post"}},
		{"GET /api/v1/nodes", auth.Attributes{Verb: "list", Version: "v1", Resource: "nodes"}},
		{"GET /api/v1/pods?watch", auth.Attributes{Verb: "watch", Version: "v1", Resource: "pods"}},
		{"GET /api/v1/pods?watch=0", auth.Attributes{Verb: "list", Version: "v1", Resource: "pods"}},
		{"GET /api/v1/pods?watch=False", auth.Attributes{Verb: "list", Version: "v1", Resource: "pods"}},
		{"GET /api/v1/pods?w%61tch=1", auth.Attributes{Verb: "watch", Version: "v1", Resource: "pods"}},
		{"GET /api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dweb", auth.Attributes{Verb: "list", Version: "v1", Resource: "pods", Namespace: "a", Name: "web"}},
		{"DELETE /api/v1/namespaces/a/pods", auth.Attributes{Verb: "deletecollection", Version: "v1", Resource: "pods", Namespace: "a"}},
		{"PATCH /apis/apps/v1/namespaces/a/deployments/d/scale", auth.Attributes{Verb: "patch", Group: "apps", Version: "v1", Resource: "deployments", Subresource: "scale", Namespace: "a", Name: "d"}},
		{"GET /api/v1/namespaces", auth.Attributes{Verb: "list", Version: "v1", Resource: "namespaces"}},
		{"GET /api/v1/namespaces/a", auth.Attributes{Verb: "get", Version: "v1", Resource: "namespaces", Namespace: "a", Name: "a"}},
		{"PUT /api/v1/namespaces/a/finalize", auth.Attributes{Verb: "update", Version: "v1", Resource: "namespaces", Subresource: "finalize", Namespace: "a", Name: "a"}},
		{"GET /api/v1/watch/namespaces/a/pods/p", auth.Attributes{Verb: "watch", Version: "v1", Resource: "pods", Namespace: "a", Name: "p"}},
		{"HEAD /api/v1/nodes/n", auth.Attributes{Verb: "get", Version: "v1", Resource: "nodes", Name: "n"}},
		{"OPTIONS /api/v1/nodes/n", auth.Attributes{Version: "v1", Resource: "nodes", Name: "n"}},
		{"GET /api/v1/namespaces/a/configmaps/b%2Fc", auth.Attributes{Verb: "get", Version: "v1", Resource: "configmaps", Namespace: "a", Name: "b/c"}},
		{"GET /apis/rbac.authorization.k8s.io/v1/clusterroles/system:x%3Ay", auth.Attributes{Verb: "get", Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles", Name: "system:x:y"}},
	}
	for _, tt := range tests {
		t.Run(tt.request, func(t *testing.T) {
			t.Parallel()
			method, target, _ := strings.Cut(tt.request, " ")
			got := auth.Describe(httptest.NewRequest(method, target, nil))
			got.Path = ""
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Commenting out a line revokes its token, and a byte order mark is not part of a token.
func TestReadTokens_Comments(t *testing.T) {
	t.Parallel()
	known, err := auth.ReadTokens(strings.NewReader("\ufeffa,ann,1\n#b,bob,2,\"system:masters\"\n # c \",d\n"), strings.NewReader("\ufeff#d\ne,eve,5"))
	if err == nil {
		t.Errorf("a line with a bare quote that is not a comment is accepted: %+v", known)
	}
	known, err = auth.ReadTokens(strings.NewReader("\ufeffa,ann,1\n#b,bob,2,\"system:masters\"\n"), strings.NewReader("\ufeff#d \" d\ne,eve,5"))
	if err != nil {
		t.Fatal(err)
	}
	by := auth.Authenticator{Tokens: func() *auth.Tokens { return known }}
	for token, want := range map[string]string{"a": "ann", "e": "eve", "#b": "", "b": "", "#d": "", "\ufeffa": ""} {
		req := httptest.NewRequest("GET", "/", nil)
		req.Header.Set("Authorization", "Bearer "+token)
		got := ""
		if u, err := by.Authenticate(req); err == nil {
			got = u.Name
		}
		if got != want {
			t.Errorf("the token %q is %q's, want %q's", token, got, want)
		}
	}
	if admin := known.Admin(); admin != "" {
		t.Errorf("a line that is commented out makes %q a master", admin)
	}
}

func TestReadTokens_Refused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a,b\n":              "line 1: has 2 columns; it needs at least 3",
		"a,b,c\n,b,c\n":      "line 2: the token or the user name is empty",
		"a,,c\n":             "line 1: the token or the user name is empty",
		"a,b,c,\"d\n":        `extraneous or missing " in quoted-field`,
		"token,user,uid\nx,": "line 2: has 2 columns",
	} {
		if _, err := auth.ReadTokens(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestFromContext(t *testing.T) {
	t.Parallel()
	if u := auth.FromContext(t.Context()); u != auth.Anonymous {
		t.Errorf("without a user: %+v", u)
	}
	if u := auth.FromContext(auth.NewContext(t.Context(), auth.Local)); u != auth.Local {
		t.Errorf("got %+v", u)
	}
}

// FuzzDescribe: attributes come from segments of the path, and a path to Secrets never describes
// another resource.
func FuzzDescribe(f *testing.F) {
	for _, path := range []string{
		"/", "/api/v1/namespaces/a/secrets/b", "/apis/apps/v1/watch/deployments?watch=1", "/api/v1/watch",
		"/api/v1/namespaces/%2e%2e/x", "/apis///", "/api/v1/pods?fieldSelector=metadata.name%3D..",
	} {
		f.Add("GET", path)
	}
	f.Fuzz(func(t *testing.T, method, target string) {
		req, err := http.NewRequest(method, target, nil)
		if err != nil {
			return
		}
		a := auth.Describe(req)
		if a.Resource == "" && (a.Namespace != "" || a.Subresource != "") {
			t.Errorf("%q: %+v", target, a)
		}
		if err := auth.Check(auth.OnlyMasters, auth.Anonymous, a); err == nil || !isStatus(err) {
			t.Errorf("%q: %+v is refused with %v", target, a, err)
		}
	})
}

// FuzzReadTokens: a token file is rejected, or each of its tokens finds a user with a name.
func FuzzReadTokens(f *testing.F) {
	f.Add("a,b,c,\"d,e\"\n", "a")
	f.Add("a,b,c\na,d,e\n", "x")
	f.Add("\"\",b,c", "")
	f.Fuzz(func(t *testing.T, text, token string) {
		known, err := auth.ReadTokens(strings.NewReader(text))
		if err != nil {
			return
		}
		a := &auth.Authenticator{Tokens: func() *auth.Tokens { return known }}
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req.Header["Authorization"] = []string{"Bearer " + token}
		u, err := a.Authenticate(req)
		if (u == nil) == (err == nil) || u != nil && (u.Name == "" || token == "" || !strings.Contains(text, strings.TrimSpace(strings.SplitN(token, " ", 2)[0]))) {
			t.Errorf("%q in %q is %+v, %v", token, text, u, err)
		}
	})
}

// FuzzAuthenticate: a header authenticates only with the token.
func FuzzAuthenticate(f *testing.F) {
	known, err := auth.ReadTokens(strings.NewReader("s3cret,jane,1\n"))
	if err != nil {
		f.Fatal(err)
	}
	a := &auth.Authenticator{Tokens: func() *auth.Tokens { return known }}
	for _, header := range []string{"Bearer s3cret", "bearer  s3cret", "Basic s3cret", "Bearer s3cret x", "Bearer", "s3cret", "Bearer s3cre", ""} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req.Header["Authorization"] = []string{header}
		u, err := a.Authenticate(req)
		if (u == nil) == (err == nil) {
			t.Fatalf("%q is %+v, %v", header, u, err)
		}
		fields := strings.Fields(header)
		if u != nil && (len(fields) < 2 || !strings.EqualFold(fields[0], "bearer") || fields[1] != "s3cret") {
			t.Errorf("%q is %+v", header, u)
		}
	})
}

// FuzzImpersonate: only masters can impersonate, and the result has a name and either
// system:authenticated or system:unauthenticated.
func FuzzImpersonate(f *testing.F) {
	f.Add("jane", "", "", "", "")
	f.Add("system:serviceaccount:a:b", "7", "g", "scopes", "v")
	f.Add("", "", "g", "", "")
	f.Add("system:anonymous", "", "system:masters", "a%2fb", "%zz")
	f.Fuzz(func(t *testing.T, user, uid, group, key, value string) {
		h := http.Header{}
		for name, v := range map[string]string{"Impersonate-User": user, "Impersonate-Uid": uid, "Impersonate-Group": group} {
			if v != "" {
				h[name] = []string{v}
			}
		}
		if key != "" {
			h[http.CanonicalHeaderKey("Impersonate-Extra-"+key)] = []string{value}
		}
		viewer := &auth.User{Name: "v", Groups: []string{auth.Viewers, auth.Authenticated}}
		if u, err := auth.Impersonate(auth.OnlyMasters, viewer, h, auth.Attributes{Verb: "list", Resource: "pods"}); err == nil && u != viewer {
			t.Errorf("a viewer became %+v", u)
		} else if err != nil && !isStatus(err) {
			t.Errorf("%v is not a Status", err)
		}
		u, err := auth.Impersonate(auth.OnlyMasters, auth.Local, h, auth.Attributes{Verb: "get", Path: "/api"})
		switch {
		case err != nil && (user != "" || !isStatus(err)):
			t.Errorf("a master may not: %v", err)
		case err == nil && (u.Name == "" || !u.In(auth.Authenticated) && !u.In(auth.Unauthenticated) || user != "" && u.Name != user):
			t.Errorf("a master became %+v", u)
		}
	})
}

// isStatus reports whether an error is a client error with a Status.
func isStatus(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && status.Status().Code >= 400 && status.Status().Code < 500
}
