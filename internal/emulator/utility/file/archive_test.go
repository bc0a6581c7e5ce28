package file_test

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
)

func TestTar(t *testing.T) {
	t.Parallel()
	b := utilitytest.New(t, map[string]string{"d/one": "1\n", "d/e/two": "22\n", "x": "x"})
	if err := b.FS.Symlink("one", "/work/d/link"); err != nil {
		t.Fatal(err)
	}
	if err := b.FS.Chmod("/work/d/one", 0o750); err != nil {
		t.Fatal(err)
	}
	want := func(got, want utilitytest.Outcome) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	want(b.Run(t, "", "tar", "czf", "a.tgz", "d", "x"), utilitytest.Outcome{})
	want(b.Run(t, "", "tar", "tzf", "a.tgz"), utilitytest.Outcome{Out: "d/\nd/e/\nd/e/two\nd/link\nd/one\nx\n"})
	want(b.Run(t, "", "tar", "-tvf", "a.tgz", "d/one"), utilitytest.Outcome{Out: "-rwxr-x--- root/root         2 2026-03-04 12:00:00 d/one\n"})
	want(b.Run(t, "", "mkdir", "out"), utilitytest.Outcome{})
	want(b.Run(t, "", "tar", "-xf", "a.tgz", "-C", "out", "--exclude", "two"), utilitytest.Outcome{})
	want(b.Run(t, "", "ls", "-R", "out"), utilitytest.Outcome{Out: "out:\nd\nx\n\nout/d:\ne\nlink\none\n\nout/d/e:\n"})
	want(b.Run(t, "", "cat", "out/d/link"), utilitytest.Outcome{Out: "1\n"})
	want(b.Run(t, "", "stat", "-c", "%a", "out/d/one"), utilitytest.Outcome{Out: "750\n"})
	want(b.Run(t, "", "tar", "xOf", "a.tgz", "d/e"), utilitytest.Outcome{Out: "22\n"})
	want(b.Run(t, "", "tar", "xf", "a.tgz", "no"), utilitytest.Outcome{Err: "tar: no: not found in archive\n", Exit: 1})
	want(b.Run(t, "junk", "tar", "x"), utilitytest.Outcome{Err: "tar: invalid tar magic\n", Exit: 1})
	want(b.Run(t, "", "tar", "cf", "x.tar", "no"), utilitytest.Outcome{Err: "tar: no: No such file or directory\n", Exit: 2})
}

func TestGzip(t *testing.T) {
	t.Parallel()
	b := utilitytest.New(t, map[string]string{"a": "text\n"})
	want := func(got, want utilitytest.Outcome) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	want(b.Run(t, "", "gzip", "a"), utilitytest.Outcome{})
	want(b.Run(t, "", "ls"), utilitytest.Outcome{Out: "a.gz\n"})
	want(b.Run(t, "", "zcat", "a.gz"), utilitytest.Outcome{Out: "text\n"})
	want(b.Run(t, "", "gunzip", "-k", "a.gz"), utilitytest.Outcome{})
	want(b.Run(t, "", "gunzip", "a.gz"), utilitytest.Outcome{Err: "gunzip: a already exists\n", Exit: 1})
	packed := b.Run(t, "piped", "gzip", "-9")
	want(b.Run(t, packed.Out, "gzip", "-dc"), utilitytest.Outcome{Out: "piped"})
	want(b.Run(t, "junk", "gunzip"), utilitytest.Outcome{Err: "gunzip: stdin: not in gzip format\n", Exit: 1})

	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	for range 64 {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want(b.Run(t, bomb.String(), "gunzip"), utilitytest.Outcome{Err: "gunzip: out of memory\n", Exit: 1})
	want(b.Run(t, bomb.String(), "tar", "x"), utilitytest.Outcome{Err: "tar: out of memory\n", Exit: 1})
}
