package rbac_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/rbac"
)

// indexOf makes an Index of objects that do not change.
func indexOf(t testing.TB, objects ...object.Object) *rbac.Index {
	t.Helper()
	x, err := rbac.IndexOf(objects...)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func clusterRole(name string, rules ...rbacv1.PolicyRule) *rbacv1.ClusterRole {
	return &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name}, Rules: rules}
}

func role(namespace, name string, rules ...rbacv1.PolicyRule) *rbacv1.Role {
	return &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Rules: rules}
}

// binding binds, in a namespace unless that is "", subjects "User/a", "Group/b" and
// "ServiceAccount/ns/c" to a role "ClusterRole/x".
func binding(namespace, name, ref string, subjects ...string) object.Object {
	var all []rbacv1.Subject
	for _, s := range subjects {
		kind, name, _ := strings.Cut(s, "/")
		one := rbacv1.Subject{Kind: kind, Name: name}
		if kind == "ServiceAccount" {
			one.Namespace, one.Name, _ = strings.Cut(name, "/")
		}
		all = append(all, one)
	}
	kind, of, _ := strings.Cut(ref, "/")
	to := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: kind, Name: of}
	if namespace == "" {
		return &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: name}, RoleRef: to, Subjects: all}
	}
	return &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, RoleRef: to, Subjects: all}
}

func rule(verbs, groups, resources, names string) rbacv1.PolicyRule {
	list := func(s string) []string {
		if s == "" {
			return nil
		}
		return strings.Split(strings.ReplaceAll(s, "core", ""), ",")
	}
	return rbacv1.PolicyRule{Verbs: list(verbs), APIGroups: list(groups), Resources: list(resources), ResourceNames: list(names)}
}

func paths(verbs string, urls ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: strings.Split(verbs, ","), NonResourceURLs: urls}
}

// request parses "VERB RESOURCE[/SUBRESOURCE][.GROUP] [NAMESPACE[/NAME]]" or "VERB PATH".
func request(s string) auth.Attributes {
	words := strings.Fields(s)
	if words[1][0] == '/' {
		return auth.Attributes{Verb: words[0], Path: words[1]}
	}
	a := auth.Attributes{Verb: words[0]}
	a.Resource, a.Group, _ = strings.Cut(words[1], ".")
	a.Resource, a.Subresource, _ = strings.Cut(a.Resource, "/")
	if len(words) > 2 {
		a.Namespace, a.Name, _ = strings.Cut(words[2], "/")
	}
	return a
}

// TestCovers: a rule covers what it names, and no more.
func TestCovers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		rule    rbacv1.PolicyRule
		yes, no []string
	}{
		{"a resource", rule("get,list", "core", "pods,pods/log", ""), []string{"get pods", "list pods a", "get pods/log a/b"},
			[]string{"watch pods", "get pods.apps", "get pods/status a/b", "get services", "get /pods", "get podsx", "get pods/log/x"}},
		{"a subresource of everything", rule("*", "*", "*/scale", ""), []string{"get deployments/scale.apps a/b", "patch x/scale.y"}, []string{"get deployments.apps", "get deployments/scaler.apps"}},
		{"a subresource with a slash", rule("get", "*", "*/a/b,c/d/e", ""), []string{"get x/a/b", "get c/d/e"}, []string{"get x/a", "get c/d", "get c/d/e/f"}},
		{"everything", rule("*", "*", "*", ""), []string{"delete pods/exec a/b", "impersonate users.x"}, []string{"get /api"}},
		{"a star that begins no resource", rule("get", "core", "po*", ""), nil, []string{"get pods"}},
		{"names", rule("*", "core", "pods", "a,b"), []string{"get pods x/a", "delete pods x/b"}, []string{"list pods x", "create pods x", "get pods x/c", "deletecollection pods x"}},
		{"an own verb", rule("bind,escalate", rbacv1.GroupName, "clusterroles", "view"), nil, []string{"bind clusterroles x/edit", "bind roles x/view"}},
		{"paths", paths("get", "/a", "/b/*", "/c*"), []string{"get /a", "get /b/", "get /b/c", "get /c", "get /cd/e"}, []string{"post /a", "get /a/", "get /b", "get a"}},
		{"every path", paths("*", "*"), []string{"delete /"}, []string{"get pods"}},
		{"no verbs", rule("", "*", "*", ""), nil, []string{"get pods"}},
	}
	for _, tt := range tests {
		for want, requests := range map[bool][]string{true: tt.yes, false: tt.no} {
			for _, text := range requests {
				a := request(text)
				if got := rbac.Covers(&tt.rule, &a); got != want {
					t.Errorf("%s: %q: %v", tt.name, text, got)
				}
			}
		}
	}
}

