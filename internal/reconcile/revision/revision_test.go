package revision_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
	"github.com/rowlock/rowlock/internal/reconcile/revision"
)

// template is one as the API server stores it, with an image and a label "app".
func template(image string) *corev1.PodTemplateSpec {
	t := &corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "foo"}, Annotations: map[string]string{"test": "value"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "test", Image: image, ImagePullPolicy: corev1.PullAlways}}},
	}
	podspec.DefaultTemplate(t)
	return t
}

func by(annotations map[string]string) claim.Claimant {
	return claim.Claimant{
		Owner: &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "web-uid", Annotations: annotations}},
		Kind:  appsv1.SchemeGroupVersion.WithKind("StatefulSet"), Selector: labels.Everything(),
	}
}

func numbered(name string, number int64, edits ...func(*appsv1.ControllerRevision)) *appsv1.ControllerRevision {
	r := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: name}, Revision: number}
	for _, edit := range edits {
		edit(r)
	}
	return r
}

func names(revisions []*appsv1.ControllerRevision) (names []string) {
	for _, r := range revisions {
		names = append(names, r.Name)
	}
	return names
}

// A real API server and controller have given this template these data and this hash.
func TestNew_IsUpstreams(t *testing.T) {
	t.Parallel()
	const data = `{"spec":{"template":{"$patch":"replace","metadata":{"annotations":{"test":"value"},"labels":{"app":"foo"}},` +
		`"spec":{"containers":[{"image":"test","imagePullPolicy":"Always","name":"test","resources":{},` +
		`"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],"dnsPolicy":"ClusterFirst",` +
		`"restartPolicy":"Always","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}}}}`
	hash := revision.Hash(revision.Data(template("test")), 0)
	got := revision.New(by(map[string]string{"why": "first"}), template("test"), 2, revision.HashLabel, hash)
	yes := true
	want := &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "web-776999688b",
			Labels:      map[string]string{"app": "foo", "controller.kubernetes.io/hash": "776999688b"},
			Annotations: map[string]string{"why": "first"},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: "web-uid",
				Controller: &yes, BlockOwnerDeletion: &yes}},
		},
		Revision: 2,
	}
	want.Data.Raw = []byte(data)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("revision (-want +got):\n%s", d)
	}
	if again := revision.Hash([]byte(data), 1); again == hash {
		t.Errorf("a collision leads to the hash %s again", again)
	}
}

func TestName_IsCut(t *testing.T) {
	t.Parallel()
	if got, want := revision.Name(strings.Repeat("x", 253), "abc"), strings.Repeat("x", 223)+"-abc"; got != want {
		t.Errorf("%q", got)
	}
}

func TestTemplate_PutsTheOldOneBack(t *testing.T) {
	t.Parallel()
	one, two := template("test:1"), template("test:2")
	two.Labels["new"], two.Spec.NodeSelector = "yes", map[string]string{"disk": "fast"}
	was := two.DeepCopy()
	got, err := revision.Template(two, revision.New(by(nil), one, 1, revision.HashLabel, "x"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(one, got); d != "" {
		t.Errorf("template (-want +got):\n%s", d)
	}
	if d := cmp.Diff(was, two); d != "" {
		t.Errorf("the argument was changed:\n%s", d)
	}
	users := numbered("users", 1)
	users.Data.Raw = []byte(`{"spec":{"template":{"metadata":{"labels":{"tier":"front"}}}}}`)
	if got, err := revision.Template(one, users); err != nil || got.Labels["tier"] != "front" || got.Labels["app"] != "foo" {
		t.Errorf("a patch of a user's makes %+v, %v", got, err)
	}
	users.Data.Raw = []byte(`{"spec":[]}`)
	if got, err := revision.Template(one, users); err == nil {
		t.Errorf("what is not a patch makes %+v", got)
	}
}

func TestMeans(t *testing.T) {
	t.Parallel()
	one, two := template("test:1"), template("test:2")
	of := func(data []byte) *appsv1.ControllerRevision {
		r := numbered("r", 1)
		r.Data.Raw = data
		return r
	}
	terse := []byte(`{"spec":{"template":{"$patch":"replace","metadata":{"annotations":{"test":"value"},"creationTimestamp":null,` +
		`"labels":{"app":"foo"}},"spec":{"containers":[{"image":"test:1","imagePullPolicy":"Always","name":"test"}]}}}}`)
	tests := []struct {
		name     string
		revision *appsv1.ControllerRevision
		template *corev1.PodTemplateSpec
		means    bool
		holds    bool
	}{
		{"its own", of(revision.Data(one)), one, true, true},
		{"another", of(revision.Data(one)), two, false, false},
		{"the same without what is default, as an older release wrote it", of(terse), one, true, false},
		{"what is not a patch", of([]byte(`{"spec":[]}`)), one, false, false},
	}
	for _, test := range tests {
		if got := revision.Means(test.revision, test.template); got != test.means {
			t.Errorf("%s: means it is %v", test.name, got)
		}
		if got := revision.Holds(test.revision, revision.Data(test.template)); got != test.holds {
			t.Errorf("%s: holds it is %v", test.name, got)
		}
	}
	if !revision.Equal(of(terse), of(terse)) || revision.Equal(of(terse), of(nil)) {
		t.Error("two are equal where their data are")
	}
}

func TestSorted_AndNext(t *testing.T) {
	t.Parallel()
	at := func(s int64) func(*appsv1.ControllerRevision) {
		return func(r *appsv1.ControllerRevision) { r.CreationTimestamp = metav1.NewTime(time.Unix(s, 0)) }
	}
	all := []*appsv1.ControllerRevision{numbered("d", 2, at(9)), numbered("c", 1, at(8)), numbered("b", 1, at(7)), numbered("a", 1, at(8))}
	if d := cmp.Diff([]string{"b", "a", "c", "d"}, names(revision.Sorted(all))); d != "" {
		t.Errorf("sorted (-want +got):\n%s", d)
	}
	if all[0].Name != "d" {
		t.Error("the argument was sorted")
	}
	if got := revision.Next(all); got != 3 {
		t.Errorf("next is %d, want 3", got)
	}
	if got := revision.Next(nil); got != 1 {
		t.Errorf("the first is %d, want 1", got)
	}
}

func TestTruncate_TheOldestThatAreNotLive(t *testing.T) {
	t.Parallel()
	ending := func(r *appsv1.ControllerRevision) { r.DeletionTimestamp = &metav1.Time{} }
	all := []*appsv1.ControllerRevision{numbered("d", 4), numbered("b", 2), numbered("a", 1), numbered("c", 3)}
	live := func(r *appsv1.ControllerRevision) bool { return r.Name == "b" }
	tests := []struct {
		n    int
		want []string
	}{{-1, nil}, {0, nil}, {1, []string{"a"}}, {2, []string{"a", "c"}}, {9, []string{"a", "c", "d"}}}
	for _, test := range tests {
		if d := cmp.Diff(test.want, names(revision.Truncate(all, test.n, live))); d != "" {
			t.Errorf("%d of four (-want +got):\n%s", test.n, d)
		}
	}
	all[2] = numbered("a", 1, ending)
	if d := cmp.Diff([]string{"c"}, names(revision.Truncate(all, 2, live))); d != "" {
		t.Errorf("one that goes already counts (-want +got):\n%s", d)
	}
}
