package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestArchives: both kinds of archive hold the files with their permissions, and the same bytes
// whenever they are written.
func TestArchives(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"a": "program", "b": "licence"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := []member{{"rowlock", filepath.Join(dir, "a"), 0o755}, {"LICENSE", filepath.Join(dir, "b"), 0o644}}
	const want = "r/rowlock -rwxr-xr-x program\nr/LICENSE -rw-r--r-- licence\n"
	for _, test := range []struct {
		name string
		pack func(to, dir string, files []member, at time.Time) error
		list func([]byte) (string, error)
	}{{"tar.gz", tarball, listTar}, {"zip", zipped, listZip}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var written [2][]byte
			for i := range written {
				to := filepath.Join(dir, fmt.Sprint(i)+"."+test.name)
				if err := test.pack(to, "r", files, time.Unix(1_700_000_000, 0).UTC()); err != nil {
					t.Fatal(err)
				}
				var err error
				if written[i], err = os.ReadFile(to); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(written[0], written[1]) {
				t.Error("the same files give two archives")
			}
			if got, err := test.list(written[0]); err != nil || got != want {
				t.Errorf("it holds %q (%v), want %q", got, err, want)
			}
		})
	}
}

func listTar(text []byte) (string, error) {
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err == io.EOF { //nolint:errorlint // as archive/tar documents it
			return out.String(), nil
		}
		if err != nil {
			return "", err
		}
		body, err := io.ReadAll(t)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "%s %s %s\n", h.Name, h.FileInfo().Mode(), body)
	}
}

func listZip(text []byte) (string, error) {
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return "", err
		}
		body, err := io.ReadAll(r)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "%s %s %s\n", f.Name, f.Mode(), body)
	}
	return out.String(), nil
}