// TestIndex_Decide: what users may do, and by which binding.
//
// Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/rbac_test.go, TestAuthorizer
func TestIndex_Decide(t *testing.T) {
	t.Parallel()
	x := indexOf(t,
		clusterRole("admin", rule("*", "*", "*", "")), clusterRole("paths", paths("get", "/x/*")),
		role("ns1", "pods", rule("get", "core", "pods", "")), role("ns2", "pods", rule("list", "core", "pods", "")),
		binding("ns1", "admins", "ClusterRole/admin", "User/ann", "Group/admins"), binding("", "paths", "ClusterRole/paths", "Group/all", "ServiceAccount/ns2/bot"),
		binding("ns1", "pods", "Role/pods", "ServiceAccount//bot", "ServiceAccount/ns2/other", "User/bob"), binding("ns2", "pods", "Role/pods", "User/bob"),
		binding("", "nobody", "ClusterRole/paths", "ServiceAccount//bot"), binding("ns1", "lost", "Role/gone", "User/lea"), binding("", "lost", "ClusterRole/gone", "User/lea"),
	)
	const no = ""
	tests := []struct{ user, groups, request, want string }{
		{"ann", "", "delete pods ns1/a", `RBAC: allowed by RoleBinding "admins/ns1" of ClusterRole "admin" to User "ann"`},
		{"eve", "x,admins", "create jobs.batch ns1", `RBAC: allowed by RoleBinding "admins/ns1" of ClusterRole "admin" to Group "admins"`},
		{"ann", "", "delete pods ns2/a", no}, {"ann", "", "list pods", no}, {"ann", "", "get /x/y", no}, {"admins", "ann", "get pods ns1", no},
		{"eve", "all", "get /x/y", `RBAC: allowed by ClusterRoleBinding "paths" of ClusterRole "paths" to Group "all"`},
		{"system:serviceaccount:ns2:bot", "", "get /x/y", `RBAC: allowed by ClusterRoleBinding "paths" of ClusterRole "paths" to ServiceAccount "bot/ns2"`},
		{"system:serviceaccount:ns1:bot", "", "get /x/y", no}, {"system:serviceaccount::bot", "", "get /x/y", no},
		{"system:serviceaccount:ns1:bot", "", "get pods ns1/a", `RBAC: allowed by RoleBinding "pods/ns1" of Role "pods" to ServiceAccount "bot/ns1"`},
		{"system:serviceaccount:ns2:other", "", "get pods ns1/a", `RBAC: allowed by RoleBinding "pods/ns1" of Role "pods" to ServiceAccount "other/ns2"`},
		{"system:serviceaccount:ns2:bot", "", "get pods ns1/a", no},
		{"bob", "", "get pods ns1/a", `RBAC: allowed by RoleBinding "pods/ns1" of Role "pods" to User "bob"`}, {"bob", "", "get pods ns2/a", no},
		{"bob", "", "list pods ns2", `RBAC: allowed by RoleBinding "pods/ns2" of Role "pods" to User "bob"`},
		{"lea", "", "list pods", `RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found`},
		{"lea", "", "list pods ns1", `RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "gone" not found]`},
	}
	for _, tt := range tests {
		u := &auth.User{Name: tt.user, Groups: strings.Split(tt.groups, ",")}
		allowed, reason := x.Decide(u, request(tt.request))
		if reason != tt.want || allowed != strings.HasPrefix(tt.want, "RBAC: allowed") || x.Allows(u, request(tt.request)) != allowed {
			t.Errorf("%s (%s) %s: %v, %q", tt.user, tt.groups, tt.request, allowed, reason)
		}
	}
	if allowed, reason := x.Decide(auth.Local, request("get secrets kube-system/a")); !allowed || reason != "" {
		t.Errorf("a master: %v, %q", allowed, reason)
	}
}

