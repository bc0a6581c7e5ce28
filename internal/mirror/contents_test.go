package mirror_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
)

// held is the counts of one resource in one namespace.
type held struct {
	Objects, Terminating, Finalized int
	Live                            []string
	Finalizers                      map[string]int
	Grace                           int64
}

// TestContents_AreThoseOfARecount: this holds after random changes, whether or not the versions
// were decoded before.
func TestContents_AreThoseOfARecount(t *testing.T) {
	t.Parallel()
	m := follow(t, emptyLog{}, mirror.Config{})
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same changes each time
	revision := object.Revision(0)
	for range 40 {
		var versions []*object.Version
		for range 50 {
			revision++
			versions = append(versions, changed(t, m, versions, random, revision))
		}
		m.Committed(versions)
		for _, resource := range []string{"pods", "configmaps"} {
			for _, namespace := range []string{"a", "b", "c"} {
				if diff := cmp.Diff(recounted(m, resource, namespace), counted(m, resource, namespace)); diff != "" {
					t.Fatalf("at revision %d, %s in %s (-recounted +counted):\n%s", revision, resource, namespace, diff)
				}
			}
		}
	}
}

// changed makes a random change of one of a few objects.
func changed(t *testing.T, m *mirror.Mirror, before []*object.Version, random *rand.Rand, revision object.Revision) *object.Version {
	t.Helper()
	meta := metav1.ObjectMeta{Namespace: []string{"a", "b"}[random.IntN(2)], Name: fmt.Sprintf("%02d", random.IntN(40))}
	if random.IntN(2) == 0 {
		meta.DeletionTimestamp = &metav1.Time{Time: time.Unix(1e9, 0)}
	}
	meta.Finalizers = [][]string{nil, nil, {"x.io/a"}, {"x.io/a", "x.io/b"}}[random.IntN(4)]
	grace := int64(random.IntN(3) * 30)
	var o object.Object = &corev1.ConfigMap{ObjectMeta: meta}
	resource := "configmaps"
	if random.IntN(2) == 0 {
		o, resource = &corev1.Pod{ObjectMeta: meta, Spec: corev1.PodSpec{TerminationGracePeriodSeconds: &grace}}, "pods"
	}
	v := &object.Version{Type: typeOf(resource), Namespace: meta.Namespace, Name: meta.Name, Revision: revision, Verb: object.Updated}
	v.UID = types.UID(resource + meta.Namespace + meta.Name)
	o.SetUID(v.UID)
	body, err := object.Encode(v.Type, o)
	if err != nil {
		t.Fatal(err)
	}
	v.SetBody(body)
	if random.IntN(2) == 0 {
		v.Remember(o)
	}
	exists := m.Get(v.Key()) != nil
	for _, b := range before {
		if b.Key() == v.Key() {
			exists = b.Verb != object.Deleted
		}
	}
	if exists && random.IntN(4) == 0 {
		v.Verb = object.Deleted
	}
	return v
}

func counted(m *mirror.Mirror, resource, namespace string) (h held) {
	m.Read(func(v mirror.View) {
		h.Objects = v.Count(resource, namespace)
		h.Terminating, h.Finalized = v.Held(resource, namespace)
		h.Finalizers = map[string]int{}
		if n := v.Finalizers(resource, namespace, func(f string, n int) bool { h.Finalizers[f] = n; return true }); n != len(h.Finalizers) {
			h.Finalizers["wrong"] = n
		}
		v.EachLive(resource, namespace, func(o *object.Version) bool { h.Live = append(h.Live, o.Name); return true })
		if resource == "pods" {
			h.Grace = v.LongestGrace(namespace)
		}
	})
	return h
}

func recounted(m *mirror.Mirror, resource, namespace string) held {
	h := held{Finalizers: map[string]int{}}
	m.Read(func(v mirror.View) {
		v.Each(resource, namespace, func(o *object.Version) bool {
			meta := o.Object()
			h.Objects++
			if len(meta.GetFinalizers()) > 0 {
				h.Finalized++
			}
			for _, f := range meta.GetFinalizers() {
				h.Finalizers[f]++
			}
			if meta.GetDeletionTimestamp() == nil {
				h.Live = append(h.Live, o.Name)
				return true
			}
			h.Terminating++
			if pod, ok := meta.(*corev1.Pod); ok {
				h.Grace = max(h.Grace, *pod.Spec.TerminationGracePeriodSeconds)
			}
			return true
		})
	})
	return h
}

// TestEachLive_Stops: it stops when f returns false, and visits no more.
func TestEachLive_Stops(t *testing.T) {
	t.Parallel()
	m := follow(t, emptyLog{}, mirror.Config{})
	random := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the same changes each time
	var versions []*object.Version
	for revision := range 200 {
		versions = append(versions, changed(t, m, versions, random, object.Revision(revision+1)))
	}
	m.Committed(versions)
	all := counted(m, "pods", "a").Live
	var some []string
	m.Read(func(v mirror.View) {
		v.EachLive("pods", "a", func(o *object.Version) bool { some = append(some, o.Name); return len(some) < 3 })
	})
	if len(all) < 4 || !slices.Equal(some, all[:3]) {
		t.Errorf("the first three of %v are %v", all, some)
	}
}
