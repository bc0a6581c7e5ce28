package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPrepare: only an earlier release is removed.
func TestPrepare(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		files   []string
		refused bool
	}{
		{name: "a release", files: []string{sumsName, "rowlock_1.2.3_linux_amd64.tar.gz"}},
		{name: "an empty directory"},
		{name: "someone's files", files: []string{"thesis.tex"}, refused: true},
	} {
		out := t.TempDir()
		for _, file := range test.files {
			if err := os.WriteFile(filepath.Join(out, file), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		err := prepare(out)
		left, readErr := os.ReadDir(out)
		if readErr != nil {
			t.Fatal(readErr)
		}
		want := sumsName
		if test.refused {
			want = test.files[0]
		}
		if (err != nil) != test.refused || len(left) != 1 || left[0].Name() != want {
			t.Errorf("%s: %v, and %v is left, want %s", test.name, err, left, want)
		}
	}
	out := filepath.Join(t.TempDir(), "new", "dist")
	if err := prepare(out); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(out, sumsName)); err != nil {
		t.Error(err)
	}
}
