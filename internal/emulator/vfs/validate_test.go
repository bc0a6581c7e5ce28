package vfs_test

import (
	"encoding/json"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// TestValidate refuses directories that lead back to themselves, also through the image's
// directories.
func TestValidate(t *testing.T) {
	t.Parallel()
	const dir = `"m":16877`
	for _, test := range []struct {
		name, nodes string
		bad         bool
	}{
		{"a directory in another", `{"1":{` + dir + `,"e":{"a":2}},"2":{` + dir + `,"e":{"b":3}},"3":{` + dir + `}}`, false},
		{"a file of two names", `{"1":{` + dir + `,"e":{"a":2,"b":2}},"2":{"m":33188}}`, false},
		{"a name that leads nowhere", `{"1":{` + dir + `,"e":{"a":9}}}`, false},
		{"the root in itself", `{"1":{` + dir + `,"e":{"a":1}}}`, true},
		{"the root further down", `{"1":{` + dir + `,"e":{"a":2}},"2":{` + dir + `,"e":{"b":1}}}`, true},
		{"a circle apart", `{"1":{` + dir + `},"2":{` + dir + `,"e":{"a":3}},"3":{` + dir + `,"e":{"b":2}}}`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var tree vfs.Tree
			if err := json.Unmarshal([]byte(`{"name":"t","last":9,"nodes":`+test.nodes+`}`), &tree); err != nil {
				t.Fatal(err)
			}
			if err := tree.Validate(); (err != nil) != test.bad {
				t.Errorf("got %v, want an error: %v", err, test.bad)
			}
		})
	}
}
