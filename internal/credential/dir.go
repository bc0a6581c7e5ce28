package credential

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"
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

// Admin is the user of the token that Fill makes, and AdminGroup the user's group that may do
// everything.
const (
	Admin      = "system:admin"
	AdminGroup = "system:masters"
)

// Fill creates what is missing in the directory, and the directory itself: an authority, a token,
// and a server certificate for the names, which is renewed when it lacks one of them or is about to
// expire. Existing files stay as they are. It may be interrupted between any two steps and
// repeated; another process that does the same waits. A folder in which others could have put files
// of their own is refused.
func (d Dir) Fill(names []string) error {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return err
	}
	if err := d.trusted(); err != nil {
		return err
	}
	unlock, err := lockedfile.MutexAt(d.file(".lock")).Lock()
	if err != nil {
		return err
	}
	defer unlock()
	authority, err := d.authority()
	if err != nil {
		return err
	}
	if err := d.server(authority, names); err != nil {
		return err
	}
	return d.token()
}

// token creates the administrator's token.
func (d Dir) token() error {
	if _, err := os.Stat(d.TokenFile()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails
	line := fmt.Sprintf("%s,%s,%s,%q\n", base64.RawURLEncoding.EncodeToString(secret[:]), Admin, Admin, AdminGroup)
	return WriteFile(d.TokenFile(), []byte(line), 0o600)
}

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
