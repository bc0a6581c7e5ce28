package customresource

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func described(text string) *apiextensionsv1.JSONSchemaProps {
	return &apiextensionsv1.JSONSchemaProps{Type: "object", Description: text}
}

func mustProgram(t testing.TB, e *entry) *program {
	t.Helper()
	p, err := e.program()
	if err != nil || p == nil {
		t.Fatalf("program %v, %v", p, err)
	}
	return p
}

// Equal schemas are compiled once, even when used concurrently.
func TestCacheShares(t *testing.T) {
	t.Parallel()
	c := newCache(1 << 20)
	entries := make([]*entry, 8)
	programs := make([]*program, len(entries))
	var wg sync.WaitGroup
	for i := range entries {
		entries[i] = c.entry(described("a"))
		wg.Go(func() { programs[i] = mustProgram(t, entries[i]) })
	}
	wg.Wait()
	for i := range entries {
		if entries[i] != entries[0] || programs[i] != programs[0] {
			t.Errorf("use %d has a schema of its own", i)
		}
	}
	if other := c.entry(described("b")); other == entries[0] {
		t.Error("different schemas are shared")
	}
}

// The least recently used programs are evicted, and compiled again at their next use.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	c := newCache(10 * c0(t))
	entries := make([]*entry, 30)
	for i := range entries {
		entries[i] = c.entry(described(fmt.Sprintf("%03d", i)))
		mustProgram(t, entries[i])
		mustProgram(t, entries[0])
	}
	if c.size > c.limit || c.recent.Len() != 10 {
		t.Errorf("%d programs of %d bytes", c.recent.Len(), c.size)
	}
	if entries[0].compiled == nil || entries[1].compiled != nil {
		t.Error("not the least recently used was dropped")
	}
	mustProgram(t, entries[1])
}

// c0 is the size of one of the schemas that the tests use.
func c0(t testing.TB) int {
	t.Helper()
	return newCache(0).entry(described("000")).size
}

// Entries of unused schemas are removed.
func TestCacheForgets(t *testing.T) {
	t.Parallel()
	c := newCache(1 << 20)
	kept := c.entry(described("kept"))
	mustProgram(t, kept)
	func() {
		for i := range 10 {
			mustProgram(t, c.entry(described(fmt.Sprint(i))))
		}
	}()
	for range 1_000 { // cleanups run some time after a garbage collection
		runtime.GC()
		c.mu.Lock()
		left, programs := len(c.entries), c.recent.Len()
		c.mu.Unlock()
		if left == 1 && programs == 1 {
			runtime.KeepAlive(kept)
			return
		}
		runtime.Gosched()
	}
	t.Error("entries that nobody uses are still there")
}
