package preview_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// standing returns all existing objects except Events, by uid.
func standing(s *clustertest.Site) map[types.UID]*metav1.PartialObjectMetadata {
	s.T.Helper()
	all := map[types.UID]*metav1.PartialObjectMetadata{}
	for _, k := range builtin.Catalogue().All() {
		if k.Stored != nil || k.Answer != nil || k.Derived != nil || k.Kind == "Event" {
			continue
		}
		path := "/api/" + k.Version
		if k.Group != "" {
			path = "/apis/" + k.Group + "/" + k.Version
		}
		var list metav1.PartialObjectMetadataList
		s.Get(path+"/"+k.Plural, &list)
		for i := range list.Items {
			o := &list.Items[i]
			o.Kind = k.Kind
			all[o.UID] = o
		}
	}
	return all
}

// preview asks for the preview of a deletion.
func preview(s *clustertest.Site, resource, namespace, name, policy string) (d v1.Deletion) {
	s.T.Helper()
	q := url.Values{"resource": {resource}, "name": {name}, "limit": {"10000"}}
	for key, value := range map[string]string{"namespace": namespace, "propagation": policy} {
		if value != "" {
			q.Set(key, value)
		}
	}
	s.Get(v1.DeletionPath+"?"+q.Encode(), &d)
	return d
}

// remove deletes an object with a policy, or with none.
func remove(s *clustertest.Site, path, policy string) {
	s.T.Helper()
	if policy != "" {
		path += "?propagationPolicy=" + policy
	}
	s.Do("DELETE", path, "")
}

// outcome is the fate of objects, as lines.
type outcome struct{ Gone, Held, Orphaned, Released []string }

func predicted(d v1.Deletion) (o outcome) {
	held := map[types.UID]bool{}
	for _, h := range d.Held {
		held[h.UID] = true
		slices.Sort(h.Finalizers)
		o.Held = append(o.Held, fmt.Sprint(h.Kind, " ", h.Name, " ", h.Finalizers))
	}
	for _, ref := range d.Deleted {
		if !held[ref.UID] && ref.Kind != "Event" {
			o.Gone = append(o.Gone, ref.Kind+" "+ref.Name)
		}
	}
	for _, ref := range d.Orphaned {
		o.Orphaned = append(o.Orphaned, ref.Kind+" "+ref.Name)
	}
	for _, ref := range d.Released {
		o.Released = append(o.Released, ref.Kind+" "+ref.Name)
	}
	return o.sorted()
}

func (o outcome) sorted() outcome {
	for _, list := range [][]string{o.Gone, o.Held, o.Orphaned, o.Released} {
		slices.Sort(list)
	}
	return o
}

// become compares the objects before and after, for those that it concerns. It ignores objects
// created meanwhile.
func become(before, after map[types.UID]*metav1.PartialObjectMetadata, concerns func(*metav1.PartialObjectMetadata) bool) (o outcome) {
	for uid, was := range before {
		is := after[uid]
		switch line := was.Kind + " " + was.Name; {
		case !concerns(was):
		case is == nil:
			o.Gone = append(o.Gone, line)
		case is.DeletionTimestamp != nil:
			finalizers := is.Finalizers
			if is.Kind == "Namespace" {
				finalizers = append(finalizers, "kubernetes")
			}
			slices.Sort(finalizers)
			o.Held = append(o.Held, fmt.Sprint(line, " ", finalizers))
		case len(is.OwnerReferences) == len(was.OwnerReferences):
		case len(is.OwnerReferences) == 0:
			o.Orphaned = append(o.Orphaned, line)
		default:
			o.Released = append(o.Released, line)
		}
	}
	return o.sorted()
}

func anything(*metav1.PartialObjectMetadata) bool { return true }

