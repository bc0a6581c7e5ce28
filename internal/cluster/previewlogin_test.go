package cluster_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/control"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// Who may read an object may ask what becomes of it, and is told the names of what they may read.
func TestPreview_AsWhoMayRead(t *testing.T) {
	t.Parallel()
	known, err := auth.ReadTokens(strings.NewReader("master,root,1,\"system:masters\"\nviewer,vera,2,\"rowlock:viewers\"\nplain,jane,3\n"))
	if err != nil {
		t.Fatal(err)
	}
	replica, err := cluster.Open(t.Context(), cluster.Config{
		DatabaseURL: pgtest.NewURL(t), Nodes: 1, Log: slog.New(slog.DiscardHandler),
		Authenticator: &auth.Authenticator{Tokens: func() *auth.Tokens { return known }},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(replica.Handler())
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(func() { client.CloseIdleConnections(); server.Close(); replica.Close() })
	send := func(token, method, path, body string) (int, []byte) {
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close() //nolint:errcheck // it is only read
		answer, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, answer
	}
	for path, body := range map[string]string{
		"/api/v1/namespaces/kube-node-lease/secrets":    `{"metadata":{"name":"hidden"}}`,
		"/api/v1/namespaces/kube-node-lease/configmaps": `{"metadata":{"name":"seen"}}`,
	} {
		if code, answer := send("master", "POST", path, body); code != http.StatusCreated {
			t.Fatalf("%s answers %d: %s", path, code, answer)
		}
	}
	const ns, secret = control.DeletionPath + "?resource=namespaces&name=kube-node-lease", control.DeletionPath + "?resource=secrets&namespace=kube-node-lease&name=hidden"
	for _, row := range []struct {
		token, path string
		want        int
	}{
		{"master", ns, 200}, {"viewer", ns, 200}, {"plain", ns, 403},
		{"master", secret, 200}, {"viewer", secret, 403}, {"plain", secret, 403}, {"nobody", secret, 401},
		{"viewer", control.DeletionPath + "?resource=secrets&namespace=default&name=none", 403},
		{"viewer", control.ScaleDownPath + "?resource=deployments.apps&namespace=default&name=none&replicas=1", 404},
		{"plain", control.ScaleDownPath + "?resource=deployments.apps&namespace=default&name=none&replicas=1", 403},
	} {
		if code, answer := send(row.token, "GET", row.path, ""); code != row.want {
			t.Errorf("%s, %s: %d, not %d: %s", row.token, row.path, code, row.want, answer)
		}
	}
	for token, sees := range map[string]bool{"master": true, "viewer": false} {
		var d control.Deletion
		_, answer := send(token, "GET", ns, "")
		if err := json.Unmarshal(answer, &d); err != nil {
			t.Fatal(err)
		}
		named := func(name string) bool {
			return slices.ContainsFunc(d.Deleted, func(r control.Ref) bool { return r.Name == name })
		}
		if named("hidden") != sees || !named("seen") || d.DeletedCount < 3 || sees != (len(d.Deleted) == d.DeletedCount) {
			t.Errorf("%s is told of %d objects %+v", token, d.DeletedCount, d.Deleted)
		}
	}
}
