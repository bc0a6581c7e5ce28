package utility_test

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTar(t *testing.T) {
	t.Parallel()
	b := newBox(t, map[string]string{"d/one": "1\n", "d/e/two": "22\n", "x": "x"})
	if err := b.fs.Symlink("one", "/work/d/link"); err != nil {
		t.Fatal(err)
	}
	if err := b.fs.Chmod("/work/d/one", 0o750); err != nil {
		t.Fatal(err)
	}
	want := func(got, want outcome) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	want(b.run(t, "", "tar", "czf", "a.tgz", "d", "x"), outcome{})
	want(b.run(t, "", "tar", "tzf", "a.tgz"), outcome{Out: "d/\nd/e/\nd/e/two\nd/link\nd/one\nx\n"})
	want(b.run(t, "", "tar", "-tvf", "a.tgz", "d/one"), outcome{Out: "-rwxr-x--- root/root         2 2026-03-04 12:00:00 d/one\n"})
	want(b.run(t, "", "mkdir", "out"), outcome{})
	want(b.run(t, "", "tar", "-xf", "a.tgz", "-C", "out", "--exclude", "two"), outcome{})
	want(b.run(t, "", "ls", "-R", "out"), outcome{Out: "out:\nd\nx\n\nout/d:\ne\nlink\none\n\nout/d/e:\n"})
	want(b.run(t, "", "cat", "out/d/link"), outcome{Out: "1\n"})
	want(b.run(t, "", "stat", "-c", "%a", "out/d/one"), outcome{Out: "750\n"})
	want(b.run(t, "", "tar", "xOf", "a.tgz", "d/e"), outcome{Out: "22\n"})
	want(b.run(t, "", "tar", "xf", "a.tgz", "no"), outcome{Err: "tar: no: not found in archive\n", Exit: 1})
	want(b.run(t, "junk", "tar", "x"), outcome{Err: "tar: invalid tar magic\n", Exit: 1})
	want(b.run(t, "", "tar", "cf", "x.tar", "no"), outcome{Err: "tar: no: No such file or directory\n", Exit: 2})
}

func TestGzip(t *testing.T) {
	t.Parallel()
	b := newBox(t, map[string]string{"a": "text\n"})
	want := func(got, want outcome) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	want(b.run(t, "", "gzip", "a"), outcome{})
	want(b.run(t, "", "ls"), outcome{Out: "a.gz\n"})
	want(b.run(t, "", "zcat", "a.gz"), outcome{Out: "text\n"})
	want(b.run(t, "", "gunzip", "-k", "a.gz"), outcome{})
	want(b.run(t, "", "gunzip", "a.gz"), outcome{Err: "gunzip: a already exists\n", Exit: 1})
	packed := b.run(t, "piped", "gzip", "-9")
	want(b.run(t, packed.Out, "gzip", "-dc"), outcome{Out: "piped"})
	want(b.run(t, "junk", "gunzip"), outcome{Err: "gunzip: stdin: not in gzip format\n", Exit: 1})

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
	want(b.run(t, bomb.String(), "gunzip"), outcome{Err: "gunzip: out of memory\n", Exit: 1})
	want(b.run(t, bomb.String(), "tar", "x"), outcome{Err: "tar: out of memory\n", Exit: 1})
}