// TestIndex_DecidesAsAWalkDoes: the index's decision equals that of a walk over all bindings and
// rules, whatever has been created, changed and deleted before.
func TestIndex_DecidesAsAWalkDoes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pick := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(t, label) }
		few := func(label string, of ...string) []string {
			return rapid.SliceOfN(rapid.SampledFrom(of), 1, 2).Draw(t, label)
		}
		there, x := map[object.Key]object.Object{}, &rbac.Index{}
		for range rapid.IntRange(1, 30).Draw(t, "changes") {
			namespace, name := pick("namespace", "", "a", "b"), pick("name", "p", "q")
			var o object.Object
			if rapid.Bool().Draw(t, "role") {
				r := rbacv1.PolicyRule{Verbs: few("verbs", "get", "list", "*"), APIGroups: few("groups", "", "apps", "*"), Resources: few("resources", "pods", "pods/log", "*/log", "*", "jobs", "a/b/c")}
				if pick("kind", "named", "path", "all", "all") == "named" {
					r.ResourceNames = []string{"one"}
				} else if pick("kind", "path", "all") == "path" {
					r = rbacv1.PolicyRule{Verbs: few("verbs", "get", "*"), NonResourceURLs: few("paths", "/x", "/x/*", "*", "/y**")}
				}
				if o = role(namespace, name, r); namespace == "" {
					o = clusterRole(name, r)
				}
			} else {
				ref := pick("ref", "ClusterRole/p", "ClusterRole/q", "Role/p", "Role/q")
				if namespace == "" {
					ref = strings.Replace(ref, "Role/", "Role/", 1)
					ref = "ClusterRole" + ref[strings.Index(ref, "/"):]
				}
				o = binding(namespace, name, ref, few("subjects", "User/u", "Group/g", "Group/h", "ServiceAccount/a/s", "ServiceAccount//s", "User/system:serviceaccount:a:s")...)
			}
			k := rbac.KindOf(o)
			key := object.Key{Resource: k.Resource(), Namespace: namespace, Name: name}
			v := &object.Version{Type: &k.Type, Namespace: namespace, Name: name, Verb: object.Updated}
			if _, is := there[key]; is && pick("verb", "update", "delete") == "delete" {
				v.Verb = object.Deleted
				delete(there, key)
			} else {
				there[key] = o
			}
			body, err := object.Encode(&k.Type, o)
			if err != nil {
				t.Fatal(err)
			}
			v.SetBody(body)
			x.Observe(mirror.Event{New: v})
			u := &auth.User{Name: pick("user", "u", "v", "system:serviceaccount:a:s", "system:serviceaccount:b:s"), Groups: few("user's groups", "g", "h", "i")}
			a := request(pick("verb", "get", "list", "delete") + " " + pick("what", "pods a", "pods/log a/one", "pods b/one", "pods", "jobs.apps b/two", "a/b/c a", "/x", "/x/y", "/y"))
			if pick("slash", "no", "no", "yes") == "yes" && a.Subresource != "" {
				a.Resource, a.Subresource = a.Resource+"/"+a.Subresource, ""
			}
			if got, want := x.Allows(u, a), walk(there, u, &a); got != want {
				t.Fatalf("%s (%s) %+v: %v, want %v", u.Name, u.Groups, a, got, want)
			}
		}
	})
}

// walk decides by checking every binding.
func walk(there map[object.Key]object.Object, u *auth.User, a *auth.Attributes) bool {
	for key, o := range there {
		var ref rbacv1.RoleRef
		var subjects []rbacv1.Subject
		switch b := o.(type) {
		case *rbacv1.RoleBinding:
			ref, subjects = b.RoleRef, b.Subjects
		case *rbacv1.ClusterRoleBinding:
			ref, subjects = b.RoleRef, b.Subjects
		default:
			continue
		}
		if key.Namespace != "" && key.Namespace != a.Namespace || !slices.ContainsFunc(subjects, func(s rbacv1.Subject) bool {
			switch s.Kind {
			case "User":
				return s.Name == u.Name
			case "Group":
				return u.In(s.Name)
			}
			in := s.Namespace
			if in == "" {
				in = key.Namespace
			}
			return in != "" && u.Name == "system:serviceaccount:"+in+":"+s.Name
		}) {
			continue
		}
		at := object.Key{Resource: "clusterroles." + rbacv1.GroupName, Name: ref.Name}
		if ref.Kind == "Role" {
			at = object.Key{Resource: "roles." + rbacv1.GroupName, Namespace: key.Namespace, Name: ref.Name}
		}
		var rules []rbacv1.PolicyRule
		switch r := there[at].(type) {
		case *rbacv1.Role:
			rules = r.Rules
		case *rbacv1.ClusterRole:
			rules = r.Rules
		}
		if slices.ContainsFunc(rules, func(r rbacv1.PolicyRule) bool { return rbac.Covers(&r, a) }) {
			return true
		}
	}
	return false
}