// TestDeletion_IsWhatComes: the preview of a deletion is what happens, for every kind of family.
func TestDeletion_IsWhatComes(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Pause()
	volumes := func(s *clustertest.Site, ns string) {
		s.Do("POST", "/api/v1/namespaces/"+ns+"/persistentvolumeclaims",
			`{"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`)
		s.Do("POST", "/api/v1/namespaces/"+ns+"/pods", `{"metadata":{"name":"user"},"spec":{"containers":[{"name":"c","image":"nginx"}],"volumes":[
			{"name":"d","persistentVolumeClaim":{"claimName":"data"}},
			{"name":"e","ephemeral":{"volumeClaimTemplate":{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}}}]}}`)
	}
	of := func(kind, group string) func(*clustertest.Site, string) {
		return func(s *clustertest.Site, ns string) {
			s.Do("POST", "/apis/"+group+"/namespaces/"+ns+"/"+strings.ToLower(kind)+"s", workload(kind, "web", 3, ""))
		}
	}
	cron := func(s *clustertest.Site, ns string) {
		s.Do("POST", "/apis/batch/v1/namespaces/"+ns+"/cronjobs", `{"metadata":{"name":"web"},"spec":{"schedule":"* * * * *","jobTemplate":`+
			strings.Replace(workload("Job", "x", 2, ""), `"kind":"Job"`, `"kind":""`, 1)+`}}`)
	}
	stuck := func(s *clustertest.Site, ns string) {
		s.Do("POST", "/api/v1/namespaces/"+ns+"/configmaps", `{"metadata":{"name":"stuck","finalizers":["example.com/hold"]}}`)
	}
	for i, row := range []struct {
		name, path, resource, object string // NS stands for the row's namespace
		policies                     []string
		prepare                      []func(*clustertest.Site, string)
	}{
		{"a Deployment", "/apis/apps/v1/namespaces/NS/deployments/web", "deployments.apps", "web", []string{"", "Foreground", "Orphan"},
			[]func(*clustertest.Site, string){of("Deployment", "apps/v1")}},
		{"a Job", "/apis/batch/v1/namespaces/NS/jobs/web", "jobs.batch", "web", []string{"", "Foreground", "Background"},
			[]func(*clustertest.Site, string){of("Job", "batch/v1")}},
		{"a CronJob", "/apis/batch/v1/namespaces/NS/cronjobs/web", "cronjobs.batch", "web", []string{"Foreground"}, []func(*clustertest.Site, string){cron}},
		{"a claim in use", "/api/v1/namespaces/NS/persistentvolumeclaims/data", "persistentvolumeclaims", "data", []string{""}, []func(*clustertest.Site, string){volumes}},
		{"a Pod with a volume of its own", "/api/v1/namespaces/NS/pods/user", "pods", "user", []string{"", "Foreground"}, []func(*clustertest.Site, string){volumes}},
		{"a namespace", "/api/v1/namespaces/NS", "namespaces", "NS", []string{""}, []func(*clustertest.Site, string){of("Deployment", "apps/v1"), of("Job", "batch/v1"), volumes}},
		{"a node", "/api/v1/nodes/node-1", "nodes", "node-1", []string{""}, []func(*clustertest.Site, string){of("Deployment", "apps/v1"), of("Job", "batch/v1")}},
		{"a namespace that is held", "/api/v1/namespaces/NS", "namespaces", "NS", []string{""}, []func(*clustertest.Site, string){of("ReplicaSet", "apps/v1"), stuck}},
	} {
		for j, policy := range row.policies {
			ns := fmt.Sprintf("gone-%d-%d", i, j)
			own := strings.NewReplacer("NS", ns)
			s.Do("POST", "/api/v1/namespaces", `{"metadata":{"name":"`+ns+`"}}`)
			for _, prepare := range row.prepare {
				prepare(s, ns)
			}
			s.Advance("65s")
			before := standing(s)
			namespace := ns
			if strings.HasPrefix(row.path, "/api/v1/n") && !strings.Contains(row.path, "/NS/") {
				namespace = ""
			}
			d := preview(s, row.resource, namespace, own.Replace(row.object), policy)
			remove(s, own.Replace(row.path), policy)
			s.Advance("45s")
			if diff := cmp.Diff(become(before, standing(s), anything), predicted(d)); diff != "" {
				t.Errorf("%s, %q (-actual +predicted):\n%s", row.name, policy, diff)
			}
			if len(d.Deleted) < 2 && policy != "Orphan" && row.resource != "jobs.batch" && row.resource != "persistentvolumeclaims" {
				t.Errorf("%s, %q: only %d go", row.name, policy, len(d.Deleted))
			}
			s.Try("DELETE", "/api/v1/namespaces/"+ns, "")
			s.Advance("45s")
		}
	}
}

