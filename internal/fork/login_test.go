package fork_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestFork_HasRolesOfItsOwn: at first they are the origin's. Changes of bindings affect only the
// cluster or fork in which they are made, and entering a fork also needs a right to its path.
func TestFork_HasRolesOfItsOwn(t *testing.T) {
	t.Parallel()
	as := clustertest.WithLogin(t, pgtest.NewURL(t))
	send := func(token, method, path, body string) (code int) {
		t.Helper()
		as(token).RESTClient().Verb(method).AbsPath(path).SetHeader("Content-Type", "application/json").Body([]byte(body)).Do(t.Context()).StatusCode(&code)
		return code
	}
	root := func(method, path, body string, want int) {
		t.Helper()
		if code := send("root", method, path, body); code != want {
			t.Fatalf("root, %s %s: %d, not %d", method, path, code, want)
		}
	}
	const (
		copied     = "/forks/copied"
		roles      = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
		entries    = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"
		bindings   = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings"
		configMaps = "/api/v1/namespaces/default/configmaps"
		jane       = `"subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"jane"}]`
		view       = `{"metadata":{"name":"jane"},` + jane + `,"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"}}`
		entry      = `{"metadata":{"name":"jane"},` + jane + `,"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"copied"}}`
	)
	sees := func(when string, origin, fork int) { // a decision is as fresh as the mirror, which may still be behind the answer
		t.Helper()
		for path, want := range map[string]int{configMaps: origin, copied + configMaps: fork} {
			clustertest.Await(t, fmt.Sprintf("%s jane gets %d from %s", when, want, path), func(context.Context) bool { return send("jane", "GET", path, "") == want })
		}
	}
	root("POST", bindings, view, http.StatusCreated)
	root("POST", "/rowlock/v1/forks", `{"name":"copied"}`, http.StatusOK)
	sees("without a right to its path", 200, 403)
	root("POST", roles, `{"metadata":{"name":"copied"},"rules":[{"verbs":["get"],"nonResourceURLs":["/forks/copied/*"]}]}`, http.StatusCreated)
	root("POST", entries, entry, http.StatusCreated)
	sees("with the origin's roles", 200, 200)
	root("DELETE", copied+bindings+"/jane", "", http.StatusOK)
	sees("after the fork took hers away", 200, 403)
	root("DELETE", bindings+"/jane", "", http.StatusOK)
	root("POST", copied+bindings, view, http.StatusCreated)
	sees("after the origin took hers away", 403, 200)
	root("DELETE", "/rowlock/v1/forks/copied", "", http.StatusOK)
}
