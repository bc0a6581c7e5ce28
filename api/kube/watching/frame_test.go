package watching

import (
	"fmt"
	"testing"

	"github.com/rowlock/rowlock/internal/object"
)

// An event is encoded once for all watches; neighbours in the cache do not mix, and large objects
// have slots of their own.
func TestFrames(t *testing.T) {
	t.Parallel()
	var f frames
	encoded := map[int]int{}
	get := func(revision object.Revision, size int) {
		t.Helper()
		doc, err := f.get(frameKey{revision: revision}, size, func() ([]byte, error) {
			encoded[int(revision)]++
			return fmt.Append(nil, revision), nil
		})
		if err != nil || string(doc) != fmt.Sprint(revision) {
			t.Errorf("revision %d: %q, %v", revision, doc, err)
		}
	}
	for range 100 {
		get(1, 10)
		get(2, 10)
		get(2, smallFrameBytes+1)
	}
	if encoded[1] != 1 || encoded[2] != 2 {
		t.Errorf("encoded %v times", encoded)
	}
	get(257, 10)
	get(1, 10)
	if encoded[257] != 1 || encoded[1] != 2 {
		t.Errorf("after a slot was overwritten: encoded %v times", encoded)
	}
}
