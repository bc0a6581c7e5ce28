package preview_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestPreview_AsWhoMayRead: users who may read an object may ask for the preview of its deletion,
// and get the names of what they may read.
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
	const ns, secret = v1.DeletionPath + "?resource=namespaces&name=kube-node-lease", v1.DeletionPath + "?resource=secrets&namespace=kube-node-lease&name=hidden"
	for _, row := range []struct {
		token, path string
		want        int
	}{
		{"master", ns, 200}, {"viewer", ns, 200}, {"plain", ns, 403},
		{"master", secret, 200}, {"viewer", secret, 403}, {"plain", secret, 403}, {"nobody", secret, 401},
		{"viewer", v1.DeletionPath + "?resource=secrets&namespace=default&name=none", 403},
		{"viewer", v1.ScaleDownPath + "?resource=deployments.apps&namespace=default&name=none&replicas=1", 404},
		{"plain", v1.ScaleDownPath + "?resource=deployments.apps&namespace=default&name=none&replicas=1", 403},
	} {
		if code, answer := send(row.token, "GET", row.path, ""); code != row.want {
			t.Errorf("%s, %s: %d, not %d: %s", row.token, row.path, code, row.want, answer)
		}
	}
	for token, sees := range map[string]bool{"master": true, "viewer": false} {
		var d v1.Deletion
		_, answer := send(token, "GET", ns, "")
		if err := json.Unmarshal(answer, &d); err != nil {
			t.Fatal(err)
		}
		named := func(name string) bool {
			return slices.ContainsFunc(d.Deleted, func(r v1.Ref) bool { return r.Name == name })
		}
		if named("hidden") != sees || !named("seen") || d.DeletedCount < 3 || sees != (len(d.Deleted) == d.DeletedCount) {
			t.Errorf("%s is told of %d objects %+v", token, d.DeletedCount, d.Deleted)
		}
	}
}

// TestPreview_NamesPodsToThoseWhoMayListThem: users who may read a workload see how many Pods a
// scale-down deletes; users who may list the Pods see which ones.
func TestPreview_NamesPodsToThoseWhoMayListThem(t *testing.T) {
	t.Parallel()
	as := clustertest.WithLogin(t, pgtest.NewURL(t))
	root := as("root")
	for _, name := range []string{"sizer", "planner"} {
		rules := []rbacv1.PolicyRule{
			{Verbs: []string{"get"}, APIGroups: []string{"apps"}, Resources: []string{"replicasets"}},
			{Verbs: []string{"get"}, NonResourceURLs: []string{v1.ScaleDownPath}},
		}
		if name == "planner" {
			rules = append(rules, rbacv1.PolicyRule{Verbs: []string{"list"}, APIGroups: []string{""}, Resources: []string{"pods"}})
		}
		meta := metav1.ObjectMeta{Name: name}
		if _, err := root.RbacV1().ClusterRoles().Create(t.Context(), &rbacv1.ClusterRole{ObjectMeta: meta, Rules: rules}, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := root.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
			ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
			Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: "default", Name: name}},
		}, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := root.CoreV1().ServiceAccounts("default").Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: meta}, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	labels := map[string]string{"app": "web"}
	if _, err := root.AppsV1().ReplicaSets("default").Create(t.Context(), &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.ReplicaSetSpec{Replicas: new(int32(2)), Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx"}}},
		}},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"sizer": 0, "planner": 2} {
		token, err := root.CoreV1().ServiceAccounts("default").CreateToken(t.Context(), name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var d v1.ScaleDown
		for d.VictimsCount < 2 { // until the Pods exist
			if err := t.Context().Err(); err != nil {
				t.Fatal(err)
			}
			answer, err := as(token.Status.Token).RESTClient().Get().AbsPath(v1.ScaleDownPath).
				Param("resource", "replicasets.apps").Param("namespace", "default").Param("name", "web").Param("replicas", "0").DoRaw(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			d = v1.ScaleDown{}
			if err := json.Unmarshal(answer, &d); err != nil {
				t.Fatal(err)
			}
		}
		if len(d.Victims) != want {
			t.Errorf("%s is told of %d Pods, not %d: %+v", name, len(d.Victims), want, d.Victims)
		}
	}
}
