package object_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
)

var podType, bulkType = newPodType(false), newPodType(true)

// newPodType returns a type of Pods. Package kind has the real one.
func newPodType(bulk bool) *object.Type {
	t := &object.Type{Version: "v1", Kind: "Pod", Plural: "pods", Namespaced: true, New: func() object.Object { return &corev1.Pod{} }, Bulk: bulk}
	t.Prepare()
	return t
}

func podVersion(t testing.TB, i int) *object.Version { return versionOf(t, podType, i) }

func versionOf(t testing.TB, typ *object.Type, i int) *object.Version {
	t.Helper()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("web-", i), Namespace: "default", Labels: map[string]string{"app": "web"}}}
	pod.Spec.Containers = []corev1.Container{{Name: "nginx", Image: "nginx:1.14.2", ImagePullPolicy: corev1.PullIfNotPresent}}
	body, err := object.Encode(typ, pod)
	if err != nil {
		t.Fatal(err)
	}
	v := &object.Version{Type: typ, Namespace: "default", Name: pod.Name, Revision: object.Revision(i + 1)}
	v.SetBody(body)
	return v
}

func TestPack_ChangesTheSizeAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, typ := range []*object.Type{podType, bulkType} {
		testPack(t, typ)
	}
}

func testPack(t *testing.T, typ *object.Type) {
	t.Helper()
	var versions []*object.Version
	var plain [][]byte
	before, after := 0, 0
	for i := range 200 {
		v := versionOf(t, typ, i)
		versions, plain = append(versions, v), append(plain, v.AppendJSON(nil))
		before += v.Size()
	}
	var readers sync.WaitGroup // versions are read while they are packed
	for range 4 {
		readers.Go(func() {
			for i, v := range versions {
				if !bytes.Equal(v.AppendJSON(nil), plain[i]) {
					t.Errorf("version %d reads differently", i)
				}
			}
		})
	}
	for range 2 { // packing again does nothing
		object.Pack(versions)
	}
	readers.Wait()
	for _, v := range versions {
		after += v.Size()
	}
	if after*2 > before {
		t.Errorf("%d bytes became %d", before, after)
	}
	if got := versions[7].Object().(*corev1.Pod).Spec.Containers[0].Image; got != "nginx:1.14.2" {
		t.Errorf("a packed version decodes to the image %q", got)
	}
}

// TestPack_BulkBodiesShareAllocations: a thousand bodies of a Bulk type take few allocations more
// than none.
func TestPack_BulkBodiesShareAllocations(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts those of other tests too
	for typ, most := range map[*object.Type]float64{podType: 2100, bulkType: 200} {
		var versions []*object.Version
		for i := range 2000 {
			versions = append(versions, versionOf(t, typ, i))
		}
		object.Pack(versions[:2]) // makes the dictionary, if no other test has
		next := 0
		if n := testing.AllocsPerRun(1, func() { object.Pack(versions[next : next+1000]); next += 1000 }); n > most {
			t.Errorf("Bulk %t: packing a thousand bodies takes %v allocations", typ.Bulk, n)
		}
	}
}

func BenchmarkUnpack(b *testing.B) {
	versions := []*object.Version{podVersion(b, 1), podVersion(b, 2)}
	object.Pack(versions)
	b.ReportAllocs()
	for b.Loop() {
		versions[1].Body()
	}
}

// TestFaithful: the encoder replaces invalid UTF-8, so the body differs from the object; a client's
// own replacement character is kept.
func TestFaithful(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{"plain": true, "\ufffd": true, "\xff": false, "a\xc3": false} {
		body, err := json.Marshal(map[string]string{"v": value})
		if err != nil {
			t.Fatal(err)
		}
		if got := object.Faithful(body); got != want {
			t.Errorf("%q is faithful: %t", value, got)
		}
	}
}

// TestAppend_AllocatesNothing: sending stored bodies, packed or not, allocates nothing in a buffer
// that is large enough.
func TestAppend_AllocatesNothing(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts those of other tests too
	versions := []*object.Version{podVersion(t, 8), podVersion(t, 9), podVersion(t, 123456)}
	dst := make([]byte, 0, 64<<10)
	for _, state := range []string{"plain", "packed"} {
		for _, v := range versions {
			for name, f := range map[string]func([]byte) []byte{
				"AppendJSON": v.AppendJSON, "AppendItemJSON": v.AppendItemJSON, "AppendBareJSON": v.AppendBareJSON, "AppendBareItemJSON": v.AppendBareItemJSON,
			} {
				// A collection may empty the pool of buffers, and the race detector does so now and then.
				if n := testing.AllocsPerRun(1000, func() { f(dst) }); n >= 1 {
					t.Errorf("%s: %s allocates %v times", state, name, n)
				}
			}
		}
		object.Pack(versions)
	}
}
