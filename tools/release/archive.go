package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"time"
)

// member is a file in an archive: its name there, its path, and its permissions.
type member struct {
	name, from string
	mode       fs.FileMode
}

// tarball writes a .tar.gz of the files in one directory. It contains nothing about the machine,
// the user and the time of writing.
func tarball(to, dir string, files []member, at time.Time) error {
	return create(to, func(w io.Writer) error {
		z := gzip.NewWriter(w) // with no name and no time of its own
		t := tar.NewWriter(z)
		for _, f := range files {
			text, err := os.ReadFile(f.from)
			if err != nil {
				return err
			}
			header := &tar.Header{
				Name: path.Join(dir, f.name), Mode: int64(f.mode), Size: int64(len(text)), ModTime: at, Format: tar.FormatPAX,
			}
			if err := t.WriteHeader(header); err != nil {
				return err
			}
			if _, err := t.Write(text); err != nil {
				return err
			}
		}
		return errors.Join(t.Close(), z.Close())
	})
}

// zipped is tarball as a .zip.
func zipped(to, dir string, files []member, at time.Time) error {
	return create(to, func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, f := range files {
			text, err := os.ReadFile(f.from)
			if err != nil {
				return err
			}
			header := &zip.FileHeader{Name: path.Join(dir, f.name), Method: zip.Deflate, Modified: at}
			header.SetMode(f.mode)
			m, err := z.CreateHeader(header)
			if err != nil {
				return err
			}
			if _, err := m.Write(text); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

// create writes a file, and reports errors up to its closing.
func create(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
