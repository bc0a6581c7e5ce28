package credential

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Dir is a directory of credentials. Several servers may share it, and start at the same time.
type Dir string

// CAFile is the authority's certificate, for clients. Only the owner can read the other files.
func (d Dir) CAFile() string { return d.file("ca.crt") }

// CertFile is the server's certificate, followed by the authority's.
func (d Dir) CertFile() string { return d.file("tls.crt") }

// KeyFile is the server's key.
func (d Dir) KeyFile() string { return d.file("tls.key") }

// TokenFile has Kubernetes' static tokens: one, the administrator's.
func (d Dir) TokenFile() string { return d.file("tokens.csv") }

// Kubeconfig is written by the program that knows the server's address.
func (d Dir) Kubeconfig() string { return d.file("kubeconfig") }

func (d Dir) caKeyFile() string       { return d.file("ca.key") }
func (d Dir) file(name string) string { return filepath.Join(string(d), name) }

// WriteFile writes a file completely or not at all: readers see the old contents or all of the new,
// with these permissions.
func WriteFile(path string, data []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()           // it failed already, or is closed
			_ = os.Remove(f.Name()) // what is left of it is hidden and harmless
		}
	}()
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