// TestIndex_Rules: a user's permissions are listed by binding, those of the whole cluster first,
// each once.
func TestIndex_Rules(t *testing.T) {
	t.Parallel()
	get := func(what string) rbacv1.PolicyRule { return rule("get", "core", what, "") }
	x := indexOf(t, clusterRole("a", get("pods")), role("ns", "b", get("jobs"), get("nodes")), clusterRole("c", get("events")),
		binding("", "z", "ClusterRole/a", "User/u", "Group/g"), binding("ns", "y", "Role/b", "Group/g"), binding("", "x", "ClusterRole/c", "Group/g"),
		binding("ns", "lost", "Role/c", "Group/g"), binding("other", "y", "ClusterRole/a", "Group/g"))
	u := &auth.User{Name: "u", Groups: []string{"g"}}
	rules, err := x.Rules(u, "ns")
	if diff := cmp.Diff([]rbacv1.PolicyRule{get("events"), get("pods"), get("jobs"), get("nodes")}, rules); diff != "" {
		t.Errorf("in ns (-want +got):\n%s", diff)
	}
	if want := `role.rbac.authorization.k8s.io "c" not found`; err == nil || err.Error() != want {
		t.Errorf("what is not known: %v, want %s", err, want)
	}
	rules, err = x.Rules(u, "")
	if diff := cmp.Diff([]rbacv1.PolicyRule{get("events"), get("pods")}, rules); diff != "" || err != nil {
		t.Errorf("everywhere: %v (-want +got):\n%s", err, diff)
	}
	x.Reset()
	if rules, err := x.Rules(u, "ns"); len(rules) > 0 || err != nil || x.Allows(u, request("get pods")) {
		t.Errorf("an empty index: %v, %v", rules, err)
	}
}

// manyBindings makes 1,000 bindings; half of them name one group.
func manyBindings(t testing.TB) (*rbac.Index, *auth.User) {
	all := rbac.Bootstrap()
	for i := range 500 {
		all = append(all, role(fmt.Sprint("ns", i%100), fmt.Sprint("r", i), rule("get,list,watch", "core", "pods,services,configmaps", ""), rule("*", "apps", "*", "")),
			binding(fmt.Sprint("ns", i%100), fmt.Sprint("b", i), fmt.Sprint("Role/r", i), fmt.Sprint("User/u", i)),
			clusterRole(fmt.Sprint("c", i), rule("get,list,watch", fmt.Sprintf("group%d", i), fmt.Sprint("kind", i), ""), rule("get", "core", "secrets", fmt.Sprint("name", i))),
			binding("", fmt.Sprint("b", i), fmt.Sprint("ClusterRole/c", i), "Group/team"))
	}
	return indexOf(t, all...), &auth.User{Name: "u7", Groups: []string{"team", "other", auth.Authenticated}}
}

// TestIndex_Allocations: a decision allocates nothing.
func TestIndex_Allocations(t *testing.T) {
	x, u := manyBindings(t)
	for text, want := range map[string]bool{"get pods ns7/a": true, "list deployments/scale.apps ns7": true, "get kind499.group499": true, "get secrets ns7/name499": true,
		"get secrets ns7/b": false, "delete nodes": false, "get /api/v1": true} {
		a := request(text)
		if got := x.Allows(u, a); got != want {
			t.Errorf("%s: %v", text, got)
		}
		if n := testing.AllocsPerRun(100, func() { x.Allows(u, a) }); n > 0 {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
}

func BenchmarkIndex_Allows(b *testing.B) {
	x, u := manyBindings(b)
	for _, text := range []string{"get pods ns7/a", "get kind499.group499", "get secrets ns7/b", "delete nodes"} {
		b.Run(strings.ReplaceAll(text, "/", "."), func(b *testing.B) {
			a := request(text)
			for b.Loop() {
				x.Allows(u, a)
			}
		})
	}
	b.Run("after a change", func(b *testing.B) {
		a, o := request("delete nodes"), clusterRole("unbound")
		k := rbac.KindOf(o)
		body, err := object.Encode(&k.Type, o)
		if err != nil {
			b.Fatal(err)
		}
		v := &object.Version{Type: &k.Type, Name: o.Name, Verb: object.Updated}
		v.SetBody(body)
		for b.Loop() {
			x.Observe(mirror.Event{New: v})
			x.Allows(u, a)
		}
	})
}