// TestDeletion_OfRandomFamilies: several owners, circles, owners that block, finalizers that stay
// and those that stand for a policy. ROWLOCK_SEED draws others. With some seeds, such as
// 8663785191570880067, the preview is wrong: a dependent of two owners that are both deleted in the
// foreground leaves the owner that is synced first, and the preview does not know that order.
func TestDeletion_OfRandomFamilies(t *testing.T) {
	t.Parallel()
	seed := uint64(1)
	if text := os.Getenv("ROWLOCK_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Pause()
	const path = "/api/v1/namespaces/default/configmaps"
	type family struct {
		root, policy string
		told         v1.Deletion
	}
	var families []family
	for i := range 40 {
		f := family{root: fmt.Sprintf("f%d-%d", i, r.IntN(2)), policy: []string{"", "Foreground", "Background", "Orphan"}[r.IntN(4)]}
		grow(s, r, path, fmt.Sprintf("f%d-", i), 2+r.IntN(8))
		families = append(families, f)
	}
	s.Advance("1s")
	before := standing(s)
	for i := range families {
		f := &families[i]
		f.told = preview(s, "configmaps", "default", f.root, f.policy)
	}
	for _, f := range families {
		remove(s, path+"/"+f.root, f.policy)
	}
	s.Advance("5s")
	after := standing(s)
	total := outcome{}
	for i, f := range families {
		prefix := fmt.Sprintf("f%d-", i)
		actual := become(before, after, func(o *metav1.PartialObjectMetadata) bool { return strings.HasPrefix(o.Name, prefix) })
		if diff := cmp.Diff(actual, predicted(f.told)); diff != "" {
			t.Errorf("%s, %q (-actual +predicted):\n%s", f.root, f.policy, diff)
		}
		total.Gone, total.Held = append(total.Gone, actual.Gone...), append(total.Held, actual.Held...)
		total.Orphaned, total.Released = append(total.Orphaned, actual.Orphaned...), append(total.Released, actual.Released...)
	}
	if len(total.Gone) == 0 || len(total.Held) == 0 || len(total.Orphaned) == 0 || len(total.Released) == 0 {
		t.Errorf("of 40 families %d objects went, %d were held, %d orphaned, %d released: these try too little",
			len(total.Gone), len(total.Held), len(total.Orphaned), len(total.Released))
	}
}

// grow makes a family of ConfigMaps that own each other. An owner that orphans its dependents is
// their only owner: if another deleted what the first one orphans, the result would depend on the
// order.
func grow(s *clustertest.Site, r *rand.Rand, path, prefix string, n int) {
	s.T.Helper()
	var made []*corev1.ConfigMap
	orphans := map[types.UID]bool{}
	may := func(of, owner *corev1.ConfigMap) bool {
		return len(of.OwnerReferences) == 0 ||
			!orphans[owner.UID] && !slices.ContainsFunc(of.OwnerReferences, func(ref metav1.OwnerReference) bool { return orphans[ref.UID] })
	}
	for i := range n {
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(prefix, i)}}
		for _, owner := range made {
			if r.IntN(len(made)+1) < 2 && may(cm, owner) {
				cm.OwnerReferences = append(cm.OwnerReferences, ownerConfigMap(r, owner))
			}
		}
		if r.IntN(8) == 0 {
			cm.Finalizers = append(cm.Finalizers, "example.com/hold")
		}
		if r.IntN(6) == 0 {
			cm.Finalizers = append(cm.Finalizers, []string{metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents}[r.IntN(2)])
		}
		cm = put(s, "POST", path, cm)
		orphans[cm.UID] = slices.Contains(cm.Finalizers, metav1.FinalizerOrphanDependents)
		made = append(made, cm)
	}
	for r.IntN(3) == 0 { // a circle
		i, j := r.IntN(n), r.IntN(n)
		owned := func(ref metav1.OwnerReference) bool { return ref.UID == made[j].UID }
		if i != j && may(made[i], made[j]) && !slices.ContainsFunc(made[i].OwnerReferences, owned) {
			made[i].OwnerReferences = append(made[i].OwnerReferences, ownerConfigMap(r, made[j]))
			made[i] = put(s, "PUT", path+"/"+made[i].Name, made[i])
		}
	}
}

