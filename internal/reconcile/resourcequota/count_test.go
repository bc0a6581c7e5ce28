package resourcequota

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// space is a namespace with a log.
type space struct {
	kinds   []*kind.Kind // in the catalogue's order
	objects map[object.Key]*object.Version
	log     []Change
}

func (s *space) revision() object.Revision { return object.Revision(100 + len(s.log)) }

// write creates, changes or removes an object of a name.
func (s *space) write(t *rapid.T) {
	k := rapid.SampledFrom(s.kinds).Draw(t, "kind")
	name := fmt.Sprint("o-", rapid.IntRange(0, 9).Draw(t, "name"))
	key := object.Key{Resource: k.Resource(), Namespace: "default", Name: name}
	old := s.objects[key]
	v := &object.Version{Type: &k.Type, Namespace: "default", Name: name, UID: types.UID(fmt.Sprint("uid-", len(s.log))), Revision: s.revision() + 1, Verb: object.Created}
	meta := metav1.ObjectMeta{Namespace: "default", Name: name}
	var o object.Object = &corev1.ConfigMap{ObjectMeta: meta}
	if k == pod.Kind {
		cpu := resource.MustParse(fmt.Sprint(rapid.IntRange(1, 900).Draw(t, "cpu"), "m"))
		o = &corev1.Pod{ObjectMeta: meta, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: cpu}}}}}}
	}
	if old != nil {
		v.UID, v.Verb = old.UID, object.Updated
		if rapid.IntRange(0, 2).Draw(t, "removed") == 0 {
			v.Verb = object.Deleted
		}
	}
	o.SetUID(v.UID)
	body, err := object.Encode(v.Type, o)
	if err != nil {
		t.Fatal(err)
	}
	v.SetBody(body)
	s.objects[key] = v
	if v.Verb == object.Deleted {
		delete(s.objects, key)
	}
	s.log = append(s.log, Change{Kind: k, Event: object.Event{Old: old, New: v}})
}

// count is what a sync sees, which takes few changes and few objects.
func (s *space) count(t *rapid.T, memory []byte) *Count {
	place := PlaceOf(memory, 7)
	c := &Count{Since: 7, Revision: s.revision(), UpTo: s.revision(), Kinds: builtin.Catalogue()}
	if place.Revision > 0 {
		if c.Lost = place.Restarts < 3 && rapid.IntRange(0, 9).Draw(t, "lost") == 0; c.Lost {
			return c
		}
		if c.Changes = s.log[place.Revision-100:]; len(c.Changes) > 3 {
			c.Changes = c.Changes[:3]
			c.UpTo = c.Changes[2].Event.New.Revision
		}
		if c.UpTo < c.Revision {
			return c
		}
	}
	room := 3
	for _, k := range s.kinds {
		if place.Resource != "" && place.Resource != k.Resource() {
			continue
		}
		after := place.Name
		place.Resource, place.Name = "", ""
		content := Content{Kind: k}
		for _, key := range slices.SortedFunc(maps.Keys(s.objects), func(a, b object.Key) int { return strings.Compare(a.Name, b.Name) }) {
			if key.Resource == k.Resource() && key.Name > after && room > 0 {
				content.Objects = append(content.Objects, s.objects[key])
				room--
			}
		}
		c.Contents = append(c.Contents, content)
		if c.More = room == 0; c.More {
			break
		}
	}
	return c
}

// TestLaw_PiecesAddUp: however much is written between the pieces of a count, and whatever is lost,
// the sum is the usage at the revision at which the count ends.
func TestLaw_PiecesAddUp(t *testing.T) {
	t.Parallel()
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "q"}, Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{
		"configmaps": resource.MustParse("5"), "count/pods": resource.MustParse("5"), "requests.cpu": resource.MustParse("1"),
	}}}
	limits := kind.NewQuota(quota)
	var kinds []*kind.Kind
	for _, k := range builtin.Catalogue().Stored() {
		if limits.Concerns(k) {
			kinds = append(kinds, k)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := &space{kinds: kinds, objects: map[object.Key]*object.Version{}}
		for range rapid.IntRange(0, 25).Draw(t, "writes before") {
			s.write(t)
		}
		var memory []byte
		var p plan.Plan
		for turn := 0; p.Recount == nil; turn++ {
			if turn > 200 {
				t.Fatal("it does not end")
			}
			p = Reconcile(Snapshot{Quota: quota, Count: s.count(t, memory), Memory: memory})
			if turn < 40 && rapid.IntRange(0, 5).Draw(t, "killed") == 0 {
				p = plan.Plan{}
				continue
			}
			if p.Memory != nil {
				memory = p.Memory
			}
			if p.Recount == nil && turn < 40 {
				for range rapid.IntRange(0, 5).Draw(t, "writes") {
					s.write(t)
				}
			}
		}
		want := corev1.ResourceList{}
		for key, v := range s.objects {
			for _, k := range kinds {
				if k.Resource() == key.Resource {
					add(want, limits.Usage(k, v.Object()), 1)
				}
			}
		}
		sums := func(list corev1.ResourceList) map[string]string {
			printed := map[string]string{}
			for _, u := range p.Recount.Usage {
				q := list[u.Resource]
				printed[string(u.Resource)] = q.String()
			}
			return printed
		}
		got := corev1.ResourceList{}
		for _, u := range p.Recount.Usage {
			got[u.Resource] = u.Used
		}
		if diff := cmp.Diff(sums(want), sums(got)); diff != "" || p.Recount.Revision != s.revision() || len(memory) > 0 {
			t.Fatalf("counted at %d of %d, %q is left (-there is +counted):\n%s", p.Recount.Revision, s.revision(), memory, diff)
		}
	})
}