func ownerConfigMap(r *rand.Rand, cm *corev1.ConfigMap) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: cm.Name, UID: cm.UID, BlockOwnerDeletion: new(r.IntN(2) == 0)}
}

func put(s *clustertest.Site, method, path string, cm *corev1.ConfigMap) *corev1.ConfigMap {
	s.T.Helper()
	doc, err := json.Marshal(cm)
	if err != nil {
		s.T.Fatal(err)
	}
	out := new(corev1.ConfigMap)
	if err := json.Unmarshal(s.Do(method, path, string(doc)), out); err != nil {
		s.T.Fatal(err)
	}
	return out
}

// TestPreview_Refused: invalid requests are refused with the field, and requests for missing
// objects with 404.
func TestPreview_Refused(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	for query, want := range map[string]string{
		v1.DeletionPath: "422 name,resource",
		v1.DeletionPath + "?resource=nothing&name=x":                                        "422 resource",
		v1.DeletionPath + "?resource=pods&name=x":                                           "422 namespace",
		v1.DeletionPath + "?resource=nodes&name=x&namespace=default":                        "422 namespace",
		v1.DeletionPath + "?resource=nodes&name=x&propagation=Upwards":                      "422 propagation",
		v1.DeletionPath + "?resource=nodes&name=x&limit=-1":                                 "422 limit",
		v1.DeletionPath + "?resource=nodes&name=x":                                          "404 ",
		v1.DeletionPath + "?resource=faults.rowlock.io&name=x":                              "422 resource",
		v1.DeletionPath + "?resource=namespaces&name=default":                               "403 ",
		v1.DeletionPath + "?resource=events.events.k8s.io&namespace=default&name=x":         "404 ",
		v1.ScaleDownPath + "?resource=deployments.apps&namespace=default&name=x":            "422 replicas",
		v1.ScaleDownPath + "?resource=pods&namespace=default&name=x&replicas=1":             "422 resource",
		v1.ScaleDownPath + "?resource=jobs.batch&namespace=default&name=x&replicas=1e9":     "422 replicas",
		v1.ScaleDownPath + "?resource=deployments.apps&namespace=d&name=x&replicas=1":       "404 ",
		v1.ScaleDownPath + "?resource=replicasets.apps&name=x&replicas=-1&namespace=":       "422 namespace,replicas",
		v1.ScaleDownPath + "?resource=jobs.batch&namespace=default&name=%00&replicas=0":     "404 ",
		v1.DeletionPath + "?resource=%2F&name=x":                                            "422 resource",
		v1.DeletionPath + "?resource=pods&namespace=default&name=" + strings.Repeat("x", 9): "404 ",
	} {
		code, body := s.Try(http.MethodGet, query, "")
		var status metav1.Status
		if err := json.Unmarshal(body, &status); err != nil || status.Kind != "Status" {
			t.Errorf("%s answers %d: %s", query, code, body)
			continue
		}
		var fields []string
		if status.Details != nil {
			for _, cause := range status.Details.Causes {
				fields = append(fields, cause.Field)
			}
		}
		if got := fmt.Sprint(code, " ", strings.Join(fields, ",")); got != want {
			t.Errorf("%s: %s, not %s", query, got, want)
		}
	}
}
